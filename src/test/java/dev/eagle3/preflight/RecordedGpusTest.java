package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks of GPUs by what nvidia-smi printed on machines that a test does not have. */
class RecordedGpusTest {
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
}
