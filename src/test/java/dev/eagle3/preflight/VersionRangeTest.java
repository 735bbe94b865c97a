package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionRangeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ">=0.3, <0.5 | 0.4.0.1      | true",
        ">=0.3, <0.5 | 0.5.0        | false",
        "<=0.16.0    | 0.16         | true",
        "<=0.16      | 0.16.1       | false",
        "==2.9.0     | 2.9.0+cu128  | true",
        "==2.9.0     | 2.9.1        | false",
        "==2.9.*     | 2.9.1        | true",
        "==2.9.*     | 2.10.0       | false",
        "!=0.12.0    | 0.12.0       | false",
        "~=4.56.1    | 4.56.9       | true",
        "~=4.56.1    | 4.57.0       | false",
        ">=0.12      | 0.12.0rc1    | true",
        ">0.9        | 0.10         | true",
      })
  void aVersionIsInARangeOrNot(String range, String version, boolean included) {
    assertThat(VersionRange.parse(range).orElseThrow().includes(version)).contains(included);
  }

  @Test
  void whatIsNoRangeOrVersionIsNone() {
    assertThat(VersionRange.parse("latest")).isEmpty();
    assertThat(VersionRange.parse("")).isEmpty();
    assertThat(VersionRange.parse(">=99999999999999999999")).isEmpty();
    assertThat(VersionRange.parse(">=1").orElseThrow().includes("main")).isEmpty();
  }
}
