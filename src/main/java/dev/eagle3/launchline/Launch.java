package dev.eagle3.launchline;

import dev.eagle3.shell.Redirection;
import dev.eagle3.shell.ShellWord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command of a line that starts an interpreter, with all that the line did before.
 *
 * @param source as it was typed
 * @param words the interpreter and what follows it
 * @param wrap the words right before the interpreter
 * @param scene where it runs
 * @param redirections its own first, then those of what is around it
 * @param environment variables that it is given
 * @param setup lines of the host before it
 * @param inside lines before it in the innermost shell, where that is not the host's own
 */
record Launch(
    String source,
    List<ShellWord> words,
    List<ShellWord> wrap,
    Scene scene,
    List<Redirection> redirections,
    Map<String, Optional<String>> environment,
    List<String> setup,
    List<String> inside) {
  /** Copies the lists. */
  Launch {
    words = List.copyOf(words);
    wrap = List.copyOf(wrap);
    redirections = List.copyOf(redirections);
    setup = List.copyOf(setup);
    inside = List.copyOf(inside);
  }
}
