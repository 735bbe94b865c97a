package dev.eagle3.launchline;

import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The words of a job, taken apart.
 *
 * @param wrap words before the interpreter
 * @param python the interpreter: a path, or a name that only the host can find
 * @param script the script; empty when the words name none
 * @param arguments what follows the script
 * @param environment variables that stand for options of the interpreter
 * @param lost options of the interpreter that nothing stands for
 */
record Program(
    List<ShellWord> wrap,
    String python,
    Optional<ShellWord> script,
    List<ShellWord> arguments,
    Map<String, String> environment,
    List<String> lost) {

  private static final Map<String, String> VARIABLES =
      Map.of(
          "B", "PYTHONDONTWRITEBYTECODE",
          "O", "PYTHONOPTIMIZE",
          "s", "PYTHONNOUSERSITE",
          "v", "PYTHONVERBOSE",
          "X faulthandler", "PYTHONFAULTHANDLER",
          "X dev", "PYTHONDEVMODE");

  private static final List<String> LAUNCHING_MODULES =
      List.of("torch.distributed.run", "torch.distributed.launch", "accelerate.commands.launch");

  /** Takes the words of a job apart. */
  static Program of(List<ShellWord> words) {
    String name = Programs.name(words.get(0));
    String path = words.get(0).text();
    List<ShellWord> rest = words.subList(1, words.size());
    if (Programs.isLauncher(name)) {
      String folder = path.substring(0, path.length() - name.length());
      return launched(words.subList(0, 1), rest, folder + "python", name);
    }
    if (Programs.isPython(name)) {
      return interpreted(words.get(0), rest);
    }
    if (name.endsWith(".py")) {
      return plain("python3", words.get(0), rest);
    }
    if (name.endsWith(".sh")) {
      return plain("/bin/bash", words.get(0), rest);
    }
    // A shell script: its shell is the interpreter.
    return plain(
        path.contains("/") ? path : "/bin/" + name, rest.get(0), rest.subList(1, rest.size()));
  }

  private static Program plain(String python, ShellWord script, List<ShellWord> arguments) {
    return new Program(List.of(), python, Optional.of(script), arguments, Map.of(), List.of());
  }

  private static Program interpreted(ShellWord python, List<ShellWord> words) {
    Map<String, String> environment = new LinkedHashMap<>();
    List<String> lost = new ArrayList<>();
    int at = 0;
    while (at < words.size() && words.get(at).text().matches("-[A-Za-z].*")) {
      String option = words.get(at++).text().substring(1);
      if (option.startsWith("m")) {
        boolean apart = option.length() == 1 && at < words.size();
        String module = apart ? words.get(at++).text() : option.substring(1);
        List<ShellWord> rest = words.subList(at, words.size());
        return LAUNCHING_MODULES.contains(module)
            ? launched(List.of(python, word("-m"), word(module)), rest, python.text(), module)
            : new Program(
                List.of(),
                python.text(),
                Optional.empty(),
                rest,
                environment,
                List.of("-m " + module));
      }
      if (option.equals("W") || option.equals("X")) {
        option += at < words.size() ? " " + words.get(at++).text() : "";
      } else if (option.startsWith("W") || option.startsWith("X")) {
        option = option.charAt(0) + " " + option.substring(1);
      }
      stand(option, environment, lost);
    }
    return new Program(
        List.of(),
        python.text(),
        at < words.size() ? Optional.of(words.get(at)) : Optional.empty(),
        words.subList(Math.min(at + 1, words.size()), words.size()),
        environment,
        lost);
  }

  /** Unbuffered output and UTF-8 a run has anyway. */
  private static void stand(String option, Map<String, String> environment, List<String> lost) {
    if (option.startsWith("W ")) {
      environment.put("PYTHONWARNINGS", option.substring(2));
    } else if (option.startsWith("X ")) {
      if (VARIABLES.containsKey(option)) {
        environment.put(VARIABLES.get(option), "1");
      } else if (!option.equals("X utf8")) {
        lost.add("-" + option);
      }
    } else {
      for (String letter : option.split("", -1)) {
        if (VARIABLES.containsKey(letter)) {
          environment.put(VARIABLES.get(letter), "1");
        } else if (!letter.isEmpty() && !letter.equals("u")) {
          lost.add("-" + letter);
        }
      }
    }
  }

  /**
   * A launcher that starts several processes of the script. With {@code --no-python} it takes the
   * interpreter from its words, so that interpreter and script stand at the end as for any job.
   */
  private static Program launched(
      List<ShellWord> launcher, List<ShellWord> words, String python, String name) {
    int at = 0;
    while (at < words.size() && !words.get(at).text().endsWith(".py")) {
      at++;
    }
    List<ShellWord> wrap = new ArrayList<>(launcher);
    wrap.addAll(words.subList(0, at));
    boolean given = wrap.stream().anyMatch(word -> word.text().matches("--no[-_]python"));
    if (!given) {
      wrap.add(word(name.startsWith("torch") ? "--no-python" : "--no_python"));
    }
    return new Program(
        wrap,
        python,
        at < words.size() ? Optional.of(words.get(at)) : Optional.empty(),
        words.subList(Math.min(at + 1, words.size()), words.size()),
        Map.of(),
        List.of());
  }

  static ShellWord word(String text) {
    return new ShellWord(text, List.of(new ShellWord.Piece(text, true, false)));
  }
}
