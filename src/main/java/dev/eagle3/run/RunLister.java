package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists the runs of a host. */
public final class RunLister {
  private RunLister() {}

  /**
   * The newest runs, in two round trips at most. Of runs that have an exit code only that is asked:
   * not their log, nor what they left behind.
   *
   * @param stateDir as in the plan; empty for the host's default
   * @param most how many
   * @throws Failure as {@link HostScripts#run}
   */
  public static RunList list(HostScripts scripts, Optional<String> stateDir, int most) {
    ScriptAnswer answer =
        Steps.answered(
            scripts, ScriptCall.of("list-runs", stateDir.orElse(""), String.valueOf(most)).again());
    List<List<String>> rows =
        answer.rows("run").stream().filter(RunLister::isRun).limit(most).toList();
    List<String> pending =
        rows.stream().filter(row -> exitCode(row) < 0).map(row -> row.get(0)).toList();
    Map<RunId, RunStatus> asked = new HashMap<>();
    if (!pending.isEmpty()) {
      for (RunStatus status : RunStateReader.read(scripts, stateDir, pending)) {
        asked.put(status.folder().run(), status);
      }
    }
    List<RunStatus> runs = new ArrayList<>();
    for (List<String> row : rows) {
      int code = exitCode(row);
      RunStatus status =
          code >= 0
              ? new RunStatus(
                  new RunFolder(row.get(1)),
                  RunJudge.ofExit(code, List.of()),
                  -1,
                  "",
                  RunDetails.ofList(row.get(3), row.get(4)))
              : asked.get(new RunId(row.get(0)));
      // A run may be removed between the two questions.
      if (status != null) {
        runs.add(status);
      }
    }
    return new RunList(runs, older(Steps.first(answer, "more")));
  }

  private static boolean isRun(List<String> row) {
    return row.size() == 5
        && RunId.isRunId(row.get(0))
        && row.get(1).startsWith("/")
        && row.get(1).endsWith("/" + row.get(0));
  }

  /** -1 while there is none. */
  private static int exitCode(List<String> row) {
    String code = row.get(2);
    return code.matches("[0-9]{1,3}") ? Integer.parseInt(code) : -1;
  }

  private static long older(String count) {
    return count.matches("[0-9]{1,9}") ? Long.parseLong(count) : 0;
  }
}
