package dev.eagle3.cause;

import com.google.re2j.Matcher;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.extractor.LogRuleSets;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.extractor.Sentence;
import dev.eagle3.log.FailureLine;
import dev.eagle3.log.LogReader;
import dev.eagle3.log.Loss;
import dev.eagle3.log.PythonError;
import dev.eagle3.outcome.Cause;
import dev.eagle3.run.KernelNotes;
import dev.eagle3.run.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Names why a run failed, from how it ended, its log, and what the kernel of its host noted. */
final class RunCauseFinder {
  /** Causes that are told without a line of the log that a rule names. */
  static final List<String> CODES =
      List.of("run.uncaught", "run.killed", "run.stopped", "run.crashed", "run.program-missing");

  private static final int MOST_CHARACTERS = 400;
  private static final int COMMAND_NOT_FOUND = 127;
  private static final int NOT_EXECUTABLE = 126;

  /** What the kernel's own lines mean: the rules of that kind, whatever the extractor is. */
  private static final List<LogFailure> OF_KERNEL = kernelRules();

  private final String subject;
  private final RunState state;
  private final LogReader log;
  private final Supplier<KernelNotes> kernel;

  /**
   * For one run.
   *
   * @param subject what it is called: {@code run 20261129-120000-1a2b}
   * @param kernel asked at most once, and only where the log does not say what happened
   */
  RunCauseFinder(String subject, RunState state, LogReader log, Supplier<KernelNotes> kernel) {
    this.subject = subject;
    this.state = state;
    this.log = log;
    this.kernel = kernel;
  }

  private static List<LogFailure> kernelRules() {
    LogRules rules = LogRuleSets.all();
    return rules.failures().stream().filter(rule -> rule.kind() == LogFailure.Kind.KERNEL).toList();
  }

  /** The cause, if anything tells it. */
  Optional<Cause> find() {
    Optional<FailureLine> line = log.firstFailure();
    boolean stopped = state instanceof RunState.Killed killed && isAsked(killed.signal());
    boolean survived = line.isPresent() && log.isFirstFailureSurvived();
    if (line.isPresent() && isCause(line.get()) && !survived) {
      return line.map(this::named);
    }
    if (line.isEmpty() && !stopped && log.uncaught().isPresent()) {
      return log.uncaught().map(this::uncaught);
    }
    if (stopped) {
      return Optional.of(stopped((RunState.Killed) state));
    }
    boolean silent = line.isPresent() || state.code() < 0 || state instanceof RunState.Killed;
    KernelNotes notes = silent ? kernel.get() : KernelNotes.NONE;
    return ofKernel(notes)
        .or(() -> line.map(found -> survived ? guessed(found) : gone(found, notes)))
        .or(() -> ofState(notes));
  }

  private static boolean isCause(FailureLine line) {
    LogFailure.Kind kind = line.rule().kind();
    return kind != LogFailure.Kind.REPORT && kind != LogFailure.Kind.GONE;
  }

  /** Whether somebody told it to end, rather than the kernel did. */
  private static boolean isAsked(String signal) {
    return List.of("TERM", "INT", "HUP", "QUIT").contains(signal);
  }

  /** The first line of the kernel that explains an end; what crashed is told by how it ended. */
  private Optional<Cause> ofKernel(KernelNotes notes) {
    for (String text : notes.lines()) {
      for (LogFailure rule : OF_KERNEL) {
        Matcher matcher = rule.pattern().matcher(text);
        if (matcher.find()) {
          List<String> evidence = new ArrayList<>(List.of("the kernel's log: " + cut(text)));
          log.firstFailure().ifPresent(line -> evidence.add(cut(line.line())));
          return Optional.of(
              cause(
                  rule.code(),
                  Sentence.fill(rule.says(), matcher),
                  evidence,
                  "",
                  Sentence.fill(rule.tryNext(), matcher)));
        }
      }
    }
    return Optional.empty();
  }

  private Cause named(FailureLine line) {
    return named(line, List.of());
  }

  private Cause named(FailureLine line, List<String> more) {
    List<String> evidence = new ArrayList<>(List.of(cut(line.line())));
    evidence.addAll(followers());
    evidence.addAll(more);
    return cause(line.code(), line.says(), evidence, "", line.tryNext());
  }

