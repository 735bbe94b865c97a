package dev.eagle3.cli;

import dev.eagle3.extractor.LogRuleSets;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.PlanReader;
import dev.eagle3.run.RunFolder;
import java.io.IOException;
import java.util.Optional;

/**
 * What a run was launched with, as far as it is known here.
 *
 * @param plan its plan; empty when that cannot be read
 * @param rules what the lines of its log mean: those of its extractor, or those that many programs
 *     share
 */
record RunPlan(Optional<ExtractionPlan> plan, LogRules rules) {

  /** Reads it; says so when something of it is not known. */
  static RunPlan read(Host host, RunFolder folder, EventSink sink) throws IOException {
    Optional<ExtractionPlan> plan = Optional.empty();
    try {
      plan = Optional.of(PlanReader.read(host.files(), folder));
      return new RunPlan(plan, Plans.extractor(plan.get().extractor()).log());
    } catch (Failure unknown) {
      sink.emit(
          new Event.Check(
              "run", "log-rules", "note", unknown.subject() + ": " + unknown.problem()));
      return new RunPlan(plan, LogRuleSets.all());
    }
  }
}
