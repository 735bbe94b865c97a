package dev.eagle3.outcome;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure that the user can act on: what it is about, what is wrong, why, and what to try.
 *
 * <p>Printed as {@code eagle3: <subject>: <problem>[: <cause>]} and a last line {@code try:
 * <command>}, without a stack trace. Anything else that is thrown is a bug in eagle3 (exit 1).
 */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;
  private final String subject;
  private final String problem;
  private final @Nullable String tryNext;

  private Failure(
      Exit exit,
      String subject,
      String problem,
      @Nullable String tryNext,
      @Nullable Throwable cause) {
    super(subject + ": " + problem, cause);
    this.exit = exit;
    this.subject = subject;
    this.problem = problem;
    this.tryNext = tryNext;
  }

  /** A failure about {@code subject} (a host, path, flag or run), in lower case, no full stop. */
  public static Failure of(Exit exit, String subject, String problem) {
    return new Failure(exit, subject, problem, null, null);
  }

  /** The same failure with what to try next: a command, or a short sentence. */
  public Failure orTry(String next) {
    return new Failure(exit, subject, problem, next, getCause());
  }

  /** The same failure with the exception behind it, which only {@code -v} shows. */
  public Failure causedBy(Throwable cause) {
    return new Failure(exit, subject, problem, tryNext, cause);
  }

  /** The exit code that this failure alone leads to. */
  public Exit exit() {
    return exit;
  }

  /** What it is about. */
  public String subject() {
    return subject;
  }

  /** What is wrong, with its cause. */
  public String problem() {
    return problem;
  }

  /** What to try next. */
  public Optional<String> tryNext() {
    return Optional.ofNullable(tryNext);
  }
}
