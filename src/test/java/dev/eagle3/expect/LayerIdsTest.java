package dev.eagle3.expect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.outcome.Finding;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.ProfileResolver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LayerIdsTest {
  private static final ModelConfig KIMI =
      new ModelConfig(7168, 61, Optional.empty(), Optional.empty(), Map.of(), "config.json");

  @Test
  void theLastBoundaryIsALayerWhereIdsAreBoundaries() {
    assertThat(check("speculators-0.5", "2", "30", "58", "61")).isEmpty();
    assertThat(check("speculators-0.4", "2", "30", "58", "61"))
        .extracting(Finding::code)
        .containsExactly("layers.out-of-range");
  }

  @Test
  void whatIsBeyondItIsNoneInEitherNumbering() {
    assertThat(check("speculators-0.5", "2", "62"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.actual()).isEqualTo("62");
              assertThat(finding.expected()).startsWith("0 to 61: the model has 61 layers");
            });
  }

  private static List<Finding> check(String extractor, String... layers) {
    ExtractionPlan plan =
        Planner.plan(
            ProfileResolver.resolve(
                List.of(
                    FlagReader.read(Map.of("host", List.of("gpu7"), "layers", List.of(layers))),
                    BuiltInProfiles.named(BuiltInProfiles.DEFAULT))),
            BuiltInExtractors.named(extractor),
            new RunId("20261129-171500-0a1b"));
    return LayerIds.check(plan, Optional.of(KIMI));
  }
}
