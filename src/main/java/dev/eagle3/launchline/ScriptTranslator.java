package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.profile.LayersParser;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes what the script is given: the keys that are its flags, and all its other words. */
final class ScriptTranslator {
  /** They name files of the host, on which all of eagle3 depends. */
  private static final List<String> PATHS = List.of("model-path", "prepared-data", "output-dir");

  /** What the built-in profile says where the line says nothing. */
  private static final Map<String, String> COUNTS =
      Map.of("batch-size", "2", "max-seq-len", "2048", "tp-size", "8");

  private final Draft draft;
  private final ScriptWords script;
  private final Extractor extractor;
  private final boolean fits;
  private final Map<String, ProfileValue> overrides = new LinkedHashMap<>();

  ScriptTranslator(Draft draft, ScriptWords script, Extractor extractor, boolean fits) {
    this.draft = draft;
    this.script = script;
    this.extractor = extractor;
    this.fits = fits;
  }

  void translatePaths() {
    putPaths();
    putLayers();
  }

  void translateCounts() {
    putCounts();
  }

  /** The flags that are not given, and the words that no key stands for. */
  void translateRest() {
    List<String> arguments = arguments();
    if (!overrides.isEmpty()) {
      draft
          .entries()
          .put(
              ProfileEntry.of(
                  "flags",
                  new ProfileValue.Pairs(overrides),
                  "The line does not give these to the script, and neither does eagle3."));
    }
    arguments.addAll(draft.flags().getOrDefault("args", List.of()));
    if (!arguments.isEmpty()) {
      draft.entries().putMerged(ProfileEntry.of("args", new ProfileValue.Items(arguments)));
    }
  }

  private void putPaths() {
    for (String key : PATHS) {
      List<ShellWord> words = script.own().getOrDefault(key, script.meant().get(key));
      if (words != null && !words.isEmpty()) {
        draft.putPath(key, words.get(0));
      } else {
        draft.entries().fillIn(key, "", "the line does not say it; --" + key + " /PATH");
      }
      dropUnlessOwn(key);
    }
  }

  /** What the line gives by another flag, or not at all, is not given twice. */
  private void dropUnlessOwn(String key) {
    String flag = extractor.flags().get(key);
    boolean said = script.own().containsKey(key) || draft.flags().containsKey(key);
    boolean unwanted = !fits || COUNTS.containsKey(key) || script.meant().containsKey(key);
    if (flag != null && unwanted && !(said && fits)) {
      overrides.put(flag.replaceFirst("^--", ""), new ProfileValue.Nothing());
    }
  }

  private void putLayers() {
    List<ShellWord> words = script.own().getOrDefault("layers", script.meant().get("layers"));
    if (words == null || words.isEmpty()) {
      draft.entries().fillIn("layers", "", "the line does not say them; --layers 2 30 58 60");
    } else {
      List<String> texts = words.stream().map(ShellWord::text).toList();
      LayersParser.Parsed parsed = LayersParser.parse(texts);
      List<String> ids = parsed.ids().stream().map(String::valueOf).toList();
      draft
          .entries()
          .put(
              ProfileEntry.of(
                  "layers", new ProfileValue.Items(parsed.problems().isEmpty() ? ids : texts)));
    }
    dropUnlessOwn("layers");
  }

  private void putCounts() {
    List<String> untold = new ArrayList<>();
    for (String key : List.of("batch-size", "max-seq-len", "tp-size")) {
      List<ShellWord> words = script.own().getOrDefault(key, script.meant().get(key));
      if (words != null && !words.isEmpty()) {
        draft.entries().put(key, words.get(0).text());
      } else {
        String count = key.equals("tp-size") ? gpuCount() : String.valueOf(COUNTS.get(key));
        draft
            .entries()
            .put(key, count, "Not in the line: what eagle3 counts on. Correct it if needed.");
        untold.add(key + " " + count);
      }
      dropUnlessOwn(key);
    }
    if (!untold.isEmpty()) {
      draft
          .notes()
          .add(
              new LineNote(
                  Kind.TRANSLATED,
                  "not in the line",
                  "the script gets its own defaults, and eagle3 counts on "
                      + String.join(", ", untold)));
    }
    List<ShellWord> share = script.own().get("gpu-memory-utilization");
    draft
        .entries()
        .put(
            share == null || share.isEmpty()
                ? ProfileEntry.of("gpu-memory-utilization", new ProfileValue.Nothing())
                : ProfileEntry.text("gpu-memory-utilization", share.get(0).text()));
  }

  private String gpuCount() {
    return draft
        .environment()
        .getOrDefault("CUDA_VISIBLE_DEVICES", Optional.empty())
        .filter(text -> text.matches("[0-9]+(,[0-9]+)*"))
        .map(text -> String.valueOf(text.split(",", -1).length))
        .orElse(String.valueOf(COUNTS.get("tp-size")));
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (List<ShellWord> group : script.others()) {
      String shown = group.stream().map(ShellWord::source).collect(Collectors.joining(" "));
      String plain = Secrets.shellText(shown);
      if (!plain.equals(shown)) {
        hide(group);
      } else if (group.stream().allMatch(ShellWord::isPlain)) {
        group.forEach(word -> arguments.add(word.text()));
        draft.notes().add(LineNote.of(Kind.ARGUMENT, shown, ""));
      } else {
        addToSetup(shown);
        draft
            .notes()
            .add(
                LineNote.of(
                    Kind.ARGUMENT,
                    shown,
                    "added by a line of setup, since only the host can expand it"));
      }
    }
    return arguments;
  }

  /** The words of the job are the positional parameters of the shell that runs {@code setup}. */
  private void addToSetup(String words) {
    for (String line : Scene.neededFor(words, draft.scene().known)) {
      if (!draft.setup().contains(line)) {
        draft.setup().add(line);
      }
    }
    draft.setup().add("set -- \"$@\" " + words);
  }

  /** A secret among the arguments comes from a variable of the host. */
  private void hide(List<ShellWord> group) {
    String flag = group.get(0).text();
    int equals = flag.indexOf('=');
    String name = equals > 0 ? flag.substring(0, equals) : flag;
    String variable =
        name.replaceFirst("^-+", "").replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    if (!variable.matches("[A-Z_].*") || group.size() + (equals > 0 ? 1 : 0) != 2) {
      draft
          .notes()
          .add(LineNote.of(Kind.LEFT_OUT, name + " " + Secrets.REDACTED, "it holds a secret"));
      return;
    }
    draft.environment().putIfAbsent(variable, Optional.empty());
    String value = "\"${" + variable + ":?is not set on this host}\"";
    draft.setup().add("set -- \"$@\" " + Scene.quoted(name) + (equals > 0 ? "=" : " ") + value);
    draft
        .notes()
        .add(
            new LineNote(
                Kind.ARGUMENT,
                name + " " + Secrets.REDACTED,
                "the secret is not written; it is taken from the host's own variable " + variable));
  }
}
