package dev.eagle3.preflight;

import dev.eagle3.expect.ModelConfig;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.plan.ExtractionPlan;
import java.time.Instant;
import java.util.Optional;

/**
 * All that checks judge by.
 *
 * @param plan what is to be launched
 * @param extractor what its script is; empty when nobody knows
 * @param host what the host says of itself
 * @param machine answer of {@code probe-machine}
 * @param files answer of {@code probe-files}
 * @param model the model's config
 * @param now when the host was asked
 */
record Situation(
    ExtractionPlan plan,
    Optional<Extractor> extractor,
    HostFacts host,
    Rows machine,
    Rows files,
    Optional<ModelConfig> model,
    Instant now) {

  /** Whether the job sees files and programs of its own, as in a container. */
  boolean isWrapped() {
    return !plan.wrap().isEmpty();
  }

  /**
   * Whether the script is told how many GPUs to spread the model over; else that is not its doing.
   */
  boolean isSpread() {
    return extractor.map(known -> known.flags().containsKey("tp-size")).orElse(true);
  }

  /** Whether the job's surroundings change before it starts, so that PATH is not what we see. */
  boolean isSetUp() {
    return isWrapped() || !plan.setup().isEmpty();
  }

  /** Whether a part of {@code probe-files} was run to its end. */
  boolean hasPart(String part) {
    return files.named("part", part, 2).filter(row -> row.get(1).equals("0")).isPresent();
  }

  /** Why a part of {@code probe-files} has no answer. */
  String lacks(String part) {
    return files
        .named("part", part, 2)
        .map(
            row ->
                switch (row.get(1)) {
                  case "124" -> "it took too long";
                  case "126" -> "no room for a text under /tmp";
                  default -> "exit code " + JobChecks.shown(row.get(1));
                })
        .orElse(
            files.text("reader", 0).isEmpty()
                ? "there is no Python 3 for it"
                : "the answer is cut short");
  }
}
