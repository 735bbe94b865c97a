package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.plan.Secrets;
import dev.eagle3.profile.LayersParser;
import dev.eagle3.profile.ProfileReader;
import dev.eagle3.shell.Redirection;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Makes the entries of a profile of a launch. */
final class LaunchTranslator {
  /** They name files of the host, on which all of eagle3 depends. */
  private static final List<String> PATHS = List.of("model-path", "prepared-data", "output-dir");

  /** What the built-in profile says where the line says nothing. */
  private static final Map<String, String> COUNTS =
      Map.of("batch-size", "2", "max-seq-len", "2048", "tp-size", "8");

  private final Launch launch;
  private final Program program;
  private final ScriptWords script;
  private final Extractor extractor;
  private final CommandSorter sorter;
  private final List<LineNote> notes;
  private final Map<String, List<String>> flags;
  private final ProfileEntries entries;
  private final boolean fits;
  private final Map<String, Optional<String>> environment;
  private final List<String> setup;
  private final Map<String, ProfileValue> overrides = new LinkedHashMap<>();

  LaunchTranslator(
      Launch launch,
      Extractor extractor,
      CommandSorter sorter,
      List<LineNote> notes,
      Map<String, List<String>> flags) {
    this.launch = launch;
    this.program = Program.of(launch.words());
    this.script = ScriptWords.of(program.arguments(), extractor);
    this.extractor = extractor;
    this.fits = !script.own().isEmpty() || extractor.flags().isEmpty();
    this.sorter = sorter;
    this.notes = notes;
    this.flags = flags;
    this.entries = new ProfileEntries(notes, flags);
    this.environment = new LinkedHashMap<>(launch.environment());
    this.setup = new ArrayList<>(launch.setup());
  }

  LaunchProfile translate() {
    program.environment().forEach((name, value) -> environment.put(name, Optional.of(value)));
    program
        .lost()
        .forEach(
            option ->
                notes.add(LineNote.of(Kind.LEFT_OUT, "python " + option, "no key stands for it")));
    putHost();
    putProgram();
    putPaths();
    putLayers();
    putOutput();
    putLog();
    putCounts();
    putGpus();
    List<String> arguments = arguments();
    putSurroundings();
    if (!overrides.isEmpty()) {
      entries.put(
          ProfileEntry.of(
              "flags",
              new ProfileValue.Pairs(overrides),
              "The line does not give these to the script, and neither does eagle3."));
    }
    if (!arguments.isEmpty()) {
      entries.put(ProfileEntry.of("args", new ProfileValue.Items(arguments)));
    }
    List<String> head =
        List.of(
            "A profile made by `eagle3 init` from a launch line. docs/profile.md lists every key.",
            "",
            "  eagle3 extract --profile FILE --dry-run");
    boolean isPrivate = environment.values().stream().anyMatch(Optional::isPresent);
    return new LaunchProfile(
        ProfileTextWriter.write(head, entries.all()),
        notes,
        isPrivate || !setup.isEmpty() || !arguments.isEmpty());
  }

  private void putHost() {
    Optional<SshWords> ssh = launch.scene().ssh;
    if (ssh.isEmpty()) {
      if (flags.containsKey("host")) {
        entries.put("host", "");
      }
      return;
    }
    List<String> comments = new ArrayList<>();
    if (!ssh.get().options().isEmpty()) {
      String options = String.join(" ", ssh.get().options());
      comments.add(
          "Reached with ssh " + options + ": put that into ~/.ssh/config, or give -F FILE.");
      notes.add(
          LineNote.of(
              Kind.LEFT_OUT,
              "ssh " + options,
              "how a host is reached stands in ssh_config (IdentityFile, ProxyJump); the profile"
                  + " has it as a comment"));
    }
    if (ssh.get().isUnknown()) {
      entries.fillIn("host", ssh.get().destination(), "only your own shell knows it; --host HOST");
      return;
    }
    entries.put(new ProfileEntry("host", new ProfileValue.Text(ssh.get().destination()), comments));
  }

