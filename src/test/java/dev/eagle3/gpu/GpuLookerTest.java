package dev.eagle3.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.host.HostScripts;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInGpus;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real processes that hold stand-in devices, looked at by the real script. */
@Tag("slow")
class GpuLookerTest {
  private static final RunId RUN = new RunId("20261129-171500-0a1b");

  @TempDir Path folder;
  private StandInGpus machine;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInGpus.start(Files.createDirectory(folder.resolve("dash")), "dash");
  }

  @AfterEach
  void endTheMachine() {
    machine.close();
  }

  @Test
  void aProcessThatOnlyOpensAGpuHoldsItForAllButNotForSafe() throws IOException {
    long usesOne = machine.hold("--map", "/dev/nvidia1", "--open", "/dev/nvidia0");

    assertThat(look(ClearGpus.SAFE, 0).holders()).isEmpty();
    assertThat(look(ClearGpus.SAFE, 0, 1).holders())
        .singleElement()
        .satisfies(
            holder -> {
              assertThat(holder.pid()).isEqualTo(usesOne);
              assertThat(holder.startTicks()).isEqualTo(machine.startOf(usesOne));
              assertThat(holder.gpus()).containsExactly(1);
              assertThat(holder.user()).isEqualTo("root");
              assertThat(holder.ageSeconds().getAsLong()).isBetween(0L, 600L);
              assertThat(holder.memoryMiB()).isEmpty();
              assertThat(holder.kind()).isEqualTo(HolderKind.OTHER);
              assertThat(holder.run()).isEmpty();
              assertThat(holder.command()).contains("holder.py --map /dev/nvidia1");
            });
    assertThat(pids(look(ClearGpus.ALL, 0))).containsExactly(usesOne);
  }

  @Test
  void allCountsWhatFuserCounts() throws IOException {
    machine.hold("--open", "/dev/nvidiactl");
    machine.hold("--open", "/dev/nvidia-uvm", "--open", "/dev/nvidia7");
    machine.hold("--map", "/dev/nvidia3");
    machine.hold("--map-only", "/dev/nvidia4");
    machine.hold("--open", "/dev/null");

    String fuser = machine.run(Tools.find("fuser") + " /dev/nvidia* 2>/dev/null");
    List<Long> killed =
        List.of(fuser.strip().split("\\s+")).stream()
            .map(Long::valueOf)
            .distinct()
            .sorted()
            .toList();

    assertThat(killed).hasSize(4);
    assertThat(pids(look(ClearGpus.ALL, 0))).isEqualTo(killed);
  }

  @Test
  @Hostile("a holder has closed the device and kept its memory")
  void aGpuThatIsMappedAndClosedAgainIsHeld() throws IOException {
    long pid = machine.hold("--map-only", "/dev/nvidia2");

    assertThat(pids(look(ClearGpus.SAFE, 2))).containsExactly(pid);
  }

  @Test
  void withoutNvidiaSmiItSaysSoAndCountsTheDevices() throws IOException {
    GpuLook look = look(ClearGpus.SAFE, 0, 9);

    assertThat(look.lacks()).containsExactly("nvidia-smi: not installed");
    assertThat(look.gpus()).hasSize(8);
    assertThat(look.gpus().get(7).usedMiB()).isEmpty();
    assertThat(look.absent()).containsExactly(9);
    assertThat(look.refusals()).containsExactly("has 8 GPUs, and no GPU 9");
  }

  @Test
  void aMachineWithoutGpusHoldsNothing() throws IOException {
    machine.run("rm /dev/nvidia*");

    GpuLook look = look(ClearGpus.SAFE, 0);

    assertThat(look.gpus()).isEmpty();
    assertThat(look.absent()).containsExactly(0);
    assertThat(look.isFree()).isTrue();
  }

  @Test
  void nvidiaSmiSaysWhoHoldsWhatAndHowMuch() throws IOException {
    machine.installNvidiaSmi();
    long first = machine.hold("--map", "/dev/nvidia0", "--map", "/dev/nvidia1");
    long second = machine.hold("--map", "/dev/nvidia1", "--open", "/dev/nvidia0");
    machine.uses(first, 0, 70_000, "");
    machine.uses(second, 1, 4_000, "");

    GpuLook look = look(ClearGpus.SAFE, 0, 1);

    assertThat(look.lacks()).isEmpty();
    assertThat(look.holders())
        .extracting(GpuHolder::pid, GpuHolder::gpus, holder -> holder.memoryMiB().getAsLong())
        .containsExactlyInAnyOrder(
            tuple(first, List.of(0), 70_000L), tuple(second, List.of(1), 4_000L));
    assertThat(look.gpus().get(0).name()).contains("NVIDIA RTX PRO 6000 Blackwell Server Edition");
    assertThat(look.gpus().get(0).uuid()).contains("GPU-3ceb3ffd-97b7-8b52-2163-ea7b5eb561a4");
    assertThat(look.gpus().get(0).totalMiB()).hasValue(97_887);
    assertThat(look.gpus().get(0).usedMiB()).hasValue(70_000);
    assertThat(look.hidden()).isEmpty();
  }

  @Test
  void whatNvidiaSmiPrintedOnRealMachinesIsRead() throws IOException {
    machine.installNvidiaSmi();
    machine.tellNvidiaSmi("exact", recorded("gpus-8.csv"));
    machine.tellNvidiaSmi("apps", recorded("compute-apps-8.csv"));
    GpuLook eight = look(ClearGpus.SAFE, 0, 7);
    assertThat(eight.gpus())
        .extracting(gpu -> gpu.usedMiB().getAsLong())
        .startsWith(71_234L, 71_002L);
    assertThat(eight.hidden())
        .containsExactly(
            new HiddenMemory(0, 71_234, List.of(48_211L, 3_321L)),
            new HiddenMemory(7, 71_200, List.of(48_218L)));

    machine.tellNvidiaSmi("exact", recorded("gpus-1.csv"));
    machine.tellNvidiaSmi("apps", recorded("compute-apps-1.csv"));
    GpuLook one = look(ClearGpus.SAFE, 0, 1);
    assertThat(one.gpus())
        .singleElement()
        .satisfies(gpu -> assertThat(gpu.name()).contains("NVIDIA H200"));
    assertThat(one.absent()).containsExactly(1);
    assertThat(one.hidden()).containsExactly(new HiddenMemory(0, 4_715, List.of(1_017L)));
  }

  @Test
  void theDriverSaysWhichDeviceAnIndexIs() throws IOException {
    machine.installNvidiaSmi();
    machine.run(
        "mount -t tmpfs driver /proc/driver && mkdir -p /proc/driver/nvidia/gpus/a && "
            + "printf 'Model: \\t\\t x\\nGPU UUID: \\t GPU-3ceb3ffd-97b7-8b52-2163-ea7b5eb561a4\\n"
            + "Device Minor: \\t 5\\n' >/proc/driver/nvidia/gpus/a/information");
    long pid = machine.hold("--map", "/dev/nvidia5");

    assertThat(look(ClearGpus.SAFE, 0).holders())
        .singleElement()
        .satisfies(holder -> assertThat(holder.pid()).isEqualTo(pid))
        .satisfies(holder -> assertThat(holder.gpus()).containsExactly(0));
  }

  @Test
  @Hostile("nvidia-smi hangs")
  void nvidiaSmiThatHangsIsGivenUpAndSaidSo() throws IOException {
    machine.installNvidiaSmi();
    machine.tellNvidiaSmi("hangs", "");
    long pid = machine.hold("--map", "/dev/nvidia0");

    GpuLook look = look(ClearGpus.SAFE, 0);

    assertThat(look.lacks()).containsExactly("nvidia-smi: no answer in 5 s");
    assertThat(pids(look)).containsExactly(pid);
  }

  @Test
  @Hostile("nvidia-smi fails")
  void nvidiaSmiThatFailsIsSaidSo() throws IOException {
    machine.installNvidiaSmi();
    machine.tellNvidiaSmi("fails", "9");
    long pid = machine.hold("--map", "/dev/nvidia0");

    GpuLook look = look(ClearGpus.SAFE, 0);

    assertThat(look.lacks()).containsExactly("nvidia-smi: it fails with exit code 9");
    assertThat(pids(look)).containsExactly(pid);
  }

  @Test
  @Hostile("nvidia-smi lists process ids of the machine outside, one of them somebody else's here")
  void aProcessIdFromOutsideIsNotTakenForTheProcessThatHasItHere() throws IOException {
    machine.installNvidiaSmi();
    long innocent = machine.hold();
    machine.uses(innocent, 0, 70_000, "foreign");
    machine.uses(48_211, 0, 900, "foreign");

    GpuLook look = look(ClearGpus.ALL, 0);

    assertThat(look.holders()).isEmpty();
    assertThat(look.hidden())
        .containsExactly(new HiddenMemory(0, 70_900, List.of(innocent, 48_211L)));
    assertThat(look.isFree()).isFalse();
  }

  @Test
  @Hostile("nvidia-smi lists nobody in a container")
  void inAContainerItsOwnProcessesAreFoundByWhatTheyMap() throws IOException {
    machine.installNvidiaSmi();
    long mine = machine.hold("--map", "/dev/nvidia0");
    machine.uses(mine, 0, 70_000, "silent");
    machine.uses(48_211, 0, 0, "foreign");

    GpuLook look = look(ClearGpus.SAFE, 0);

    assertThat(pids(look)).containsExactly(mine);
    assertThat(look.hidden()).isEmpty();
  }

  @Test
  @Hostile("memory is in use, and nobody holds it")
  void memoryInUseWithNoHolderIsHidden() throws IOException {
    machine.installNvidiaSmi();
    machine.uses(1, 3, 41_000, "silent");
    machine.uses(1, 2, 600, "silent");

    GpuLook look = look(ClearGpus.SAFE, 2, 3);

    assertThat(look.holders()).isEmpty();
    assertThat(look.hidden()).containsExactly(new HiddenMemory(3, 41_000, List.of()));
    assertThat(look(ClearGpus.SAFE, 2).isFree()).isTrue();
  }

  @Test
  void daemonsAreSparedByTheNameOfTheProcess() throws IOException {
    for (String name :
        List.of(
            "nvidia-persistenced", "nv-fabricmanager", "nv-hostengine", "dcgm-exporter", "Xorg")) {
      machine.hold("--name", name, "--map", "/dev/nvidia0");
    }
    long named = machine.hold("--map", "/dev/nvidia0", "--note", "Xorg");

    GpuLook look = look(ClearGpus.ALL, 0);

    assertThat(look.holders()).filteredOn(one -> one.kind() == HolderKind.DAEMON).hasSize(5);
    assertThat(look.endable()).extracting(GpuHolder::pid).containsExactly(named);
  }

  @Test
  @Hostile("our own login holds a GPU")
  void whatOurOwnShellDescendsFromIsAnAncestor() throws IOException {
    try (var host = machine.host(machine.holderWords("--map", "/dev/nvidia0", "--run"))) {
      GpuLook look = GpuLooker.look(new HostScripts(host), GpuPlans.of(ClearGpus.ALL, 0));

      assertThat(look.holders())
          .extracting(GpuHolder::kind)
          .containsOnly(HolderKind.ANCESTOR)
          .isNotEmpty();
      assertThat(look.isFree()).isTrue();
    }
  }

  @Test
  @Hostile("a holder is a zombie")
  void aZombieHoldsNothing() throws IOException {
    machine.installNvidiaSmi();
    long zombie = machine.hold("--zombie");
    machine.uses(zombie, 0, 100, "foreign");

    GpuLook look = look(ClearGpus.ALL, 0);

    assertThat(look.holders()).isEmpty();
    assertThat(look.isFree()).isTrue();
  }

  @Test
  void aProcessOfALiveRunIsToldByItsMarkOrItsLog() throws IOException {
    Path run = Files.createDirectories(machine.home().resolve(".eagle3/runs/" + RUN));
    Files.writeString(run.resolve("log"), "");
    long wrapper = machine.hold();
    writePid(run, wrapper, machine.startOf(wrapper));
    long marked = machine.hold(Map.of("EAGLE3_RUN", RUN.text()), 1, "--map", "/dev/nvidia0").get(0);
    long logs = machine.hold("--map", "/dev/nvidia0", "--log", run.resolve("log").toString());
    long neither = machine.hold("--map", "/dev/nvidia0");

    GpuLook live = look(ClearGpus.ALL, 0);
    assertThat(live.liveRuns()).extracting(GpuHolder::pid).containsExactlyInAnyOrder(marked, logs);
    assertThat(live.liveRuns()).extracting(GpuHolder::run).containsOnly(Optional.of(RUN));
    assertThat(live.endable()).extracting(GpuHolder::pid).containsExactly(neither);

    Files.createFile(run.resolve("exit.0"));
    GpuLook over = look(ClearGpus.ALL, 0);
    assertThat(over.liveRuns()).isEmpty();
    assertThat(over.endable()).filteredOn(one -> one.run().isPresent()).hasSize(2);
  }

  @Test
  void aRunWhoseWrapperIsGoneDoesNotLive() throws IOException {
    Path run = Files.createDirectories(machine.home().resolve("state/runs/" + RUN));
    long wrapper = machine.hold();
    writePid(run, wrapper, machine.startOf(wrapper) + 1);
    machine.hold(Map.of("EAGLE3_RUN", RUN.text()), 1, "--map", "/dev/nvidia0");
    ExtractionPlan plan =
        GpuPlans.of(
            ClearGpus.ALL, List.of(0), 1, Optional.of(machine.home().resolve("state").toString()));

    assertThat(look(plan).liveRuns()).isEmpty();
    assertThat(look(plan).endable()).extracting(GpuHolder::run).containsExactly(Optional.of(RUN));
    // With the default state folder nothing is known of that run, so it is taken to live.
    assertThat(look(ClearGpus.ALL, 0).liveRuns()).hasSize(1);
  }

  @Test
  void theUnitOrContainerOfAProcessIsNamed() throws IOException {
    assertThat(unitOf("0::/system.slice/vllm@7.service")).contains("vllm@7.service");
    assertThat(unitOf("0::/user.slice/user-0.slice/session-4.scope")).isEmpty();
    assertThat(unitOf("0::/system.slice/ssh.service")).isEmpty();
    assertThat(unitOf("0::/user.slice/user-1.slice/user@1.service/app.slice/a.service"))
        .contains("a.service");
    assertThat(unitOf("0::/user.slice/user-1.slice/user@1.service/init.scope")).isEmpty();
    assertThat(unitOf("0::/system.slice/docker-0123456789abcdef0123.scope"))
        .contains("container 0123456789ab");
    assertThat(unitOf("4:memory:/docker/fedcba98765432100123\n3:cpu:/docker/fedcba98765432100123"))
        .contains("container fedcba987654");
    assertThat(
            unitOf(
                "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-00112233445566778899.scope"))
        .contains("container 001122334455");
    assertThat(unitOf("0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0"))
        .contains("slurm job 4711");
  }

  @Test
  @Hostile("the command line of a holder holds control characters")
  void controlCharactersOfACommandStayOnTheHost() throws IOException {
    String evil = "a\tholder\nfree\t0\u001b[31m\r\u009bend\u202e";
    machine.hold("--map", "/dev/nvidia0", "--note", evil);

    GpuLook look = look(ClearGpus.SAFE, 0);

    assertThat(look.holders())
        .singleElement()
        .satisfies(
            holder ->
                assertThat(holder.command())
                    .contains("a holder free 0?[31m???end")
                    .matches("[ -~]*"));
  }

  @Test
  @Hostile("fifty processes hold one GPU")
  void fiftyHoldersAreFiftyHolders() throws IOException {
    List<Long> pids = machine.holdTimes(50, "--map", "/dev/nvidia6", "--times", "50");

    assertThat(pids(look(ClearGpus.SAFE, 6))).containsAll(pids);
  }

  @Test
  void underNoneNothingIsAsked() {
    GpuLook look = GpuLooker.look(new HostScripts(new NoHost()), GpuPlans.of(ClearGpus.NONE, 0));

    assertThat(look.isFree()).isTrue();
    assertThat(look.gpus()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("otherShells")
  void otherShellsSeeTheSame(String shell) throws IOException {
    Path own = Files.createDirectory(folder.resolve(shell));
    try (StandInGpus other = StandInGpus.start(own, shell)) {
      other.installNvidiaSmi();
      long first = other.hold("--map", "/dev/nvidia0");
      other.uses(first, 0, 5_000, "");
      long second = other.hold("--map", "/dev/nvidia1", "--name", "nv-hostengine");
      other.hold("--open", "/dev/nvidia1");

      try (var host = other.host()) {
        GpuLook look = GpuLooker.look(new HostScripts(host), GpuPlans.of(ClearGpus.SAFE, 0, 1));

        assertThat(look.lacks()).isEmpty();
        assertThat(look.holders())
            .extracting(GpuHolder::pid, GpuHolder::kind)
            .containsExactlyInAnyOrder(
                tuple(first, HolderKind.OTHER), tuple(second, HolderKind.DAEMON));
      }
    }
  }

  static List<String> otherShells() {
    return Stream.of("bash", "busybox").filter(Tools::has).toList();
  }

  private static String recorded(String name) throws IOException {
    return Files.readString(Path.of("src/test/resources/fixtures/gpu", name));
  }

  private Optional<String> unitOf(String cgroup) throws IOException {
    Path file = Files.writeString(folder.resolve("cgroup"), cgroup + "\n");
    long pid = machine.hold("--map", "/dev/nvidia0");
    assertThat(machine.run("mount --bind " + file + " /proc/" + pid + "/cgroup")).isEmpty();
    return look(ClearGpus.SAFE, 0).holders().stream()
        .filter(holder -> holder.pid() == pid)
        .findFirst()
        .orElseThrow()
        .unit();
  }

  private void writePid(Path run, long pid, long start) throws IOException {
    String boot = machine.run("cat /proc/sys/kernel/random/boot_id").strip();
    String node = machine.run("cat /proc/sys/kernel/hostname").strip();
    String space = machine.run("readlink /proc/self/ns/pid").strip();
    Files.writeString(
        run.resolve("pid"), String.join("\t", "" + pid, "" + start, boot, node, space) + "\n");
  }

  private GpuLook look(ClearGpus policy, Integer... gpus) {
    return look(GpuPlans.of(policy, gpus));
  }

  private GpuLook look(ExtractionPlan plan) {
    try (var host = machine.host()) {
      return GpuLooker.look(new HostScripts(host), plan);
    }
  }

  private static List<Long> pids(GpuLook look) {
    return look.holders().stream().map(GpuHolder::pid).sorted().toList();
  }
}
