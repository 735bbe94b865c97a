package dev.eagle3.watch;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.plan.ExtractionPlan;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is wanted of the samples of a run while it is watched.
 *
 * @param plan what was launched: says where samples are saved and what they should look like
 * @param onBad what becomes of the run when they are bad
 * @param toTheEnd whether what was saved right before the run ended is looked at too; not needed by
 *     those who verify everything then
 * @param whenGood is run once, in the thread that watches, when a sample is good
 * @param name what the plan is known by, as evidence names it
 * @param sinceSeconds samples that were last written before this time of the host are not its own;
 *     empty where a run says when it was launched
 */
public record SampleWatch(
    ExtractionPlan plan,
    OnBad onBad,
    boolean toTheEnd,
    Runnable whenGood,
    String name,
    OptionalLong sinceSeconds) {

  /** Of a run. */
  public SampleWatch(ExtractionPlan plan, OnBad onBad, boolean toTheEnd, Runnable whenGood) {
    this(plan, onBad, toTheEnd, whenGood, "run " + plan.run(), OptionalLong.empty());
  }

  /** Only says what is bad, of a job that is no run and is known by another name. */
  public static SampleWatch ofJob(ExtractionPlan plan, String name, OptionalLong sinceSeconds) {
    return new SampleWatch(plan, OnBad.WARN, false, () -> {}, name, sinceSeconds);
  }

  /** Where it is to be read what its samples should look like. */
  public ExpectationSources sources() {
    return new ExpectationSources(
        Expectation.NONE,
        Optional.of(plan),
        Optional.of(plan.modelPath()).filter(path -> !path.isEmpty()),
        Optional.of(plan.outputDir()),
        name);
  }

  /** Only says what is bad. */
  public static SampleWatch reporting(ExtractionPlan plan) {
    return new SampleWatch(plan, OnBad.WARN, false, () -> {});
  }
}
