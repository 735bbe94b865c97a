package dev.eagle3.gpu;

import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Plans;
import java.util.List;
import java.util.Optional;

/** Plans that differ in what this package reads of them. */
final class GpuPlans {
  private GpuPlans() {}

  /** A plan for the GPUs with these indices. */
  static ExtractionPlan of(ClearGpus policy, Integer... gpus) {
    return of(policy, List.of(gpus), gpus.length, Optional.empty());
  }

  /** What a job on the GPUs with these indices needs. */
  static GpuNeed need(ClearGpus policy, Integer... gpus) {
    return GpuNeed.of(of(policy, gpus));
  }

  static ExtractionPlan of(
      ClearGpus policy, List<Integer> gpus, int tpSize, Optional<String> stateDir) {
    ExtractionPlan plan = Plans.example();
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
        tpSize,
        plan.batchSize(),
        plan.maxSeqLen(),
        gpus,
        policy,
        plan.previousOutput(),
        stateDir);
  }
}
