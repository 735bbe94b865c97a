package dev.eagle3.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitsTest {
  @Test
  void durationsAreShort() {
    assertThat(Units.duration(0)).isEqualTo("0s");
    assertThat(Units.duration(59)).isEqualTo("59s");
    assertThat(Units.duration(60)).isEqualTo("1m00s");
    assertThat(Units.duration(1083)).isEqualTo("18m03s");
    assertThat(Units.duration(3599)).isEqualTo("59m59s");
    assertThat(Units.duration(7380)).isEqualTo("2h03m");
    assertThat(Units.duration(86_400)).isEqualTo("1d00h");
    assertThat(Units.duration(273_600)).isEqualTo("3d04h");
  }

  @Test
  void bytesChangeTheUnitBeforeTheyRoundUpToIt() {
    assertThat(Units.bytes(0)).isEqualTo("0 B");
    assertThat(Units.bytes(1023)).isEqualTo("1023 B");
    assertThat(Units.bytes(1024)).isEqualTo("1.0 KiB");
    assertThat(Units.bytes(1_048_575)).isEqualTo("1.0 MiB");
    assertThat(Units.bytes(117_440_512)).isEqualTo("112.0 MiB");
    assertThat(Units.bytes(1_209_462_790_553L)).isEqualTo("1.1 TiB");
    assertThat(Units.bytes(Long.MAX_VALUE)).isEqualTo("8.0 EiB");
  }

  @Test
  void ratesBelowOneAreTurnedAround() {
    assertThat(Units.rate("shards", 1 / 5.2)).isEqualTo("5.2 s/shard");
    assertThat(Units.rate("batches", 0.5)).isEqualTo("2.0 s/batch");
    assertThat(Units.rate("files", 1234)).isEqualTo("1,234 files/s");
    assertThat(Units.rate("bytes", 50_331_648)).isEqualTo("48.0 MiB/s");
    assertThat(Units.rate("Processing data", 0.1)).isEqualTo("10.0 s each");
    assertThat(Units.rate("Processing data", 3.14)).isEqualTo("3.1/s");
  }
}
