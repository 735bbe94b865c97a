package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Puts previous output back: for {@code undo}, and when a launch fails. What was set aside for a
 * run, and where, is what the host noted when it was.
 */
public final class OutputRestorer {
  private static final String SCRIPT = "undo";
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int MOST_LOCKS = 3;
  private static final SecureRandom RANDOM = new SecureRandom();

  private OutputRestorer() {}

  /** {@link #restore(HostScripts, ExtractionPlan, boolean, LockJudge, Optional)}, strictly. */
  public static Restored restore(HostScripts scripts, ExtractionPlan plan, boolean lives) {
    return restore(scripts, plan, lives, LockJudge.STRICT, Optional.empty());
  }

  /**
   * Puts back what {@link OutputSetter} set aside for the plan's run, or what {@link OutputKeeper}
   * took out for it. Files that the run wrote are kept under another name. Called again after an
   * interruption it does the rest.
   *
   * @param lives whether the run still lives, as its state says; then nothing is done
   * @param locks judges the lock of another run on the folder
   * @param later a run that wrote into the folder afterwards, when what it wrote may be moved too
   * @throws Failure {@code REFUSED} when the run lives, when nothing is set aside, when it was
   *     undone before, when a later run wrote there, or when names do not fit; others as {@link
   *     HostScripts#run}
   */
  public static Restored restore(
      HostScripts scripts,
      ExtractionPlan plan,
      boolean lives,
      LockJudge locks,
      Optional<RunId> later) {
    Asked asked =
        new Asked(plan.run(), plan.outputDir(), lives ? "live" : "over", plan.stateDir(), later);
    return restored(scripts, asked, locks, plan.outputDir());
  }

  /**
   * As {@link #restore}, for a run that was prepared and never launched, because eagle3 or the
   * connection ended in between: there is no plan, and what the host noted says the folder. Also
   * gives that run's lock back, which may be all that there is to do.
   *
   * @throws Failure {@code REFUSED} also when no such run was prepared, or it was launched
   */
  public static Restored restoreUnlaunched(
      HostScripts scripts, Optional<String> stateDir, RunId run, LockJudge locks) {
    Asked asked = new Asked(run, "", "unlaunched", stateDir, Optional.empty());
    return restored(scripts, asked, locks, "run " + run);
  }

  /** {@link #restore} as a call of its script. */
  public static ScriptCall call(ExtractionPlan plan, boolean lives) {
    return new Asked(
            plan.run(),
            plan.outputDir(),
            lives ? "live" : "over",
            plan.stateDir(),
            Optional.empty())
        .call("", "");
  }

  /** The arguments of the script but for the lock that it may take. */
  private record Asked(
      RunId run, String folder, String lives, Optional<String> stateDir, Optional<RunId> later) {
    /**
     * The step.
     *
     * @param word under which the answer is noted, so that it can be asked again; empty for none
     */
    ScriptCall call(String over, String word) {
      ScriptCall call =
          ScriptCall.of(
              SCRIPT,
              run.text(),
              folder,
              lives,
              stateDir.orElse(""),
              over,
              later.map(RunId::text).orElse(""),
              word);
      return call.after(OutputNotesReader.NOTES).within(LIMIT).again();
    }
  }

  private static Restored restored(
      HostScripts scripts, Asked asked, LockJudge locks, String subject) {
    String over = "";
    String word = HexFormat.of().toHexDigits(RANDOM.nextLong());
    for (int attempt = 0; attempt < MOST_LOCKS; attempt++) {
      ScriptAnswer answer = scripts.run(asked.call(over, word));
      List<List<String>> held = answer.rows("held");
      if (held.isEmpty()) {
        return read(answer, asked.run(), subject);
      }
      over = overOrRefused(held.get(0), locks, subject);
    }
    throw refusal(subject, "its lock changes hands all the time");
  }

  private static String overOrRefused(List<String> held, LockJudge locks, String subject) {
    String run = held.get(0);
    if (held.size() < 4
        || !locks.isLeft(run, PathField.path(held.get(1)), Amount.number(held.get(2)).orElse(0))) {
      String lock =
          held.size() < 4 ? "" : ": the lock " + PathField.path(held.get(3)) + " names it";
      throw refusal(subject, "run " + run + " uses it" + lock);
    }
    return run;
  }

  private static Restored read(ScriptAnswer answer, RunId run, String subject) {
    List<List<String>> refused = answer.rows("refused");
    if (!refused.isEmpty()) {
      throw refusal(subject, PathField.path(refused.get(0).get(0)));
    }
    Optional<String> undone =
        answer.rows("undone").stream().map(row -> PathField.path(row.get(0))).findFirst();
    for (List<String> row : answer.rows("unlocked")) {
      if (!row.isEmpty()) {
        return new Restored(
            run, PathField.path(row.get(0)), "", Optional.empty(), OptionalLong.empty(), 0);
      }
    }
    for (List<String> row : answer.rows("back")) {
      if (row.size() >= 4) {
        return new Restored(
            run,
            PathField.path(row.get(0)),
            PathField.path(row.get(1)),
            Optional.empty(),
            Amount.number(row.get(2)),
            Amount.number(row.get(3)).orElse(0));
      }
    }
    for (List<String> row : answer.rows("restored")) {
      if (row.size() >= 2) {
        return new Restored(
            run,
            PathField.path(row.get(0)),
            PathField.path(row.get(1)),
            undone,
            OptionalLong.empty(),
            0);
      }
    }
    throw OutputSetter.trouble(subject, answer, "could not be put back");
  }

  private static Failure refusal(String subject, String why) {
    return Failure.of(
        Exit.REFUSED,
        Printable.line(subject, 300),
        "previous output is not put back: " + Printable.line(why, 600));
  }
}
