package dev.eagle3.run;

import dev.eagle3.plan.ExtractionPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans with one thing replaced. */
final class Replaced {
  private Replaced() {}

  static ExtractionPlan python(ExtractionPlan plan, String python) {
    return of(plan, python, plan.environment(), List.of(), List.of(), List.of(), plan.logFile());
  }

  static ExtractionPlan logFile(ExtractionPlan plan, String logFile) {
    return of(plan, plan.python(), plan.environment(), List.of(), List.of(), List.of(), logFile);
  }

  static ExtractionPlan setup(ExtractionPlan plan, String... setup) {
    return of(
        plan,
        plan.python(),
        plan.environment(),
        List.of(),
        List.of(setup),
        plan.wrap(),
        plan.logFile());
  }

  static ExtractionPlan wrap(ExtractionPlan plan, String... wrap) {
    return of(
        plan,
        plan.python(),
        plan.environment(),
        List.of(),
        plan.setup(),
        List.of(wrap),
        plan.logFile());
  }

  static ExtractionPlan environment(ExtractionPlan plan, Map<String, String> environment) {
    return of(
        plan, plan.python(), environment, List.of(), plan.setup(), plan.wrap(), plan.logFile());
  }

  static ExtractionPlan environmentByName(ExtractionPlan plan, String... names) {
    return of(
        plan,
        plan.python(),
        plan.environment(),
        List.of(names),
        plan.setup(),
        plan.wrap(),
        plan.logFile());
  }

  static ExtractionPlan outputDir(ExtractionPlan plan, String outputDir) {
    return of(plan, outputDir, List.of(), plan.stateDir());
  }

  static ExtractionPlan stateDir(ExtractionPlan plan, String stateDir) {
    return of(plan, plan.outputDir(), List.of(), Optional.of(stateDir));
  }

  /** CUDA_HOME and GPUs. */
  static ExtractionPlan gpus(ExtractionPlan plan, Integer... gpus) {
    return of(plan, plan.outputDir(), List.of(gpus), plan.stateDir());
  }

  private static ExtractionPlan of(
      ExtractionPlan plan, String outputDir, List<Integer> gpus, Optional<String> stateDir) {
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
        gpus.isEmpty() ? plan.cudaHome() : Optional.of("/usr/local/cuda-12.8"),
        plan.modelPath(),
        plan.preparedData(),
        outputDir,
        plan.logFile(),
        plan.layers(),
        plan.tpSize(),
        plan.batchSize(),
        plan.maxSeqLen(),
        gpus,
        plan.clearGpus(),
        plan.previousOutput(),
        stateDir);
  }

  private static ExtractionPlan of(
      ExtractionPlan plan,
      String python,
      Map<String, String> environment,
      List<String> environmentByName,
      List<String> setup,
      List<String> wrap,
      String logFile) {
    return new ExtractionPlan(
        plan.run(),
        plan.host(),
        plan.extractor(),
        python,
        plan.script(),
        plan.scriptArguments(),
        environment,
        environmentByName,
        setup,
        wrap,
        plan.cudaHome(),
        plan.modelPath(),
        plan.preparedData(),
        plan.outputDir(),
        logFile,
        plan.layers(),
        plan.tpSize(),
        plan.batchSize(),
        plan.maxSeqLen(),
        plan.gpus(),
        plan.clearGpus(),
        plan.previousOutput(),
        plan.stateDir());
  }
}
