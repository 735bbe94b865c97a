package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PlanJson;
import java.util.List;

/** Launches a run, detached: it goes on whatever becomes of the connection. */
public final class Launcher {
  private Launcher() {}

  /**
   * The launch as a step; asked again, it says what became of it. Its text holds secrets in clear:
   * see {@link #shownCall}.
   */
  public static ScriptCall call(ExtractionPlan plan) {
    return call(plan, JobScriptWriter.write(plan));
  }

  /** The very same step with secrets redacted, for {@code --dry-run}. */
  public static ScriptCall shownCall(ExtractionPlan plan) {
    return call(plan, JobScriptWriter.write(redacted(plan)));
  }

  /**
   * Launches; returns once the job's wrapper runs. The output folder must be locked for the run
   * ({@link OutputLocker}); the job gives the lock back when it ends.
   *
   * @throws Failure {@code REFUSED} when nothing was launched, {@code RUN_FAILED} when the wrapper
   *     did not come up; in both cases the lock is still to be given back. As {@link
   *     HostScripts#run}; after {@code LOST} the state of the run says whether it was launched
   */
  public static Launched launch(HostScripts scripts, ExtractionPlan plan) {
    ScriptCall call = call(plan);
    ScriptAnswer answer = scripts.run(call);
    String folder = Steps.first(answer, "folder");
    String pid = Steps.first(answer, "launched");
    if (answer.code() != 0) {
      Failure failure = Steps.failure(scripts, call, answer);
      // A launch that does not say so was not refused: its wrapper may have come up.
      throw answer.rows("refused").isEmpty() && failure.exit() == Exit.REFUSED
          ? Failure.of(Exit.RUN_FAILED, failure.subject(), failure.problem())
          : failure;
    }
    if (!pid.matches("[0-9]{1,18}") || !folder.endsWith("/runs/" + plan.run())) {
      throw Failure.of(
          Exit.RUN_FAILED, scripts.host().name(), "step launch gave no answer that makes sense");
    }
    List<String> notes =
        answer.rows("note").stream().map(fields -> String.join(" ", fields)).toList();
    return new Launched(new RunFolder(folder), Long.parseLong(pid), notes);
  }

  private static ScriptCall call(ExtractionPlan plan, String job) {
    return ScriptCall.of(
            "launch",
            plan.stateDir().orElse(""),
            plan.run().text(),
            plan.logFile(),
            PlanJson.write(plan),
            job,
            HostScripts.program("guard.py"),
            HostScripts.text(RunStopper.END)
                + HostScripts.text(RunStopper.PROCESSES)
                + HostScripts.text(RunStopper.SCRIPT))
        .again();
  }

  private static ExtractionPlan redacted(ExtractionPlan plan) {
    return new ExtractionPlan(
        plan.run(),
        plan.host(),
        plan.extractor(),
        plan.python(),
        plan.script(),
        Secrets.arguments(plan.scriptArguments()),
        Secrets.environment(plan.environment()),
        plan.environmentByName(),
        plan.setup().stream().map(Secrets::shellText).toList(),
        Secrets.arguments(plan.wrap()),
        plan.cudaHome(),
        plan.modelPath(),
        plan.preparedData(),
        plan.outputDir(),
        plan.logFile(),
        plan.layers(),
        plan.tpSize(),
        plan.batchSize(),
        plan.maxSeqLen(),
        plan.gpus(),
        plan.clearGpus(),
        plan.previousOutput(),
        plan.stateDir(),
        plan.schema(),
        plan.onBad());
  }
}
