package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that judge by what scripts printed on machines that a test does not have. */
class RecordedAnswersTest {
  /** As an H200 host with driver 580.159.04 prints it. */
  private static final String HEAD =
      "gpu-csv\tindex, name, driver_version, memory.total [MiB], memory.used [MiB], compute_cap,"
          + " compute_mode, ecc.errors.uncorrected.volatile.total, persistence_mode, fabric.state,"
          + " fabric.status";

  private static final String H200 =
      "gpu-csv\t0, NVIDIA H200, 580.159.04, 143771 MiB, 0 MiB, 9.0, Default, 0, Enabled, N/A, N/A";

  private static final String RTX =
      "gpu-csv\t0, NVIDIA RTX PRO 6000 Blackwell Server Edition, 580.159.04, 97887 MiB, 71234 MiB,"
          + " 12.0, Default, 0, Enabled, N/A, N/A";

  @Test
  void aTableOfAnOlderDriverWithFewerFieldsIsRead() {
    GpuTable table =
        GpuTable.of(
            new Rows(
                new dev.eagle3.host.ScriptAnswer(
                    0,
                    List.of(
                        "gpu-csv\tindex, name, driver_version, memory.total [MiB], memory.used"
                            + " [MiB]",
                        "gpu-csv\t0, Tesla V100, 450.80.02, 32510 MiB, [N/A]",
                        "gpu-csv\t1, broken"),
                    "")));

    assertThat(table.rows()).hasSize(1);
    assertThat(table.first("driver_version")).contains("450.80.02");
    assertThat(table.first("memory.used")).isEmpty();
    assertThat(table.first("compute_cap")).isEmpty();
  }

  /** The story's own GPU, with a torch that was built before it. */
  @Test
  void aGpuThatTorchHasNoCodeForIsAWarning() {
    assertThat(
            Situations.of()
                .machine(HEAD, RTX)
                .files("torch\t12.6\t-", "torch-arch\tsm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90")
                .judge("gpu-kernels"))
        .singleElement()
        .asString()
        .startsWith("warning: GPU 0 (NVIDIA RTX PRO 6000 Blackwell Server Edition) is an sm_120")
        .contains("no kernel image is available");
  }

  @ParameterizedTest
  @CsvSource({
    "sm_90, 90, true",
    "sm_80, 86, true",
    "sm_86, 80, false",
    "sm_90, 120, false",
    "sm_90a, 90, true",
    "sm_100a, 103, false",
    "sm_100f, 103, true",
    "compute_90, 120, true",
    "compute_120, 90, false",
    "nonsense, 90, false"
  })
  void codeForOneGpuRunsOnSomeOthers(String word, int capability, boolean runs) {
    assertThat(CudaChecks.runs(word, capability)).isEqualTo(runs);
  }

  @ParameterizedTest
  @CsvSource({"12.6, warning", "12.8, ''", "13.0, ''"})
  void withoutAListTheVersionOfCudaTells(String cuda, String verdict) {
    List<String> said =
        Situations.of().machine(HEAD, RTX).files("torch\t" + cuda + "\t-").judge("gpu-kernels");

    assertThat(said).hasSize(verdict.isEmpty() ? 0 : 1);
  }

  @Test
  void aDriverThatIsTooOldForTorchIsAWarning() {
    assertThat(
            Situations.of()
                .machine(HEAD, H200.replace("580.159.04", "550.54.15"))
                .files("torch\t13.0\t-")
                .judge("gpu-driver"))
        .singleElement()
        .asString()
        .startsWith("warning: the driver is 550.54.15, and torch was built for CUDA 13.0");
    assertThat(Situations.of().machine(HEAD, H200).files("torch\t13.0\t-").judge("gpu-driver"))
        .containsExactly("ok: driver 580.159.04, torch for CUDA 13.0");
  }

  @Test
  void aTorchWithoutCudaIsAWarning() {
    assertThat(Situations.of().machine(HEAD, H200).files("torch\t-\t-").judge("gpu-driver"))
        .containsExactly("warning: the installed torch was built without CUDA");
  }

  @Test
  void memoryIsJudgedAfterClearing() {
    assertThat(Situations.of().machine(HEAD, RTX).judge("gpu-memory"))
        .singleElement()
        .asString()
        .startsWith("ok: ");
    assertThat(Situations.of().flag("clear-gpus", "none").machine(HEAD, RTX).judge("gpu-memory"))
        .singleElement()
        .asString()
        .startsWith("warning: GPU 0 has 26,653 MiB free, the job wants 78,310 (0.80 of 97,887)");
  }

  @Test
  void aFabricThatIsNotCompleteIsAWarning() {
    assertThat(
            Situations.of()
                .machine(HEAD, H200.replace("N/A, N/A", "In Progress, N/A"))
                .judge("fabric-manager"))
        .singleElement()
        .asString()
        .contains("In Progress")
        .contains("802");
    assertThat(
            Situations.of()
                .machine(HEAD, H200, "devices\t8\t4\tno", "fabric-manager\tno", "container\tno")
                .judge("fabric-manager"))
        .singleElement()
        .asString()
        .contains("no fabric manager");
    assertThat(Situations.of().machine(HEAD, H200, "devices\t1\t0\tno").judge("fabric-manager"))
        .isEmpty();
  }

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
