package dev.eagle3.cli;

import dev.eagle3.host.ssh.Prompter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Asks for passphrases, passwords and codes on the terminal. */
final class TerminalPrompter implements Prompter {
  private final Surroundings surroundings;
  private final Runnable beforeAsking;

  private TerminalPrompter(Surroundings surroundings, Runnable beforeAsking) {
    this.surroundings = surroundings;
    this.beforeAsking = beforeAsking;
  }

  /**
   * Who asks: nobody, unless questions can be seen and answered.
   *
   * @param beforeAsking makes the terminal ready, so that progress does not overwrite the question
   */
  static Prompter of(Surroundings surroundings, Runnable beforeAsking) {
    Surroundings.Terminal terminal = surroundings.terminal();
    return terminal.input() && terminal.error()
        ? new TerminalPrompter(surroundings, beforeAsking)
        : Prompter.NOBODY;
  }

  @Override
  public synchronized Optional<char[]> secret(String question) {
    beforeAsking.run();
    try {
      Optional<char[]> line = surroundings.keyboard().hiddenLine(() -> print(question));
      // The end of the line that was typed did not show either.
      print("\n");
      return line;
    } catch (IOException unhidden) {
      print("eagle3: terminal: cannot hide what is typed (stty), so nothing is asked\n");
      return Optional.empty();
    }
  }

  @Override
  public synchronized Optional<String> line(String question) {
    beforeAsking.run();
    print(question);
    try {
      return Optional.ofNullable(
          new BufferedReader(new InputStreamReader(surroundings.in(), StandardCharsets.UTF_8))
              .readLine());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private void print(String text) {
    PrintStream err = surroundings.err();
    err.print(text);
    err.flush();
  }
}
