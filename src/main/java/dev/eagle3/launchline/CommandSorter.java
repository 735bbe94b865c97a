package dev.eagle3.launchline;

import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.shell.ShellCommand;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What becomes of the commands around the job: kept in setup, translated, or left out. */
final class CommandSorter {
  private static final String HERE = "it runs on your own machine";

  private final List<LineNote> notes;
  private final List<Removal> removals = new ArrayList<>();
  private boolean mayFail;
  private final List<String> cleared = new ArrayList<>();

  /**
   * A command that removes files.
   *
   * @param host where
   * @param paths absolute; a {@code /*} at the end taken off
   */
  record Removal(String source, String host, List<String> paths) {}

  CommandSorter(List<LineNote> notes) {
    this.notes = notes;
  }

  /** Whether the line goes on when the next command fails: what follows it is no {@code &&}. */
  void mayFail(boolean goesOn) {
    mayFail = goesOn;
  }

  /** What the job cannot do without. */
  private static boolean setsUp(String source) {
    String name = source.split("\\s", 2)[0];
    return name.equals("export") || name.contains("=") || Programs.SETTING_UP.contains(name);
  }

  boolean clearsAllGpusOf(String host) {
    return cleared.contains(host);
  }

  List<Removal> removals() {
    return List.copyOf(removals);
  }

  /** A command, or several with pipes or alternatives between them. */
  void sort(String source, List<ShellCommand> commands, Scene scene) {
    if (commands.size() == 1
        && commands.get(0) instanceof ShellCommand.Simple simple
        && !simple.words().isEmpty()) {
      one(source, simple, simple.words().stream().map(scene::fill).toList(), scene);
    } else if (Programs.isDestructive(commands)) {
      leaveOut(source, "it ends processes or removes files");
    } else if (commands.get(0) instanceof ShellCommand.Simple first
        && !first.words().isEmpty()
        && Programs.needless(Programs.name(first.words().get(0))).isPresent()) {
      leaveOut(source, Programs.needless(Programs.name(first.words().get(0))).orElseThrow());
    } else {
      keep(source, scene);
    }
  }

  private void one(String source, ShellCommand.Simple command, List<ShellWord> words, Scene scene) {
    String name = Programs.name(words.get(0));
    Optional<String> needless = Programs.needless(name);
    if (scene.local && !name.equals("cd")) {
      leaveOut(source, HERE);
    } else if (name.equals("fuser")) {
      clear(source, words, scene);
    } else if (name.equals("rm")) {
      remove(source, words, scene);
    } else if (Programs.isDestructive(List.of(command))) {
      leaveOut(
          source,
          name.contains("kill")
              ? "no process is ended by its name; who holds the GPUs is looked for (clear-gpus)"
              : "it removes or ends something");
    } else if (needless.isPresent()) {
      leaveOut(source, needless.get());
    } else if (name.equals("cd") || name.equals("pushd")) {
      enter(words, scene);
    } else if (name.equals("export") || name.equals("declare") || name.equals("typeset")) {
      export(source, words, scene);
    } else if (name.equals("mkdir") && scene.launched) {
      leaveOut(source, "it comes after the job");
    } else if (Programs.SETTING_UP.contains(name)) {
      activate(words, scene);
      keep(source, scene);
    } else {
      keep(source, scene);
    }
  }

  /** Keeps a line that runs before the job. */
  void keep(String source, Scene scene) {
    if (scene.local) {
      leaveOut(source, HERE);
    } else if (scene.launched) {
      leaveOut(source, "it comes after the job");
    } else if (!Secrets.shellText(source).equals(source)) {
      leaveOut(source, "it holds a secret; do it on the host, or give the value in a variable");
    } else {
      scene.addSetup(mayFail && !setsUp(source) ? source + " || :" : source);
      notes.add(
          LineNote.of(
              Kind.SETUP, source, scene.outside == null ? "" : "in the shell that wrap starts"));
    }
  }

  /** Variables in front of a command: those whose value is known, and the rest as setup. */
  Map<String, Optional<String>> environment(List<ShellWord.Assignment> assignments, Scene scene) {
    assignments.forEach(set -> assign(set, true, scene));
    Map<String, Optional<String>> all = new LinkedHashMap<>();
    for (Scene at = scene; at != null; at = at.outside) {
      at.environment.forEach(all::putIfAbsent);
    }
    return all;
  }

