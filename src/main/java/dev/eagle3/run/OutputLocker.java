package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import java.util.List;
import java.util.Optional;

/**
 * Locks the output folder of a run: before anything is done to the folder, until the job gives the
 * lock back at its end. The lock of a run that is over is taken over.
 */
public final class OutputLocker {
  /** How long a client may take from the lock to the launch before the lock counts as left. */
  private static final long LONGEST_PRELUDE_SECONDS = 15 * 60;

  private static final int MOST_TAKE_OVERS = 3;

  private OutputLocker() {}

  /** The step; refuses whoever holds the lock. */
  public static ScriptCall call(ExtractionPlan plan) {
    return call(plan, "");
  }

  /** The step that gives the lock back when the run is not launched after all. */
  public static ScriptCall unlockCall(ExtractionPlan plan) {
    return ScriptCall.of("unlock-output", plan.stateDir().orElse(""), plan.run().text()).again();
  }

  /**
   * Takes the lock; returns where it is on the host.
   *
   * @throws Failure {@code REFUSED} naming the run that holds it, or why there can be no lock or
   *     state folder; as {@link HostScripts#run}
   */
  public static String lock(HostScripts scripts, ExtractionPlan plan) {
    String over = "";
    for (int attempt = 0; attempt <= MOST_TAKE_OVERS; attempt++) {
      ScriptCall call = call(plan, over);
      ScriptAnswer answer = scripts.run(call);
      if (answer.code() == 0) {
        return Steps.first(answer, "locked");
      }
      List<List<String>> held = answer.rows("held");
      if (answer.code() != Steps.REFUSED || held.isEmpty() || held.get(0).size() != 4) {
        throw Steps.failure(scripts, call, answer);
      }
      over = overOrRefused(scripts, plan, held.get(0));
    }
    throw refused(scripts, plan, "changes hands all the time");
  }

  /** Gives the lock back after a launch that failed; nothing when there is none. */
  public static void unlock(HostScripts scripts, ExtractionPlan plan) {
    Steps.answered(scripts, unlockCall(plan));
  }

  /**
   * Whether a lock was left behind, by the rule of {@link #lock}: the run that it names is over, or
   * was given up before its launch. Asks the host.
   *
   * @param run what the lock names; anything but a run is not left behind
   * @param path folder of that run, as the lock says it
   * @param ageSeconds how long the lock has been there
   * @throws Failure as {@link HostScripts#run}
   */
  public static boolean isLeft(HostScripts scripts, String run, String path, long ageSeconds) {
    if (!isFolderOf(run, path)) {
      return false;
    }
    Optional<RunStatus> status = statusOf(scripts, run, path);
    return isPrepared(status)
        ? ageSeconds >= LONGEST_PRELUDE_SECONDS
        : status.map(known -> known.state().isOver()).orElse(false);
  }

  private static boolean isFolderOf(String run, String path) {
    return RunId.isRunId(run) && path.startsWith("/") && path.endsWith("/" + run);
  }

  private static Optional<RunStatus> statusOf(HostScripts scripts, String run, String path) {
    return RunStateReader.find(scripts, Optional.of(new RunFolder(path).stateDir()), run);
  }

  /** A folder of a run whose wrapper is not there yet is that of a launch at this very moment. */
  private static boolean isPrepared(Optional<RunStatus> status) {
    return status.isEmpty()
        || status.get().state().equals(RunJudge.NEVER_STARTED)
        || status.get().state() instanceof RunState.Launching;
  }

  private static ScriptCall call(ExtractionPlan plan, String over) {
    return ScriptCall.of(
            "lock-output", plan.stateDir().orElse(""), plan.run().text(), plan.outputDir(), over)
        .again();
  }

  /** The holder, if its lock may be taken. */
  private static String overOrRefused(HostScripts scripts, ExtractionPlan plan, List<String> held) {
    String holder = held.get(0);
    String path = held.get(1);
    String lock = held.get(3);
    if (!isFolderOf(holder, path)) {
      throw refused(scripts, plan, "is locked by " + lock + ", which names no run")
          .orTry("rm -r " + lock + " on the host, if no run writes there");
    }
    Optional<RunStatus> status = statusOf(scripts, holder, path);
    if (isPrepared(status) && ageSeconds(held.get(2)) < LONGEST_PRELUDE_SECONDS) {
      throw refused(scripts, plan, "is being prepared for run " + holder + " by another eagle3")
          .orTry(scripts.comeBack("undo " + holder) + "   # if that one ended in the middle");
    }
    if (status.isEmpty() || status.get().state().isOver()) {
      return holder;
    }
    RunState state = status.get().state();
    throw refused(scripts, plan, "belongs to run " + holder + ", and " + state.says())
        .orTry(wayOut(scripts, plan, status.get()));
  }

  /** A run of another state folder is somebody else's to stop. */
  private static String wayOut(HostScripts scripts, ExtractionPlan plan, RunStatus holder) {
    String run = holder.folder().run().text();
    boolean ours =
        RunStateReader.find(scripts, plan.stateDir(), run)
            .filter(status -> status.folder().equals(holder.folder()))
            .isPresent();
    return ours && !(holder.state() instanceof RunState.Elsewhere)
        ? scripts.comeBack("stop " + run)
            + "   # or the same command with --replace, which ends it first"
        : "another output folder with --output-dir, or ask whoever launched that run";
  }

  private static long ageSeconds(String text) {
    return text.matches("[0-9]{1,12}") ? Long.parseLong(text) : 0;
  }

  private static Failure refused(HostScripts scripts, ExtractionPlan plan, String why) {
    return Failure.of(Exit.REFUSED, scripts.host().name() + ":" + plan.outputDir(), why);
  }
}
