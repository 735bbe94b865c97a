package dev.eagle3.watch;

import dev.eagle3.plan.ExtractionPlan;

/**
 * What is wanted of the samples of a run while it is watched.
 *
 * @param plan what was launched: says where samples are saved and what they should look like
 * @param onBad what becomes of the run when they are bad
 * @param toTheEnd whether what was saved right before the run ended is looked at too; not needed by
 *     those who verify everything then
 * @param whenGood is run once, in the thread that watches, when a sample is good
 */
public record SampleWatch(ExtractionPlan plan, OnBad onBad, boolean toTheEnd, Runnable whenGood) {

  /** Only says what is bad. */
  public static SampleWatch reporting(ExtractionPlan plan) {
    return new SampleWatch(plan, OnBad.WARN, false, () -> {});
  }
}
