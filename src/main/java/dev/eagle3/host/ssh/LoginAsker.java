package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Printable;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Asks the user during one login, and keeps how long that took: a limit for the server's answers
 * must not run while a person types.
 */
final class LoginAsker {
  private static final int MOST_LINES = 30;
  private static final int MOST_CHARACTERS = 400;

  private final Prompter prompter;
  private final boolean batch;
  private final Object clock = new Object();
  private long spentNanos;
  private long sinceNanos;
  private int under;
  private volatile boolean gaveUp;

  /**
   * An asker.
   *
   * @param batch whether ssh_config forbids to ask ({@code BatchMode yes})
   */
  LoginAsker(Prompter prompter, boolean batch) {
    this.prompter = prompter;
    this.batch = batch;
  }

  boolean canAsk() {
    return !batch && prompter != Prompter.NOBODY;
  }

  /** Whether somebody can be asked who has not given up. */
  boolean isThere() {
    return canAsk() && !gaveUp;
  }

  /** Who was asked does not want to be asked again. */
  void giveUp() {
    gaveUp = true;
  }

  /** Why it cannot ask: {@code there is no terminal to ask for it}. */
  String whyNot(String what) {
    return batch
        ? "BatchMode of ssh_config forbids to ask for " + what
        : "there is no terminal to ask for " + what;
  }

  /** As {@link Prompter#secret}; {@code question} is made safe here. */
  Optional<char[]> secret(String question) {
    return canAsk() ? timed(() -> prompter.secret(safe(question))) : Optional.empty();
  }

  /** As {@link Prompter#line}; {@code question} is made safe here. */
  Optional<String> line(String question) {
    return canAsk() ? timed(() -> prompter.line(safe(question))) : Optional.empty();
  }

  /** Does work that a person causes and waits for, outside all limits. */
  <T, E extends Exception> T timed(PatientWork<T, E> work) throws E {
    synchronized (clock) {
      if (under++ == 0) {
        sinceNanos = System.nanoTime();
      }
    }
    try {
      return work.call();
    } finally {
      synchronized (clock) {
        if (--under == 0) {
          spentNanos += System.nanoTime() - sinceNanos;
        }
      }
    }
  }

  /** How long people took so far. */
  long spentNanos() {
    synchronized (clock) {
      return spentNanos + (under > 0 ? System.nanoTime() - sinceNanos : 0);
    }
  }

  /** Work with one kind of exception. */
  interface PatientWork<T, E extends Exception> {
    T call() throws E;
  }

  /** Lines stay lines, since menus of second factors are; all else that could steer goes. */
  private static String safe(String question) {
    List<String> lines = question.lines().limit(MOST_LINES).toList();
    return lines.stream()
        .map(line -> Printable.line(line, MOST_CHARACTERS))
        .collect(Collectors.joining("\n"));
  }
}
