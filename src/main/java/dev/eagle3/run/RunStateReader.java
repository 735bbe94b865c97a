package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a host for the state of runs: one round trip, cheap enough for every second. */
public final class RunStateReader {
  /** In place of an id: the newest run. */
  public static final String LATEST = "latest";

  /** On a slow line the answer waits behind all that is on its way. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A thousand lost runs on a host that is busy take their time. */
  private static final Duration LIMIT_EACH = Duration.ofMillis(200);

  private RunStateReader() {}

  /**
   * The state of one run.
   *
   * @param stateDir as in the plan; empty for the host's default
   * @param run an id, or {@link #LATEST}
   * @throws Failure {@code REFUSED} when there is no such run; as {@link HostScripts#run}
   */
  public static RunStatus read(HostScripts scripts, Optional<String> stateDir, String run) {
    return find(scripts, stateDir, run).orElseThrow(() -> missing(scripts, run));
  }

  /** As {@link #read}, and what it has saved so far is counted: that may take some seconds. */
  public static RunStatus readWhole(HostScripts scripts, Optional<String> stateDir, String run) {
    return read(scripts, stateDir, "whole", List.of(run)).stream()
        .findFirst()
        .orElseThrow(() -> missing(scripts, run));
  }

  /** As {@link #read}, empty when there is no such run. */
  public static Optional<RunStatus> find(
      HostScripts scripts, Optional<String> stateDir, String run) {
    return read(scripts, stateDir, List.of(run)).stream().findFirst();
  }

  /** The states of those of the runs that exist, in their order. */
  static List<RunStatus> read(HostScripts scripts, Optional<String> stateDir, List<String> runs) {
    return read(scripts, stateDir, "brief", runs);
  }

  private static List<RunStatus> read(
      HostScripts scripts, Optional<String> stateDir, String howMuch, List<String> runs) {
    List<String> arguments = new ArrayList<>(List.of(stateDir.orElse(""), howMuch));
    arguments.addAll(runs);
    ScriptCall call =
        ScriptCall.of("run-state", arguments.toArray(String[]::new))
            .after(RunStopper.PROCESSES)
            .after(RunStopper.END)
            .within(LIMIT.plus(LIMIT_EACH.multipliedBy(runs.size())))
            .again();
    ScriptAnswer answer = Steps.answered(scripts, call);
    return RunFactsParser.parse(answer.lines()).stream().map(RunStateReader::status).toList();
  }

  private static RunStatus status(RunFacts facts) {
    return new RunStatus(
        facts.folder(),
        RunJudge.judge(facts),
        facts.log().bytes(),
        facts.log().identity(),
        facts.log().moved(),
        RunDetails.of(facts));
  }

  private static Failure missing(HostScripts scripts, String run) {
    return Failure.of(
            Exit.REFUSED,
            scripts.host().name(),
            run.equals(LATEST) ? "no run was launched there" : "no run " + run)
        .orTry(scripts.comeBack("runs"));
  }
}
