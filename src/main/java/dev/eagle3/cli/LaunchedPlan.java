package dev.eagle3.cli;

import dev.eagle3.extractor.LogRuleSets;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.files.FileTree;
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
 * @param plan its plan; empty when it cannot be read
 * @param rules what the lines of its log mean: those of its extractor, or, when that is not known
 *     here, those that programs share
 */
record LaunchedPlan(Optional<ExtractionPlan> plan, LogRules rules) {
  /**
   * Reads it; what cannot be read is said as a note.
   *
   * @throws IOException when the connection is gone
   */
  static LaunchedPlan read(FileTree files, RunFolder folder, EventSink sink) throws IOException {
    Optional<ExtractionPlan> plan = Optional.empty();
    try {
      plan = Optional.of(PlanReader.read(files, folder));
      return new LaunchedPlan(plan, Plans.extractor(plan.get().extractor()).log());
    } catch (Failure unknown) {
      sink.emit(
          new Event.Check(
              "run", "log-rules", "note", unknown.subject() + ": " + unknown.problem()));
      return new LaunchedPlan(plan, LogRuleSets.all());
    }
  }
}