  private void putProgram() {
    if (fits) {
      entries.put("extractor", extractor.name());
    } else {
      entries.put("extractor", extractor.name(), "No extractor that is known has these flags.");
      notes.add(
          new LineNote(
              Kind.TRANSLATED,
              "extractor: " + extractor.name(),
              "no extractor that is known has the flags of this script, so its log and its files may"
                  + " not be understood; --extractor FILE describes it"));
    }
    String python = program.python();
    Optional<String> environmentFolder =
        Optional.ofNullable(launch.scene())
            .flatMap(scene -> scene.virtualEnvironment)
            .filter(folder -> !python.contains("/"));
    if (python.startsWith("/")) {
      entries.put("python", python);
    } else if (environmentFolder.isPresent()) {
      entries.put("python", environmentFolder.get() + "/bin/" + python);
    } else {
      entries.fillIn(
          "python",
          python,
          "only the host knows where it is (`command -v " + python + "` there); --python /PATH");
    }
    if (program.script().isEmpty()) {
      entries.fillIn("script", String.join(" ", program.lost()), "the line names no script");
    } else {
      putPath("script", program.script().get());
    }
  }

  private void putPaths() {
    for (String key : PATHS) {
      List<ShellWord> words = script.own().getOrDefault(key, script.meant().get(key));
      if (words != null && !words.isEmpty()) {
        putPath(key, words.get(0));
      } else {
        entries.fillIn(key, "", "the line does not say it; --" + key + " /PATH");
      }
      dropUnlessOwn(key);
    }
  }

  private void putPath(String key, ShellWord word) {
    Optional<String> path = launch.scene().path(word);
    if (path.isPresent()) {
      entries.put(key, path.get().replaceFirst("(?<=.)/+$", ""));
      return;
    }
    List<String> unknown = word.expansions();
    entries.fillIn(
        key,
        word.text(),
        unknown.isEmpty()
            ? word.isPattern()
                ? "only the host knows which files these are; --" + key + " /PATH"
                : "is relative to a folder that the line does not tell; --"
                    + key
                    + " /PATH, or --set HOME=/PATH when it is the home"
            : "only the host knows "
                + String.join(", ", unknown)
                + "; --"
                + key
                + " /PATH, or --set "
                + variable(word)
                + "=VALUE");
  }

  private static String variable(ShellWord word) {
    return word.pieces().stream()
        .flatMap(piece -> piece.variable().stream())
        .findFirst()
        .orElse("NAME");
  }

  /** What the line gives by another flag, or not at all, is not given twice. */
  private void dropUnlessOwn(String key) {
    String flag = extractor.flags().get(key);
    boolean said = script.own().containsKey(key) || flags.containsKey(key);
    boolean unwanted = !fits || COUNTS.containsKey(key) || script.meant().containsKey(key);
    if (flag != null && unwanted && !(said && fits)) {
      overrides.put(flag.replaceFirst("^--", ""), new ProfileValue.Nothing());
    }
  }

  private void putLayers() {
    List<ShellWord> words = script.own().getOrDefault("layers", script.meant().get("layers"));
    if (words == null || words.isEmpty()) {
      entries.fillIn("layers", "", "the line does not say them; --layers 2 30 58 60");
    } else {
      List<String> texts = words.stream().map(ShellWord::text).toList();
      LayersParser.Parsed parsed = LayersParser.parse(texts);
      List<String> ids = parsed.ids().stream().map(String::valueOf).toList();
      entries.put(
          ProfileEntry.of(
              "layers", new ProfileValue.Items(parsed.problems().isEmpty() ? ids : texts)));
    }
    dropUnlessOwn("layers");
  }

  private void putOutput() {
    Optional<String> output = entries.text("output-dir");
    boolean deleted = false;
    for (CommandSorter.Removal removal : sorter.removals()) {
      boolean ours =
          removal.host().equals(launch.scene().host())
              && removal.paths().size() == 1
              && output.filter(removal.paths().get(0)::equals).isPresent();
      if (ours) {
        deleted = true;
      } else {
        notes.add(LineNote.of(Kind.LEFT_OUT, removal.source(), "no other files are removed"));
      }
      if (ours) {
        notes.add(
            LineNote.of(Kind.TRANSLATED, removal.source(), "previous-output: " + previous(true)));
      }
    }
    entries.put(
        "previous-output",
        previous(deleted),
        deleted && previous(true).equals("delete")
            ? new String[] {
              "The line removes what stands there; eagle3 does it once the first new sample is good."
            }
            : deleted
                ? new String[] {
                  "The line removes what stands there; eagle3 renames the folder, and `undo` puts it"
                      + " back."
                }
                : new String[0]);
  }

