package dev.eagle3.output;

import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Plans;
import dev.eagle3.plan.RunId;
import java.util.Optional;

/** Plans that differ in the paths that this package reads of them. */
final class OutputPlans {
  static final RunId RUN = Plans.example().run();

  private OutputPlans() {}

  /** A plan that writes into a folder, with model, data and script under {@code /data/needed}. */
  static ExtractionPlan to(String outputDir) {
    return to(outputDir, "/data/needed/model", RUN);
  }

  static ExtractionPlan to(String outputDir, String modelPath, RunId run) {
    ExtractionPlan plan = Plans.example(outputDir, "/data/needed/log");
    return new ExtractionPlan(
        run,
        plan.host(),
        plan.extractor(),
        "/data/needed/python3",
        "/data/needed/script.py",
        plan.scriptArguments(),
        plan.environment(),
        plan.environmentByName(),
        plan.setup(),
        plan.wrap(),
        plan.cudaHome(),
        modelPath,
        "/data/needed/prepared/data.jsonl",
        plan.outputDir(),
        plan.logFile(),
        plan.layers(),
        plan.tpSize(),
        plan.batchSize(),
        plan.maxSeqLen(),
        plan.gpus(),
        plan.clearGpus(),
        plan.previousOutput(),
        Optional.empty());
  }
}