  /** A variable that is set, for the shell alone or for what it starts too. */
  void assign(ShellWord.Assignment set, boolean exported, Scene scene) {
    String name = set.name();
    ShellWord value = scene.fill(set.value());
    if (!value.isPlain()) {
      scene.known.remove(name);
      String text = (exported ? "export " : "") + name + "=" + set.value().source();
      if (Secrets.isSecret(name)) {
        byName(name, scene);
      } else {
        keep(text, scene);
      }
      return;
    }
    if (Secrets.isSecret(name) && !value.text().isEmpty()) {
      byName(name, scene);
      return;
    }
    scene.known.put(name, value.text());
    if (!exported) {
      return;
    }
    if (scene.outside != null && isContained(scene)) {
      scene.setup.add("export " + name + "=" + Scene.quoted(value.text()));
    } else {
      scene.environment.put(name, Optional.of(value.text()));
    }
  }

  private void byName(String name, Scene scene) {
    if (scene.local) {
      return;
    }
    scene.environment.put(name, Optional.empty());
    notes.add(
        new LineNote(
            Kind.TRANSLATED,
            name + "=" + Secrets.REDACTED,
            "the value of a secret is not written; the job takes the host's own " + name));
  }

  private static boolean isContained(Scene scene) {
    return !scene.wrap.isEmpty() && Programs.isContainer(Programs.name(scene.wrap.get(0)));
  }

  private void clear(String source, List<ShellWord> words, Scene scene) {
    boolean kills = words.stream().anyMatch(word -> word.text().matches("-[a-zA-Z]*k[a-zA-Z]*"));
    boolean all =
        words.stream().anyMatch(word -> word.isPattern() && word.text().startsWith("/dev/nvidia"));
    if (kills && all) {
      cleared.add(scene.host());
      notes.add(LineNote.of(Kind.TRANSLATED, source, "clear-gpus: all"));
    } else {
      leaveOut(source, "who holds the GPUs is looked for (clear-gpus)");
    }
  }

  private void remove(String source, List<ShellWord> words, Scene scene) {
    if (scene.launched) {
      leaveOut(source, "it comes after the job");
      return;
    }
    List<String> paths = new ArrayList<>();
    for (ShellWord word : words.subList(1, words.size())) {
      String text = word.text();
      if (text.startsWith("-")) {
        continue;
      }
      boolean all = word.isPattern() && text.endsWith("/*") && word.expansions().isEmpty();
      ShellWord folder =
          all
              ? new ShellWord(
                  "",
                  List.of(new ShellWord.Piece(text.substring(0, text.length() - 2), true, false)))
              : word;
      Optional<String> path = scene.path(folder);
      if (path.isEmpty()) {
        leaveOut(source, "nothing else is removed");
        return;
      }
      paths.add(path.get().replaceFirst("/+$", ""));
    }
    removals.add(new Removal(source, scene.host(), paths));
  }

  private void enter(List<ShellWord> words, Scene scene) {
    if (scene.launched) {
      return;
    }
    List<ShellWord> folders =
        words.stream().skip(1).filter(word -> !word.text().equals("--")).toList();
    if (folders.size() > 1) {
      return;
    }
    if (folders.isEmpty()) {
      scene.folder = scene.value("HOME");
      scene.setup.add("cd");
      return;
    }
    scene.folder = scene.path(folders.get(0));
    scene.addSetup("cd " + scene.folder.map(Scene::quoted).orElse(folders.get(0).source()));
  }

  private void export(String source, List<ShellWord> words, Scene scene) {
    for (ShellWord word : words.subList(1, words.size())) {
      String text = word.text();
      Optional<ShellWord.Assignment> set = word.assignment();
      if (set.isPresent()) {
        assign(set.get(), true, scene);
      } else if (word.isPlain() && text.matches("[A-Za-z_][A-Za-z0-9_]*(=(?s:.)*)?")) {
        int equals = text.indexOf('=');
        Optional<String> value =
            equals < 0 ? scene.value(text) : Optional.of(text.substring(equals + 1));
        String name = equals < 0 ? text : text.substring(0, equals);
        scene.environment.put(name, value.filter(any -> !Secrets.isSecret(name)));
      } else if (!text.startsWith("-")) {
        leaveOut(source, "only the host knows what it sets");
      }
    }
  }

  private static void activate(List<ShellWord> words, Scene scene) {
    if (words.size() == 2 && words.get(1).isPlain() && words.get(1).text().endsWith("/activate")) {
      scene.virtualEnvironment =
          scene
              .path(words.get(1))
              .filter(path -> path.endsWith("/bin/activate"))
              .map(path -> path.substring(0, path.length() - "/bin/activate".length()));
    } else if (words.size() > 1 && words.get(1).text().equals("activate")) {
      scene.virtualEnvironment = Optional.empty();
    }
  }

  private void leaveOut(String source, String why) {
    notes.add(LineNote.of(Kind.LEFT_OUT, source, why));
  }
}
