package dev.eagle3.launchline;

import dev.eagle3.shell.ShellWord;
import java.util.List;
import java.util.Optional;

/** Programs that keep a shell alive without a terminal: {@code tmux}, {@code screen}. */
final class Terminals {
  private Terminals() {}

  /** The shell text that they are given, if these words start one of them. */
  static Optional<String> text(List<ShellWord> words) {
    return switch (Programs.name(words.get(0))) {
      case "tmux" -> after(words, "cnesStxyF", 2).filter(text -> !text.isEmpty());
      case "screen" -> after(words, "SLcehpstT", 1).filter(text -> !text.isEmpty());
      default -> Optional.empty();
    };
  }

  /** The words behind the options, of which the named ones have a value of their own. */
  private static Optional<String> after(List<ShellWord> words, String withValue, int from) {
    int at = from;
    while (at < words.size() && words.get(at).text().startsWith("-")) {
      String option = words.get(at).text();
      boolean value =
          !option.startsWith("--")
              && withValue.indexOf(option.charAt(option.length() - 1)) >= 0
              && !option.equals("-dmL");
      at += value ? 2 : 1;
    }
    if (at >= words.size()) {
      return Optional.empty();
    }
    List<ShellWord> rest = words.subList(at, words.size());
    return Optional.of(
        rest.size() == 1
            ? rest.get(0).text()
            : String.join(" ", rest.stream().map(ShellWord::source).toList()));
  }
}
