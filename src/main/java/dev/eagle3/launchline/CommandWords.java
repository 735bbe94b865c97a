package dev.eagle3.launchline;

import dev.eagle3.shell.ShellWord;
import java.util.List;

/**
 * The words of a command, those taken off that only start it: assignments, {@code env}, {@code
 * nohup}.
 *
 * @param assignments variables that its program is given
 * @param program its name and arguments; empty when the words set variables only
 */
record CommandWords(List<ShellWord.Assignment> assignments, List<ShellWord> program) {
  /** Copies the lists. */
  CommandWords {
    assignments = List.copyOf(assignments);
    program = List.copyOf(program);
  }

  static CommandWords of(List<ShellWord> words) {
    List<ShellWord> program = peel(words);
    return new CommandWords(
        words.subList(0, words.size() - program.size()).stream()
            .flatMap(word -> word.assignment().stream())
            .toList(),
        program);
  }

  private static List<ShellWord> peel(List<ShellWord> words) {
    int at = 0;
    boolean env = false;
    while (at < words.size()) {
      ShellWord word = words.get(at);
      String name = Programs.name(word);
      if (word.assignment().isPresent() && !word.text().startsWith("-")) {
        at++;
      } else if (Programs.DETACHING.contains(name) || name.equals("env")) {
        env = name.equals("env");
        at++;
        while (at < words.size() && words.get(at).text().startsWith("-")) {
          at += env && words.get(at).text().matches("-u|--unset|-C|--chdir") ? 2 : 1;
        }
      } else {
        break;
      }
    }
    return words.subList(Math.min(at, words.size()), words.size());
  }
}
