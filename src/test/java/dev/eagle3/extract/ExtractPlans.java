package dev.eagle3.extract;

import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Plans;
import dev.eagle3.plan.PreviousOutput;
import java.util.Optional;

/** Plans that differ in what this package reads of them. */
final class ExtractPlans {
  private ExtractPlans() {}

  static ExtractionPlan clearing(ClearGpus policy) {
    return of("/data/out", policy);
  }

  static ExtractionPlan of(String outputDir, ClearGpus policy) {
    return of(outputDir, policy, PreviousOutput.SET_ASIDE);
  }

  static ExtractionPlan of(String outputDir, ClearGpus policy, PreviousOutput previous) {
    return of(outputDir, policy, previous, Optional.empty());
  }

  /** A plan whose extractor writes this schema, and goes on with what is there. */
  static ExtractionPlan resuming(String outputDir, String schema) {
    return of(outputDir, ClearGpus.NONE, PreviousOutput.KEEP, Optional.of(schema));
  }

  private static ExtractionPlan of(
      String outputDir, ClearGpus policy, PreviousOutput previous, Optional<String> schema) {
    ExtractionPlan plan = Plans.example(outputDir, "/data/log");
    return new ExtractionPlan(
        plan.run(),
        plan.host(),
        plan.extractor(),
        plan.python(),
        plan.script(),
        plan.scriptArguments(),
        plan.environment(),
        plan.environmentByName(),
        plan.setup(),
        plan.wrap(),
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
        policy,
        previous,
        Optional.empty(),
        schema);
  }
}
