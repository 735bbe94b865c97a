package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleNameTest {
  @Test
  void aNumberedNameFallsIntoItsParts() {
    assertThat(SampleName.of("/out/data_12.pt"))
        .isEqualTo(new SampleName("/out", "data_", OptionalLong.of(12), ".pt"));
    assertThat(SampleName.of("hs_0.safetensors"))
        .isEqualTo(new SampleName("", "hs_", OptionalLong.of(0), ".safetensors"));
  }

  @Test
  void aNameWithoutANumberOrWithTooLongAOneHasNone() {
    assertThat(SampleName.of("/out/abc.pt").number()).isEmpty();
    assertThat(SampleName.of("/out/data_" + "9".repeat(40) + ".pt").number()).isEmpty();
    assertThat(SampleName.of("").number()).isEmpty();
    assertThat(SampleName.of("/").prefix()).isEmpty();
  }

  @Test
  void namesStandAsPeopleCount() {
    List<String> sorted =
        Stream.of("data_10.pt", "data_2.pt", "data_1.pt", "data_100.pt", "data_02.pt", "a.pt")
            .sorted(SampleName.NATURAL_ORDER)
            .toList();

    assertThat(sorted)
        .containsExactly(
            "a.pt", "data_1.pt", "data_02.pt", "data_2.pt", "data_10.pt", "data_100.pt");
  }

  @Test
  void theOrderIsTotal() {
    List<String> names =
        List.of("a1", "a01", "a001", "a", "", "a1b2", "a1b10", "a10", "b", "1", "01");
    for (String left : names) {
      for (String right : names) {
        int order = Integer.signum(SampleName.NATURAL_ORDER.compare(left, right));
        assertThat(order).isEqualTo(-Integer.signum(SampleName.NATURAL_ORDER.compare(right, left)));
        assertThat(order == 0).isEqualTo(left.equals(right));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"data_0.pt", "data_12.pt", "hs_3.safetensors", "cmpl-a1b2.safetensors"})
  void filesOfKnownKindsAreSamples(String name) {
    assertThat(NameRules.isSample(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".nfs000000012345",
        "._data_0.pt",
        ".data_0.pt.part",
        "data_0.pt.tmp",
        "data_0.tmp",
        "a.safetensors.lock",
        "extract_debug.log",
        "data_config.json",
        "sample_lengths.json",
        "token_freq.pt",
        "vocab_mapping.pt",
        "data_1 (1).pt",
        "data_1 copy.pt",
        "README"
      })
  void otherFilesAreNot(String name) {
    assertThat(NameRules.isSample(name)).isFalse();
    assertThat(NameRules.whyNoSample(name).orElseThrow()).isNotBlank();
  }

  @Test
  void onlyACopyIsACopy() {
    assertThat(NameRules.isCopy("data_1 (1).pt")).isTrue();
    assertThat(NameRules.isCopy("data_1 - Copy.pt")).isTrue();
    assertThat(NameRules.isCopy("data_1.pt")).isFalse();
  }
}
