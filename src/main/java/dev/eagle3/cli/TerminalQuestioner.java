package dev.eagle3.cli;

import dev.eagle3.extract.Questioner;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks on the terminal; {@code --yes} answers, and without a terminal nobody can. */
final class TerminalQuestioner implements Questioner {
  private final Surroundings surroundings;
  private final boolean yes;
  private final Runnable beforeAsking;

  /**
   * A questioner.
   *
   * @param yes {@code --yes}: agree to everything
   * @param beforeAsking makes the terminal ready, so that what is asked about stands above
   */
  TerminalQuestioner(Surroundings surroundings, boolean yes, Runnable beforeAsking) {
    this.surroundings = surroundings;
    this.yes = yes;
    this.beforeAsking = beforeAsking;
  }

  @Override
  public boolean agrees(String question) {
    if (yes) {
      return true;
    }
    if (!surroundings.terminal().input() || !surroundings.terminal().error()) {
      throw Failure.of(Exit.REFUSED, "no terminal", "so nobody can be asked: " + question)
          .orTry("the same command with --yes, when you are sure");
    }
    beforeAsking.run();
    PrintStream err = surroundings.err();
    err.print("eagle3: " + Printable.line(question) + " [y/N] ");
    err.flush();
    try {
      String answer =
          new BufferedReader(new InputStreamReader(surroundings.in(), StandardCharsets.UTF_8))
              .readLine();
      return answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes");
    } catch (IOException unreadable) {
      throw Failure.of(Exit.REFUSED, "terminal", "the answer cannot be read").causedBy(unreadable);
    }
  }
}