  private static String previous(boolean deleted) {
    boolean there = ProfileReader.read("previous-output: delete", "").problems().isEmpty();
    return deleted && there ? "delete" : "set-aside";
  }

  private void putLog() {
    Optional<ShellWord> target = Optional.empty();
    for (Redirection redirection : launch.redirections()) {
      boolean nothing = redirection.target().text().equals("/dev/null");
      if (redirection.takesOutput() && !nothing && target.isEmpty()) {
        target = Optional.of(launch.scene().fill(redirection.target()));
      } else if (redirection.takesErrors() && !nothing) {
        notes.add(
            LineNote.of(
                Kind.LEFT_OUT,
                "2> " + redirection.target().source(),
                "output and errors go to one log"));
      }
    }
    Optional<String> output = entries.text("output-dir");
    Optional<String> path = target.flatMap(launch.scene()::path);
    if (target.isPresent() && path.isEmpty()) {
      putPath("log-file", target.get());
    } else if (path.isPresent()
        && output.filter(folder -> !(path.get() + "/").startsWith(folder + "/")).isPresent()) {
      entries.put("log-file", path.get());
    } else if (output.isPresent() && output.get().lastIndexOf('/') > 0) {
      String beside = output.get().substring(0, output.get().lastIndexOf('/')) + "/extract.log";
      entries.put(
          "log-file",
          beside,
          path.isPresent()
              ? "The line has its log in output-dir, which is set aside before a run."
              : "The line keeps no log; eagle3 does.");
    } else if (path.isPresent()) {
      entries.put("log-file", path.get());
    } else {
      entries.fillIn("log-file", "", "the line keeps no log; --log-file /PATH");
    }
  }

  private void putCounts() {
    List<String> untold = new ArrayList<>();
    for (String key : List.of("batch-size", "max-seq-len", "tp-size")) {
      List<ShellWord> words = script.own().getOrDefault(key, script.meant().get(key));
      if (words != null && !words.isEmpty()) {
        entries.put(key, words.get(0).text());
      } else {
        String count = key.equals("tp-size") ? gpuCount() : String.valueOf(COUNTS.get(key));
        entries.put(key, count, "Not in the line: what eagle3 counts on. Correct it if needed.");
        untold.add(key + " " + count);
      }
      dropUnlessOwn(key);
    }
    if (!untold.isEmpty()) {
      notes.add(
          new LineNote(
              Kind.TRANSLATED,
              "not in the line",
              "the script gets its own defaults, and eagle3 counts on "
                  + String.join(", ", untold)));
    }
    List<ShellWord> share = script.own().get("gpu-memory-utilization");
    entries.put(
        share == null || share.isEmpty()
            ? ProfileEntry.of("gpu-memory-utilization", new ProfileValue.Nothing())
            : ProfileEntry.text("gpu-memory-utilization", share.get(0).text()));
  }

  private String gpuCount() {
    return environment
        .getOrDefault("CUDA_VISIBLE_DEVICES", Optional.empty())
        .filter(text -> text.matches("[0-9]+(,[0-9]+)*"))
        .map(text -> String.valueOf(text.split(",", -1).length))
        .orElse(String.valueOf(COUNTS.get("tp-size")));
  }

