package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that judge by what scripts printed on machines that a test does not have. */
class RecordedAnswersTest {
  @Test
  void whatWasReadInPartIsReckonedUp() {
    assertThat(
            Situations.of()
                .machine("disk\toutput\t/root\txfs\t4096\t2621440000\t2621440000\t100\t50")
                .files("samples\t10\t10", "tokens\t20000\t20000\t2000\t2000", "read\t100\t1000")
                .judge("disk-space"))
        .singleElement()
        .asString()
        .startsWith("ok: about 10.7 GiB will be written (200,000 tokens");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "disk\toutput\t/nfs\tnfs\t1048576\t0\t0\t0\t0",
        "disk\toutput\t/fuse\tfuseblk\t4096\t4611686018427387\t4611686018427387\t0\t0",
        "disk\toutput\t/odd\tnfs\t4096\t10\t20\t0\t0"
      })
  void figuresThatCannotBeAreAWarning(String disk) {
    assertThat(Situations.of().machine(disk).judge("disk-space"))
        .singleElement()
        .asString()
        .startsWith("warning: ")
        .contains("cannot be");
  }

  @Test
  void tooFewInodesAreAWarningAndNoFixedNumberIsNone() {
    String[] data = {"samples\t5000\t5000", "tokens\t5\t5\t1\t1", "read\t9\t9"};

    assertThat(
            Situations.of()
                .machine("disk\toutput\t/d\text4\t4096\t1000\t1000\t8000\t3000")
                .files(data)
                .judge("disk-inodes"))
        .hasSize(1);
    assertThat(
            Situations.of()
                .machine("disk\toutput\t/d\tbtrfs\t4096\t1000\t1000\t0\t0")
                .files(data)
                .judge("disk-inodes"))
        .isEmpty();
  }

  @Test
  void theSharedMemoryOfAContainerIsAWarning() {
    assertThat(
            Situations.of()
                .machine("disk\tshm\t/dev/shm\ttmpfs\t4096\t16384\t16384\t10\t9")
                .judge("shared-memory"))
        .singleElement()
        .asString()
        .startsWith("warning: /dev/shm has 64.0 MiB free")
        .contains("--shm-size");
    assertThat(
            Situations.of()
                .machine("disk\tshm\t/dev\tdevtmpfs\t4096\t16384\t16384\t10\t9")
                .judge("shared-memory"))
        .singleElement()
        .asString()
        .contains("there is no /dev/shm");
  }

  @Test
  void aControlGroupWithLittleMemoryIsAWarning() {
    assertThat(
            Situations.of()
                .machine("memory\t131981020\t130000000", "memory-limit\t8589934592\t1073741824")
                .judge("memory"))
        .singleElement()
        .asString()
        .startsWith("warning: 7.0 GiB of memory available, by the limit of its control group");
    assertThat(Situations.of().machine("memory\t131981020\t130000000").judge("memory"))
        .containsExactly("ok: 124.0 GiB of memory available");
  }

  @Test
  void aClockThatIsWrongIsAWarning() {
    long now = Situations.NOW.getEpochSecond();

    assertThat(Situations.of().machine("clock\t" + (now - 3600)).judge("clock"))
        .singleElement()
        .asString()
        .startsWith("warning: its clock is 3600 s behind");
    assertThat(Situations.of().machine("clock\t" + (now + 5)).judge("clock"))
        .containsExactly("ok: its clock agrees with the one here");
    assertThat(Situations.of().machine("clock\t999999999999999999").judge("clock")).isEmpty();
  }

  @Test
  void variablesOfTheFirstProcessThatASessionLacksAreNamed() {
    assertThat(
            Situations.of()
                .machine(
                    "session-lacks\tNCCL_SOCKET_IFNAME",
                    "session-lacks\tNVIDIA_VISIBLE_DEVICES",
                    "session-lacks\tCUDA_HOME",
                    "path-lacks\t/usr/local/nvidia/bin")
                .judge("session"))
        .hasSize(2)
        .anyMatch(line -> line.startsWith("warning: ") && line.contains(" NCCL_SOCKET_IFNAME,"))
        .anyMatch(line -> line.startsWith("note: ") && line.contains("/usr/local/nvidia/bin"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "disk\toutput\t/x",
        "gpu-csv\t",
        "limit\topen-files",
        "memory\tmuch\tmuch",
        "clock\t"
      })
  void rowsThatAreCutShortAreNoCrash(String line) {
    for (Check check : Checks.ALL) {
      assertThat(Situations.of().machine(line).files(line).judge(check.name())).isNotNull();
    }
  }
}
