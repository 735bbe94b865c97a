package dev.eagle3.launchline;

import dev.eagle3.shell.ShellCommand;
import dev.eagle3.shell.ShellPipeline;
import dev.eagle3.shell.ShellWord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What is known of programs by their names. */
final class Programs {
  /** What a run of eagle3 has anyway: a session of its own, no terminal, a log. */
  static final Set<String> DETACHING = Set.of("nohup", "setsid", "exec", "command", "time");

  static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "zsh", "ksh");

  /** They change the shell that the job comes from, so they belong before it. */
  static final Set<String> SETTING_UP =
      Set.of(
          "source",
          ".",
          "conda",
          "mamba",
          "micromamba",
          "module",
          "ml",
          "spack",
          "ulimit",
          "umask",
          "unset",
          "set",
          "shopt",
          "eval",
          "alias",
          "pyenv",
          "nvm",
          "load_module",
          "trap");

  private static final Pattern PYTHON = Pattern.compile("python[0-9.]*|pypy[0-9.]*");
  private static final Set<String> LAUNCHERS = Set.of("torchrun", "accelerate", "deepspeed");

  private static final Set<String> CONTAINERS =
      Set.of("docker", "podman", "kubectl", "nerdctl", "enroot", "oc");

  /** They take a program as an argument, or look as if, and never launch it. */
  private static final Set<String> NO_WRAPPERS =
      Set.of(
          "echo", "printf", "which", "type", "whereis", "grep", "egrep", "pgrep", "pip", "pip3",
          "apt", "apt-get", "ls", "cat", "ps", "tail", "head", "test", "[", "file", "ln", "cp",
          "mv", "conda", "mamba", "alias", "hash", "rsync", "scp", "wait", "watch");

  /** They end processes, or remove what nobody can bring back. */
  private static final Set<String> DESTRUCTIVE =
      Set.of(
          "rm",
          "rmdir",
          "unlink",
          "shred",
          "truncate",
          "dd",
          "mkfs",
          "wipefs",
          "kill",
          "pkill",
          "killall",
          "fuser",
          "skill",
          "reboot",
          "shutdown",
          "poweroff",
          "halt",
          "mv",
          "-delete");

  /** Of these nothing is needed; the reason says what does it. */
  private static final Map<String, String> NEEDLESS =
      Map.ofEntries(
          Map.entry("sleep", "a run waits until the memory of the GPUs is free"),
          Map.entry("tail", "extract and tail-log follow the log"),
          Map.entry("wait", "extract waits for the run"),
          Map.entry("disown", "the run is detached anyway"),
          Map.entry("echo", "it only prints"),
          Map.entry("printf", "it only prints"),
          Map.entry("date", "it only prints"),
          Map.entry("nvidia-smi", "extract looks at the GPUs"),
          Map.entry("hostname", "it only prints"),
          Map.entry("ls", "it only prints"),
          Map.entry("cat", "it only prints"),
          Map.entry("true", "it does nothing"),
          Map.entry(":", "it does nothing"),
          Map.entry("exit", "each command has exit codes of its own"),
          Map.entry("ps", "it only prints"));

  private Programs() {}

  static String name(ShellWord word) {
    String text = word.text();
    return text.substring(text.lastIndexOf('/') + 1);
  }

  static boolean isPython(String name) {
    return PYTHON.matcher(name).matches();
  }

  static boolean isLauncher(String name) {
    return LAUNCHERS.contains(name);
  }

  static boolean isContainer(String name) {
    return CONTAINERS.contains(name);
  }

  static Optional<String> needless(String name) {
    return Optional.ofNullable(NEEDLESS.get(name));
  }

  /** Whether these words are a job, and no text or program is between. */
  static boolean isJob(List<ShellWord> words) {
    String name = name(words.get(0));
    boolean script =
        SHELLS.contains(name) && words.size() > 1 && !words.get(1).text().startsWith("-");
    return script
        || name.endsWith(".py")
        || name.endsWith(".sh")
        || (startsJob(words, 0) && !words.get(1).text().equals("-c"));
  }

  /** Whether a shell that is given text is a login shell. */
  static boolean isLogin(List<ShellWord> words) {
    int text = commandText(words, 0).orElse(words.size());
    return words.subList(1, text).stream()
        .map(ShellWord::text)
        .anyMatch(option -> option.equals("--login") || option.matches("-[a-z]*l[a-z]*"));
  }

  /** Whether the words that follow can be a job that starts there. */
  static boolean startsJob(List<ShellWord> words, int at) {
    String name = name(words.get(at));
    boolean more = at + 1 < words.size();
    if (SHELLS.contains(name)) {
      return more && words.get(at + 1).text().startsWith("-") && commandText(words, at).isPresent();
    }
    return more && (isPython(name) || isLauncher(name));
  }

  /** How many words stand before a job that another program is given to launch. */
  static Optional<Integer> wrapped(List<ShellWord> words) {
    if (NO_WRAPPERS.contains(name(words.get(0)))) {
      boolean runs =
          words.size() > 1 && words.get(1).text().equals("run") && name(words.get(0)).endsWith("a");
      if (!runs) {
        return Optional.empty();
      }
    }
    for (int at = 1; at < words.size(); at++) {
      if (startsJob(words, at)) {
        return Optional.of(at);
      }
    }
    return Optional.empty();
  }

  /** The index of the text that a shell is given by {@code -c}. */
  static Optional<Integer> commandText(List<ShellWord> words, int shell) {
    for (int at = shell + 1; at < words.size(); at++) {
      String word = words.get(at).text();
      if (!word.startsWith("-") && !word.startsWith("+")) {
        return Optional.empty();
      }
      if (!word.startsWith("--") && word.contains("c")) {
        return at + 1 < words.size() ? Optional.of(at + 1) : Optional.empty();
      }
      if (word.endsWith("o")) {
        at++;
      }
    }
    return Optional.empty();
  }

  /** Whether something of it ends processes or removes files. */
  static boolean isDestructive(List<ShellCommand> commands) {
    for (ShellCommand command : commands) {
      if (command instanceof ShellCommand.Simple simple
          && simple.words().stream().anyMatch(word -> DESTRUCTIVE.contains(name(word)))) {
        return true;
      }
      if (command instanceof ShellCommand.Group group
          && group.body().stream().anyMatch(part -> isDestructive(part.commands()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a job can be found in it. */
  static boolean mayLaunch(ShellCommand command) {
    if (command instanceof ShellCommand.Group group) {
      for (ShellPipeline part : group.body()) {
        if (part.commands().stream().anyMatch(Programs::mayLaunch)) {
          return true;
        }
      }
      return false;
    }
    List<ShellWord> words = ((ShellCommand.Simple) command).words();
    int first = 0;
    while (first < words.size() && words.get(first).assignment().isPresent()) {
      first++;
    }
    if (first == words.size() || NO_WRAPPERS.contains(name(words.get(first)))) {
      return false;
    }
    return words.stream()
        .map(Programs::name)
        .anyMatch(
            name ->
                name.equals("ssh")
                    || SHELLS.contains(name)
                    || isPython(name)
                    || isLauncher(name)
                    || name.endsWith(".py")
                    || name.endsWith(".sh"));
  }
}