  private void putGpus() {
    Optional<String> home = value("CUDA_HOME");
    if (home.filter(path -> path.startsWith("/")).isPresent()) {
      entries.put("cuda-home", home.get());
    } else {
      home.ifPresent(path -> setup.add("export CUDA_HOME=" + Scene.quoted(path)));
      entries.put(ProfileEntry.of("cuda-home", new ProfileValue.Nothing()));
    }
    Optional<String> visible = value("CUDA_VISIBLE_DEVICES");
    if (visible.filter(text -> text.matches("[0-9]+([, ]+[0-9]+)*")).isPresent()) {
      entries.put(
          ProfileEntry.of(
              "gpus", new ProfileValue.Items(List.of(visible.get().split("[, ]+", -1)))));
    } else if (visible.isPresent()) {
      setup.add("export CUDA_VISIBLE_DEVICES=" + Scene.quoted(visible.get()));
      notes.add(
          LineNote.of(Kind.SETUP, "CUDA_VISIBLE_DEVICES=" + visible.get(), "gpus takes numbers"));
    } else if (flags.containsKey("gpus")) {
      entries.put("gpus", "");
    }
    boolean all = sorter.clearsAllGpusOf(launch.scene().host());
    entries.put(
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
    Optional<String> value = environment.getOrDefault(name, Optional.empty());
    environment.remove(name);
    return value;
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
        notes.add(LineNote.of(Kind.ARGUMENT, shown, ""));
      } else {
        addToSetup(shown);
        notes.add(
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
    for (String line : Scene.neededFor(words, launch.scene().known)) {
      if (!setup.contains(line)) {
        setup.add(line);
      }
    }
    setup.add("set -- \"$@\" " + words);
  }

  /** A secret among the arguments comes from a variable of the host. */
  private void hide(List<ShellWord> group) {
    String flag = group.get(0).text();
    int equals = flag.indexOf('=');
    String name = equals > 0 ? flag.substring(0, equals) : flag;
    String variable =
        name.replaceFirst("^-+", "")
            .replaceAll("[^A-Za-z0-9]", "_")
            .toUpperCase(java.util.Locale.ROOT);
    if (!variable.matches("[A-Z_].*") || group.size() + (equals > 0 ? 1 : 0) != 2) {
      notes.add(LineNote.of(Kind.LEFT_OUT, name + " " + Secrets.REDACTED, "it holds a secret"));
      return;
    }
    environment.putIfAbsent(variable, Optional.empty());
    String value = "\"${" + variable + ":?is not set on this host}\"";
    setup.add("set -- \"$@\" " + Scene.quoted(name) + (equals > 0 ? "=" : " ") + value);
    notes.add(
        new LineNote(
            Kind.ARGUMENT,
            name + " " + Secrets.REDACTED,
            "the secret is not written; it is taken from the host's own variable " + variable));
  }

  private void putSurroundings() {
    if (launch.scene().login && launch.scene().outside == null) {
      setup.add(
          0,
          "for file in /etc/profile ~/.bash_profile; do if [ -r \"$file\" ]; then . \"$file\"; fi; done");
      notes.add(LineNote.of(Kind.SETUP, "-l", "a login shell reads the profiles of the host"));
    }
    List<ShellWord> wrap = new WrapWords(launch, program).list();
    List<ShellWord> unknown = wrap.stream().filter(word -> !word.isPlain()).toList();
    if (!unknown.isEmpty()) {
      setup.add(
          "set -- "
              + wrap.stream().map(ShellWord::source).collect(Collectors.joining(" "))
              + " \"$@\"");
    }
    if (!environment.isEmpty()) {
      Map<String, ProfileValue> variables = new LinkedHashMap<>();
      environment.forEach(
          (name, value) ->
              variables.put(
                  name,
                  value
                      .<ProfileValue>map(ProfileValue.Text::new)
                      .orElseGet(ProfileValue.Nothing::new)));
      entries.put(
          ProfileEntry.of(
              "env",
              new ProfileValue.Pairs(variables),
              "A variable without a value is the host's own."));
    }
    if (!setup.isEmpty()) {
      entries.put(ProfileEntry.of("setup", new ProfileValue.Items(setup)));
    }
    if (!wrap.isEmpty()) {
      String shown = wrap.stream().map(ShellWord::source).collect(Collectors.joining(" "));
      notes.add(LineNote.of(Kind.WRAP, shown, ""));
      if (unknown.isEmpty()) {
        entries.put(
            ProfileEntry.of(
                "wrap", new ProfileValue.Items(wrap.stream().map(ShellWord::text).toList())));
      }
    }
  }
}
