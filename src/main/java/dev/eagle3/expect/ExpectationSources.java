package dev.eagle3.expect;

import dev.eagle3.plan.ExtractionPlan;
import java.util.Optional;

/**
 * Where expected values may be read.
 *
 * @param flags what the user said on the command line; wins over everything
 * @param plan the plan of the run that made the files
 * @param modelPath the model's folder, which holds {@code config.json}
 * @param outputFolder the folder of the files, which may hold sidecars
 * @param planName what the plan is known by, as evidence names it: {@code run
 *     20261129-120000-1a2b}, {@code process 4711}; empty without one
 */
public record ExpectationSources(
    Expectation flags,
    Optional<ExtractionPlan> plan,
    Optional<String> modelPath,
    Optional<String> outputFolder,
    String planName) {

  /** As the other, where a plan is that of a run. */
  public ExpectationSources(
      Expectation flags,
      Optional<ExtractionPlan> plan,
      Optional<String> modelPath,
      Optional<String> outputFolder) {
    this(flags, plan, modelPath, outputFolder, plan.map(of -> "run " + of.run()).orElse(""));
  }

  /** The files of a run. */
  public static ExpectationSources ofRun(Expectation flags, ExtractionPlan plan) {
    return new ExpectationSources(
        flags, Optional.of(plan), Optional.of(plan.modelPath()), Optional.of(plan.outputDir()));
  }

  /** The files of a folder, of which nothing else is known. */
  public static ExpectationSources ofFolder(Expectation flags, String outputFolder) {
    return new ExpectationSources(
        flags, Optional.empty(), Optional.empty(), Optional.of(outputFolder));
  }
}
