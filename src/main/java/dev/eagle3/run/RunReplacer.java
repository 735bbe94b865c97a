package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Ends the run that stands in the way of a new one ({@code --replace}): a run of the same state
 * folder that was launched for the same output folder, holds its lock, and is not over. Nobody
 * else's run is ever taken for it.
 */
public final class RunReplacer {
  private static final int MOST_RUNS = 1000;

  private final HostScripts scripts;
  private final RunStatus status;

  private RunReplacer(HostScripts scripts, RunStatus status) {
    this.scripts = scripts;
    this.status = status;
  }

  /**
   * Looks for that run; touches nothing.
   *
   * @throws Failure {@code REFUSED} when it runs on another node; as {@link HostScripts#run}
   */
  public static Optional<RunReplacer> look(HostScripts scripts, ExtractionPlan plan) {
    for (RunStatus status : RunLister.list(scripts, plan.stateDir(), MOST_RUNS).runs()) {
      if (!status.state().isOver()
          && status.details().holdsOutput()
          && writesTo(scripts, status, plan.outputDir())) {
        if (status.state() instanceof RunState.Elsewhere elsewhere) {
          throw RunStopper.elsewhere(scripts, status.folder(), elsewhere.node());
        }
        return Optional.of(new RunReplacer(scripts, status));
      }
    }
    return Optional.empty();
  }

  /** The run. */
  public RunId run() {
    return status.folder().run();
  }

  /** What {@link #end} does, a clause of a question. */
  public String says() {
    return "end run " + run() + " of this output folder (" + status.state().says() + ")";
  }

  /**
   * Ends it; blocks until it is over.
   *
   * @throws Failure {@code REFUSED} when some of its processes did not end, and as {@link
   *     RunStopper#stop}
   */
  public Stopped end(Duration killAfter) {
    Stopped stopped = RunStopper.stop(scripts, status.folder(), killAfter);
    if (!stopped.isOver()) {
      throw Failure.of(Exit.REFUSED, scripts.host().name(), "run " + run() + ": " + stopped.says())
          .orTry(scripts.comeBack("status " + run()));
    }
    return stopped;
  }

  /** Whether a run was launched for this output folder; not when its plan tells nothing. */
  private static boolean writesTo(HostScripts scripts, RunStatus status, String outputDir) {
    try {
      ExtractionPlan plan = PlanReader.read(scripts.host().files(), status.folder());
      return withoutSlash(plan.outputDir()).equals(withoutSlash(outputDir));
    } catch (Failure unreadable) {
      return false;
    } catch (IOException lost) {
      throw Failure.of(
              Exit.LOST,
              scripts.host().name(),
              "the connection was lost while runs were looked at: " + lost.getMessage())
          .causedBy(lost);
    }
  }

  private static String withoutSlash(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
