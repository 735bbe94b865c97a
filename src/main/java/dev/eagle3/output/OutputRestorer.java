package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Puts previous output back: for {@code undo}, and when a launch fails. What was set aside for a
 * run is found by its name alone, so the run's plan is all that this needs.
 */
public final class OutputRestorer {
  private static final String SCRIPT = "undo";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private OutputRestorer() {}

  /**
   * Puts back what {@link OutputSetter} set aside for the plan's run. Files that the run wrote are
   * kept under another name. Called again after an interruption it does the rest.
   *
   * @param lives whether the run still lives, as its state says; then nothing is done
   * @throws Failure {@code REFUSED} when the run lives, when nothing is set aside, or when names do
   *     not fit; others as {@link HostScripts#run}
   */
  public static Restored restore(HostScripts scripts, ExtractionPlan plan, boolean lives) {
    return restored(scripts, call(plan, lives), plan.run(), plan.outputDir());
  }

  /**
   * As {@link #restore}, for a run that was prepared and never launched, because eagle3 or the
   * connection ended in between: there is no plan, and the note of its lock says the folder. Also
   * gives that lock back.
   *
   * @throws Failure {@code REFUSED} also when no such run was prepared, or it was launched
   */
  public static Restored restoreUnlaunched(
      HostScripts scripts, Optional<String> stateDir, RunId run) {
    ScriptCall call = ScriptCall.of(SCRIPT, run.text(), "", "unlaunched", stateDir.orElse(""));
    return restored(scripts, call.within(LIMIT), run, "run " + run);
  }

  /** {@link #restore} as a call of its script. */
  public static ScriptCall call(ExtractionPlan plan, boolean lives) {
    return ScriptCall.of(
            SCRIPT,
            plan.run().text(),
            plan.outputDir(),
            lives ? "live" : "over",
            plan.stateDir().orElse(""))
        .within(LIMIT);
  }

  private static Restored restored(
      HostScripts scripts, ScriptCall call, RunId run, String subject) {
    ScriptAnswer answer = scripts.run(call);
    List<List<String>> refused = answer.rows("refused");
    if (!refused.isEmpty()) {
      throw Failure.of(
          Exit.REFUSED,
          Printable.line(subject, 300),
          "previous output is not put back: "
              + Printable.line(PathField.path(refused.get(0).get(0)), 400));
    }
    Optional<String> undone =
        answer.rows("undone").stream().map(row -> PathField.path(row.get(0))).findFirst();
    return answer.rows("restored").stream()
        .filter(row -> row.size() >= 2)
        .map(
            row ->
                new Restored(run, PathField.path(row.get(0)), PathField.path(row.get(1)), undone))
        .findFirst()
        .orElseThrow(() -> OutputSetter.trouble(subject, answer, "could not be put back"));
  }
}
