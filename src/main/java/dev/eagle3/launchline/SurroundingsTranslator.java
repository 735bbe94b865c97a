package dev.eagle3.launchline;

import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.shell.ShellWord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes what is around the program: GPUs, variables, setup, and the words before it. */
final class SurroundingsTranslator {
  private final Draft draft;
  private final Program program;
  private final CommandSorter sorter;

  SurroundingsTranslator(Draft draft, Program program, CommandSorter sorter) {
    this.draft = draft;
    this.program = program;
    this.sorter = sorter;
  }

  void translateGpus() {
    putGpus();
  }

  /** Variables, setup and wrap; all else has added to them by then. */
  void translateRest() {
    putSurroundings();
  }

  private void putGpus() {
    Optional<String> home = value("CUDA_HOME");
    if (home.filter(path -> path.startsWith("/")).isPresent()) {
      draft.entries().put("cuda-home", home.get());
    } else {
      home.ifPresent(path -> draft.setup().add("export CUDA_HOME=" + Scene.quoted(path)));
      draft.entries().put(ProfileEntry.of("cuda-home", new ProfileValue.Nothing()));
    }
    Optional<String> visible = value("CUDA_VISIBLE_DEVICES");
    if (visible.filter(text -> text.matches("[0-9]+([, ]+[0-9]+)*")).isPresent()) {
      draft
          .entries()
          .put(
              ProfileEntry.of(
                  "gpus", new ProfileValue.Items(List.of(visible.get().split("[, ]+", -1)))));
    } else if (visible.isPresent()) {
      draft.setup().add("export CUDA_VISIBLE_DEVICES=" + Scene.quoted(visible.get()));
      draft
          .notes()
          .add(
              LineNote.of(
                  Kind.SETUP, "CUDA_VISIBLE_DEVICES=" + visible.get(), "gpus takes numbers"));
    }
    boolean all = sorter.clearsAllGpusOf(draft.scene().host());
    draft
        .entries()
        .put(
            "clear-gpus",
            all ? "all" : "safe",
            all
                ? new String[] {
                  "What fuser -k /dev/nvidia* does: every process on any GPU is ended, daemons spared.",
                  "safe ends nothing that might be somebody's work."
                }
                : new String[0]);
  }

  private Optional<String> value(String name) {
    Optional<String> value = draft.environment().getOrDefault(name, Optional.empty());
    draft.environment().remove(name);
    return value;
  }

  private void putSurroundings() {
    if (draft.scene().login && draft.scene().outside == null) {
      draft
          .setup()
          .add(
              0,
              "for file in /etc/profile ~/.bash_profile; do if [ -r \"$file\" ]; then . \"$file\"; fi; done; :");
      draft
          .notes()
          .add(LineNote.of(Kind.SETUP, "-l", "a login shell reads the profiles of the host"));
    }
    List<ShellWord> wrap = new WrapWords(draft.launch(), program).list();
    List<ShellWord> unknown = wrap.stream().filter(word -> !word.isPlain()).toList();
    if (!unknown.isEmpty()) {
      draft
          .setup()
          .add(
              "set -- "
                  + wrap.stream().map(ShellWord::source).collect(Collectors.joining(" "))
                  + " \"$@\"");
    }
    for (String word : draft.flags().getOrDefault("env", List.of())) {
      int equals = word.indexOf('=');
      draft
          .environment()
          .put(
              equals < 0 ? word : word.substring(0, equals),
              equals < 0 ? Optional.empty() : Optional.of(word.substring(equals + 1)));
    }
    if (!draft.environment().isEmpty()) {
      Map<String, ProfileValue> variables = new LinkedHashMap<>();
      draft
          .environment()
          .forEach(
              (name, value) ->
                  variables.put(
                      name,
                      value
                          .<ProfileValue>map(ProfileValue.Text::new)
                          .orElseGet(ProfileValue.Nothing::new)));
      draft
          .entries()
          .putMerged(
              ProfileEntry.of(
                  "env",
                  new ProfileValue.Pairs(variables),
                  "A variable without a value is the host's own."));
    }
    if (!draft.setup().isEmpty()) {
      draft.entries().put(ProfileEntry.of("setup", new ProfileValue.Items(draft.setup())));
    }
    if (!wrap.isEmpty()) {
      String shown = wrap.stream().map(ShellWord::source).collect(Collectors.joining(" "));
      draft.notes().add(LineNote.of(Kind.WRAP, shown, ""));
      if (unknown.isEmpty()) {
        draft
            .entries()
            .put(
                ProfileEntry.of(
                    "wrap", new ProfileValue.Items(wrap.stream().map(ShellWord::text).toList())));
      }
    }
  }
}
