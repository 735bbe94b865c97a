package dev.eagle3.output;

import dev.eagle3.host.HostProcess;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds processes that write to the output folder of a plan though no lock says so: jobs that were
 * started by hand. Changes nothing.
 */
public final class OutputWriterFinder {
  /** The word of most extraction programs for it. */
  private static final String FLAG = "--output-dir";

  private OutputWriterFinder() {}

  /** The step; it refuses for writers of no run where no run has the lock. */
  public static ScriptCall call(ExtractionPlan plan) {
    List<String> arguments = new ArrayList<>(List.of(plan.outputDir(), FLAG));
    int value = plan.scriptArguments().indexOf(plan.outputDir());
    if (value > 0 && !plan.scriptArguments().get(value - 1).equals(FLAG)) {
      arguments.add(plan.scriptArguments().get(value - 1));
    }
    return ScriptCall.of("look-output", arguments.toArray(String[]::new))
        .after("tell-processes")
        .after("run-processes")
        .again();
  }

  /**
   * Refuses for processes of no run where no run has the lock: who has it is for the lock to tell.
   * Where the host cannot say nothing is refused.
   *
   * @throws Failure {@code REFUSED} naming who writes; others as {@link HostScripts#run}
   */
  public static void refuseStrangers(HostScripts scripts, ExtractionPlan plan) {
    ScriptAnswer answer = scripts.run(call(plan));
    if (!answer.lines().contains("locked")) {
      refuse(scripts, plan, writers(answer).stream().filter(one -> one.run().isEmpty()).toList());
    }
  }

  /**
   * Refuses for any process, once the lock is ours.
   *
   * @throws Failure as {@link #refuseStrangers}
   */
  public static void refuseAll(HostScripts scripts, ExtractionPlan plan) {
    refuse(scripts, plan, writers(scripts.run(call(plan))));
  }

  private static List<OutputWriter> writers(ScriptAnswer answer) {
    return answer.rows("writer").stream()
        .map(OutputWriterFinder::writer)
        .flatMap(Optional::stream)
        .toList();
  }

  private static void refuse(HostScripts scripts, ExtractionPlan plan, List<OutputWriter> writers) {
    if (writers.isEmpty()) {
      return;
    }
    OutputWriter first = writers.get(0);
    int more = writers.size() - 1;
    String host = scripts.host().name();
    throw Failure.of(
            Exit.REFUSED,
            host + ":" + Printable.line(plan.outputDir(), 300),
            "is written to by "
                + first.says()
                + (more == 0 ? "" : " and " + more + (more == 1 ? " other" : " others"))
                + ": what stands there is not moved")
        .orTry(
            "wait for it, or kill "
                + first.process().pid()
                + " on the host if it is nobody's work any more, or another --output-dir");
  }

  private static Optional<OutputWriter> writer(List<String> row) {
    int fields = row.size();
    if (fields != 9) {
      return Optional.empty();
    }
    Optional<RunId> run = Optional.of(row.get(7)).filter(RunId::isRunId).map(RunId::new);
    long session = row.get(8).matches("[0-9]{1,18}") ? Long.parseLong(row.get(8)) : -1;
    return HostProcess.parse(row)
        .map(process -> new OutputWriter(process, run, session, row.get(6).equals("open")));
  }
}