  /** What is gone says nothing itself; what the kernel does not say is worth a word, too. */
  private Cause gone(FailureLine line, KernelNotes notes) {
    if (notes.equals(KernelNotes.NONE) || line.rule().kind() != LogFailure.Kind.GONE) {
      return named(line);
    }
    Cause cause = named(line, SilentEnd.evidence(notes));
    return line.code().equals("run.killed")
        ? cause(cause.code(), cause.says(), cause.evidence(), "", SilentEnd.nextStep(notes))
        : cause;
  }

  private List<String> followers() {
    int more = log.followers();
    return more == 0
        ? List.of()
        : List.of(
            more
                + (more == 1 ? " other process" : " other processes")
                + " ended with errors of their own after it, which come of this one");
  }

  private Cause uncaught(PythonError error) {
    List<String> evidence = new ArrayList<>();
    error
        .own()
        .or(error::last)
        .ifPresent(
            frame ->
                evidence.add(
                    frame.place()
                        + (frame.function().isEmpty() ? "" : ", in " + frame.function())
                        + (error.own().isPresent() ? "" : " (code of an installed package)")));
    evidence.addAll(followers());
    return cause(
        "run.uncaught",
        (error.worker().isEmpty() ? "the script" : "the worker " + error.worker())
            + " ended with an exception: "
            + error.exception(),
        evidence,
        error.own().or(error::last).map(PythonError.Frame::place).orElse(""),
        "look at that line; eagle3 tail-log shows what led to it");
  }

  private Optional<Cause> ofState(KernelNotes notes) {
    if (state instanceof RunState.Killed killed) {
      return Optional.of(killed.signal().equals("KILL") ? killed(notes) : crashed(killed, notes));
    }
    if (state.code() == COMMAND_NOT_FOUND || state.code() == NOT_EXECUTABLE) {
      String what = state.code() == COMMAND_NOT_FOUND ? "was not found" : "may not be executed";
      return Optional.of(
          cause(
              "run.program-missing",
              "the program of the job " + what + " on the host (exit code " + state.code() + ")",
              log.lastLines(),
              "",
              "--python, and the words of wrap in the profile"));
    }
    return state.code() > 0 ? log.lastSurvived().map(this::guessed) : Optional.empty();
  }

  /** The program went on after it, or called it no error; but nothing else says why it failed. */
  private Cause guessed(FailureLine line) {
    return cause(
        line.code(),
        "nothing in the log says why it ended; probably " + line.says(),
        List.of(cut(line.line())),
        "",
        line.tryNext());
  }

  private Cause killed(KernelNotes notes) {
    return cause(
        "run.killed",
        "the job was killed by signal KILL, which leaves it no word to say",
        SilentEnd.evidence(notes),
        "",
        SilentEnd.nextStep(notes));
  }

  private Cause crashed(RunState.Killed killed, KernelNotes notes) {
    return cause(
        "run.crashed",
        "the job crashed by signal " + killed.signal(),
        notes.lines().stream().map(line -> "the kernel's log: " + cut(line)).toList(),
        "",
        "--env PYTHONFAULTHANDLER=1, which says where");
  }

  private Cause stopped(RunState.Killed killed) {
    return cause(
        "run.stopped",
        "somebody told the job to end (signal " + killed.signal() + ")",
        List.of(),
        "",
        "nothing, if it was you (eagle3 stop); schedulers and hosts that shut down do so too");
  }

  /** Why samples are missing though the run ended well. */
  Cause lost(Loss loss) {
    List<String> evidence = new ArrayList<>(List.of(cut(loss.line().line())));
    if (loss.lines() > 1) {
      evidence.add(loss.lines() - 1 + " more such lines");
    }
    return cause(loss.line().code(), loss.line().says(), evidence, "", loss.line().tryNext());
  }

  private Cause cause(String code, String says, List<String> evidence, String where, String fix) {
    return new Cause(code, says, evidence, where, fix, List.of(subject));
  }

  private static String cut(String raw) {
    String line = raw.strip();
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "…" : line;
  }
}
