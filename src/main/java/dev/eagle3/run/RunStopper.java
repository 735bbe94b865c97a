package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.time.Duration;
import java.util.List;

/**
 * Ends runs: TERM first, KILL for what is still there after a while, and another look until nothing
 * is left. A run that is over is left alone, so it can be asked again at any time, also after a
 * connection was lost in the middle: what is signalled is found anew each time.
 */
public final class RunStopper {
  /** How long a run may take to end by itself, unless somebody says otherwise. */
  public static final Duration KILL_AFTER = Duration.ofSeconds(30);

  /** The longest that may be waited for. */
  public static final Duration LONGEST_KILL_AFTER = Duration.ofHours(1);

  /** The script that knows until when a run went on. */
  static final String END = "run-end";

  /** The script that knows which processes belong to a run; it follows the other. */
  static final String PROCESSES = "run-processes";

  /** The script that ends a run; it follows both in the same shell. */
  static final String SCRIPT = "stop-run";

  /** Looking, and ending what does not end by TERM. */
  private static final Duration SLACK = Duration.ofSeconds(90);

  private RunStopper() {}

  /** The step. It looks anew for what there is to end, so it may be asked again. */
  public static ScriptCall call(RunFolder folder, Duration killAfter) {
    return call(folder, killAfter, "");
  }

  private static ScriptCall call(RunFolder folder, Duration killAfter, String why) {
    return ScriptCall.of(
            SCRIPT,
            folder.stateDir(),
            folder.run().text(),
            String.valueOf(killAfter.toSeconds()),
            why)
        .after(PROCESSES)
        .after(END)
        .within(killAfter.plus(SLACK))
        .again();
  }

  /**
   * Ends a run; blocks until it is over, or until all that could be done was done.
   *
   * @param killAfter from TERM to KILL
   * @throws Failure {@code REFUSED} when it runs on another node or belongs to another user:
   *     nothing was ended then. {@code LOST} as {@link HostScripts#run}: what became of it is
   *     unknown, and it may be asked again
   */
  public static Stopped stop(HostScripts scripts, RunFolder folder, Duration killAfter) {
    return stop(scripts, folder, call(folder, killAfter));
  }

  /** As the other; before it acts, the host notes why, for whoever asks for the run later. */
  public static Stopped stop(
      HostScripts scripts, RunFolder folder, Duration killAfter, EndNote why) {
    return stop(scripts, folder, call(folder, killAfter, EndNoteJson.write(why)));
  }

  private static Stopped stop(HostScripts scripts, RunFolder folder, ScriptCall call) {
    ScriptAnswer answer = scripts.run(call);
    List<List<String>> elsewhere = answer.rows("elsewhere");
    if (!elsewhere.isEmpty()) {
      throw elsewhere(scripts, folder, Steps.first(answer, "elsewhere"));
    }
    List<Stopped.Left> left =
        answer.rows("left").stream()
            .filter(row -> row.size() == 4 && pid(row) > 0)
            .map(row -> new Stopped.Left(pid(row), row.get(1), row.get(2), row.get(3)))
            .toList();
    boolean over = answer.code() == 0 && answer.lines().contains("over");
    if (!over && left.isEmpty()) {
      throw Steps.failure(scripts, call, answer);
    }
    return new Stopped(pids(answer, "TERM"), pids(answer, "KILL"), left);
  }

  /** Why a run of another node is not ended from here. */
  public static Failure elsewhere(HostScripts scripts, RunFolder folder, String node) {
    return Failure.of(
            Exit.REFUSED,
            scripts.host().name(),
            "run " + folder.run() + " runs on " + node + ", and can be ended only from there")
        .orTry(
            node.matches("[A-Za-z0-9][A-Za-z0-9.-]*")
                ? "eagle3 stop " + folder.run() + " --host " + node
                : "the same command there");
  }

  private static List<Long> pids(ScriptAnswer answer, String signal) {
    return answer.rows("ended").stream()
        .filter(row -> row.size() == 2 && row.get(1).equals(signal) && pid(row) > 0)
        .map(RunStopper::pid)
        .toList();
  }

  private static long pid(List<String> row) {
    return row.get(0).matches("[0-9]{1,18}") ? Long.parseLong(row.get(0)) : -1;
  }
}
