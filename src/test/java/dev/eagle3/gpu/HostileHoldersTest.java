package dev.eagle3.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInGpus;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a holder is, where it looks like something else. */
@Tag("slow")
class HostileHoldersTest {
  private static final String RUN = "20261129-171500-0a1b";
  private static final String NOBODY = "65534";

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
  @Hostile("a renamed worker of a dead run has wiped its environment")
  void aRenamedWorkerOfADeadRunIsKnownByItsSession() throws IOException {
    List<Long> both =
        machine.holdTimes(2, "--map", "/dev/nvidia0", "--setsid", "--worker", "renamed");
    machine.run(RUN, both.get(0), machine.startOf(both.get(0)));

    assertThat(kinds(look(0))).containsEntry(both.get(1), HolderKind.LIVE_RUN);
    machine.run("kill -KILL " + both.get(0));

    assertThat(kinds(look(0))).isEqualTo(Map.of(both.get(1), HolderKind.OVER_RUN));
  }

  @Test
  @Hostile("a renamed worker in a session of its own still writes the log of a dead run")
  void aWorkerOfADeadRunIsKnownByTheLogThatItWrites() throws IOException {
    machine.runFolder(RUN);
    long wrapper = machine.hold();
    Path run = machine.run(RUN, wrapper, machine.startOf(wrapper));
    String log = run.resolve("log").toString();
    long writes =
        machine.hold("--map", "/dev/nvidia0", "--log", log, "--setsid", "--title", "renamed");
    long reads = machine.hold("--map", "/dev/nvidia0", "--open", log);
    Files.createFile(run.resolve("exit.137"));

    assertThat(kinds(look(0)))
        .isEqualTo(Map.of(writes, HolderKind.OVER_RUN, reads, HolderKind.OTHER));
  }

  @Test
  @Hostile("a job is started by hand over the log of a run that is over")
  void whatIsStartedByHandOverTheLogOfARunThatIsOverIsAskedAbout() throws IOException {
    String log = machine.runFolder(RUN).resolve("log").toString();
    long wrapper = machine.hold();
    Path run = machine.run(RUN, wrapper, machine.startOf(wrapper));
    Files.createFile(run.resolve("exit.0"));
    long job = machine.hold("--map", "/dev/nvidia0", "--truncate", log, "--setsid");

    assertThat(kinds(look(0))).isEqualTo(Map.of(job, HolderKind.OTHER));
  }

  @Test
  @Hostile("a job is started by hand and appends to the log of a run that is over")
  void whatAppendsLaterToTheLogOfARunThatIsOverIsAskedAbout() throws IOException {
    Path run = machine.runFolder(RUN);
    Files.createFile(run.resolve("exit.0"));
    String log = run.resolve("log").toString();
    long job = machine.hold("--map", "/dev/nvidia0", "--log", log, "--setsid");
    // The run was ten seconds earlier.
    machine.run(RUN, machine.hold(), machine.startOf(job) - 1000);

    assertThat(kinds(look(0))).isEqualTo(Map.of(job, HolderKind.OTHER));
  }

  @Test
  @Hostile("the session number of a dead run was given away, and its leader has gone since")
  void aSessionWhoseNumberWasTheWrappersIsAskedAbout() throws IOException {
    Path run = machine.runFolder(RUN);
    Files.createFile(run.resolve("exit.0"));
    List<Long> both = machine.holdTimes(2, "--map", "/dev/nvidia0", "--setsid", "--worker", "job");
    machine.run(RUN, both.get(0), machine.startOf(both.get(0)) - 1000);
    machine.run("kill -KILL " + both.get(0));
    Await.until(() -> !machine.lives(both.get(0)));

    assertThat(kinds(look(0))).isEqualTo(Map.of(both.get(1), HolderKind.OTHER));
  }

  @Test
  @Hostile("a worker of a dead run began after its end, in a session with one that has the mark")
  void aWorkerThatBeganLaterIsKnownByAnotherOneOfItsSession() throws IOException {
    Path run = machine.runFolder(RUN);
    Files.createFile(run.resolve("exit.0"));
    String[] holder = machine.holderWords("--map", "/dev/nvidia0", "--worker", "renamed");
    String text = "env -i " + String.join(" ", holder) + " & exec sleep 600";
    List<Long> both =
        machine.hold(Map.of("EAGLE3_RUN", RUN), 2, "--setsid", "--run", "/bin/sh", "-c", text);
    long worker = both.get(1);
    long leader = Long.parseLong(machine.run("cut -d ' ' -f 6 /proc/" + worker + "/stat").strip());
    machine.run(RUN, leader, machine.startOf(leader) - 1000);
    machine.run("kill -KILL " + leader);
    // The one that started it ends, as its input does; what has the mark stays.
    Await.until(() -> !machine.lives(leader) && !machine.lives(both.get(0)));

    assertThat(kinds(look(0))).isEqualTo(Map.of(worker, HolderKind.OVER_RUN));
  }

  @Test
  @Hostile("a process carries the mark of a dead run, and is older than it")
  void aProcessThatIsOlderThanTheRunIsNotOfIt() throws IOException {
    long wrapper = machine.hold();
    Path run = machine.run(RUN, wrapper, machine.startOf(wrapper) + 1_000_000);
    Files.createFile(run.resolve("exit.0"));
    long older = machine.hold(Map.of("EAGLE3_RUN", RUN), 1, "--map", "/dev/nvidia0").get(0);

    assertThat(kinds(look(0))).isEqualTo(Map.of(older, HolderKind.OTHER));
  }

  @Test
  @Hostile("the session of a dead run was given to a stranger with the wrapper's process id")
  void aReusedSessionIsNotThatOfTheRun() throws IOException {
    List<Long> both =
        machine.holdTimes(2, "--map", "/dev/nvidia0", "--setsid", "--worker", "renamed");
    Path run = machine.run(RUN, both.get(0), machine.startOf(both.get(0)) - 1);
    Files.createFile(run.resolve("exit.0"));

    assertThat(look(0).unasked()).isEmpty();
    assertThat(look(0).asked()).hasSize(2);
  }

  @Test
  @Hostile("somebody else owns the state folder and writes down strangers as a dead run")
  void aStateFolderOfSomebodyElseIsNotBelieved() throws IOException {
    long victim = machine.hold("--map", "/dev/nvidia0", "--setsid");
    Path run = machine.run(RUN, victim, machine.startOf(victim));
    Files.createFile(run.resolve("exit.0"));
    assertThat(kinds(look(0))).isEqualTo(Map.of(victim, HolderKind.OVER_RUN));

    machine.run("chown " + NOBODY + " " + run.getParent());

    assertThat(kinds(look(0))).isEqualTo(Map.of(victim, HolderKind.OTHER));
  }

  @Test
  @Hostile("a killed vLLM server left its workers behind")
  void workersOfADeadServerAreOrphans() throws IOException {
    List<Long> left =
        machine.holdTimes(
            2,
            "--map",
            "/dev/nvidia0",
            "--orphan",
            "--title",
            "VLLM::EngineCore",
            "--worker",
            "VLLM::Worker_TP0");

    GpuLook look = look(0);

    assertThat(kinds(look))
        .isEqualTo(Map.of(left.get(0), HolderKind.ORPHAN, left.get(1), HolderKind.ORPHAN));
    assertThat(look.asked()).isEmpty();
    assertThat(look.unasked())
        .extracting(GpuHolder::command)
        .containsExactlyInAnyOrder("VLLM::EngineCore", "VLLM::Worker_TP0");
  }

  @Test
  @Hostile("a vLLM server lives, and only its workers hold GPUs")
  void workersOfALivingServerAreSomebodysWork() throws IOException {
    List<Long> both = machine.holdTimes(2, "--map", "/dev/nvidia0", "--worker", "VLLM::Worker_TP0");

    assertThat(kinds(look(0)))
        .isEqualTo(Map.of(both.get(0), HolderKind.OTHER, both.get(1), HolderKind.OTHER));
  }

  @Test
  @Hostile("the first process of a container is the living vLLM server itself")
  void workersOfTheFirstProcessOfAContainerAreNoOrphans() throws IOException {
    List<String> before = List.of(Tools.find("unshare").toString(), "-p", "-f", "--mount-proc");
    String[] server =
        machine.holderWords("--map", "/dev/nvidia0", "--worker", "VLLM::EngineCore", "--run");
    String[] words = Stream.concat(before.stream(), Arrays.stream(server)).toArray(String[]::new);

    try (Host inside = machine.host(words)) {
      GpuLook look = look(inside, ClearGpus.SAFE, 0);

      assertThat(look.unasked()).isEmpty();
      assertThat(look.asked()).extracting(GpuHolder::command).containsExactly("VLLM::EngineCore");
    }
  }

  @Test
  @Hostile("an orphan of vLLM belongs to another user, or to a unit of its own")
  void orphansOfOthersAreAskedAbout() throws IOException {
    long theirs =
        machine.hold(
            "--map", "/dev/nvidia0", "--user", NOBODY, "--orphan", "--title", "VLLM::EngineCore");
    long unit = machine.hold("--map", "/dev/nvidia0", "--orphan", "--title", "VLLM::Worker_TP1");
    machine.putInto(unit, "0::/system.slice/vllm.service");

    assertThat(kinds(look(0))).isEqualTo(Map.of(theirs, HolderKind.OTHER, unit, HolderKind.OTHER));
  }

  @Test
  @Hostile("a user's process calls itself like a daemon of the driver")
  void aNameAloneMakesNoDaemon() throws IOException {
    long pretends =
        machine.hold("--map", "/dev/nvidia0", "--user", NOBODY, "--name", "nvidia-persistenced");
    long daemon = machine.hold("--map", "/dev/nvidia0", "--name", "nvidia-persistenced");

    assertThat(kinds(look(0)))
        .isEqualTo(Map.of(pretends, HolderKind.OTHER, daemon, HolderKind.DAEMON));
  }

  @Test
  @Hostile("another user holds a GPU, and we are not root")
  void whoMayNotBeEndedIsNamedAndRefused() throws IOException {
    machine.installNvidiaSmi();
    long theirs = machine.hold("--map", "/dev/nvidia0");
    machine.uses(theirs, 0, 9_000, "");

    try (Host powerless = machine.powerlessHost()) {
      GpuLook look = look(powerless, ClearGpus.SAFE, 0);

      assertThat(kinds(look)).isEqualTo(Map.of(theirs, HolderKind.FOREIGN));
      assertThat(look.lacks()).anyMatch(lack -> lack.startsWith("root:"));
      assertThat(look.asked()).isEmpty();
      assertThat(look.refusals())
          .singleElement()
          .asString()
          .contains("this user may not end", "pid " + theirs, "root");
    }
  }

  @Test
  @Hostile("who holds the memory cannot be seen without root")
  void whatCannotBeSeenWithoutRootIsSaid() throws IOException {
    machine.installNvidiaSmi();
    long theirs = machine.hold("--map", "/dev/nvidia0");
    machine.uses(theirs, 0, 9_000, "silent");

    try (Host powerless = machine.powerlessHost()) {
      GpuLook look = look(powerless, ClearGpus.SAFE, 0);

      assertThat(look.holders()).isEmpty();
      assertThat(look.refusals())
          .singleElement()
          .asString()
          .contains("9000 MiB of GPU 0", "another user, whose processes cannot be seen");
    }
  }

  @Test
  @Hostile("a container with namespaces and devices of its own holds a GPU")
  void aHolderInAContainerIsSeenFromOutside() throws IOException {
    String unshare = Tools.find("unshare").toString();
    machine.holdBelow(
        List.of(unshare, "-m", "-p", "-f", "--mount-proc", "--kill-child"),
        "--map",
        "/dev/nvidia2",
        "--note",
        "contained");

    assertThat(look(2).asked())
        .singleElement()
        .satisfies(holder -> assertThat(holder.command()).contains("contained"));
  }

  @Test
  @Hostile("nvidia-smi prints garbage with control characters")
  void garbageOfNvidiaSmiIsNotBelieved() throws IOException {
    machine.installNvidiaSmi();
    machine.tellNvidiaSmi(
        "exact",
        "index, uuid\n\u001b[31m0\u0007, GPU-\u001b[2J, x, 1 MiB, 2 MiB, 3 %\n"
            + "9".repeat(40)
            + ", GPU-1, n, 1 MiB, 1 MiB, 0 %\n0, not-a-uuid, n, 1 MiB, 1 MiB, 0 %\n\0\0\n");
    long pid = machine.hold("--map", "/dev/nvidia0");

    GpuLook look = look(0);

    assertThat(look.lacks()).containsExactly("nvidia-smi: its answer is not understood");
    assertThat(look.gpus()).hasSize(8);
    assertThat(kinds(look)).containsOnlyKeys(pid);
  }

  @Test
  @Hostile("nvidia-smi prints without end")
  void anEndlessAnswerOfNvidiaSmiIsCut() throws IOException {
    machine.installNvidiaSmi();
    machine.tellNvidiaSmi("floods", "");
    long pid = machine.hold("--map", "/dev/nvidia0");

    GpuLook look = look(0);

    assertThat(look.lacks()).hasSize(1);
    assertThat(kinds(look)).containsOnlyKeys(pid);
  }

  @Test
  @Hostile("nvidia-smi lists absurd processes and memory")
  void absurdRowsOfNvidiaSmiArePassedOver() throws IOException {
    machine.installNvidiaSmi();
    machine.tellNvidiaSmi(
        "apps",
        "pid, gpu_uuid, process_name, used_gpu_memory [MiB]\n"
            + "-1, GPU-3ceb3ffd-97b7-8b52-2163-ea7b5eb561a4, x, 5 MiB\n"
            + "0, GPU-3ceb3ffd-97b7-8b52-2163-ea7b5eb561a4, x, 5 MiB\n"
            + "9".repeat(30)
            + ", GPU-3ceb3ffd-97b7-8b52-2163-ea7b5eb561a4, x, 5 MiB\n"
            + "*, *, *, *\n$(kill 1), GPU-1, x, 1 MiB\n");

    GpuLook look = look(0);

    assertThat(look.holders()).isEmpty();
    assertThat(look.isFree()).isTrue();
  }

  @Test
  @Hostile("CUDA_VISIBLE_DEVICES of the host names GPUs by UUID, by MIG part, twice, or not at all")
  void visibleDevicesThatAreNoIndicesAreRefused() throws IOException {
    for (String visible :
        List.of("GPU-3ceb3ffd", "MIG-1", "0,GPU-3ceb3ffd", "1,1", "-1", "", "0;reboot", "NoDev")) {
      assertThatThrownBy(() -> visible(visible))
          .as(visible)
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> {
                assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
                assertThat(failure.problem()).contains("CUDA_VISIBLE_DEVICES");
                assertThat(failure.tryNext().orElse("")).contains("--gpus");
              });
    }
    assertThat(visible("2,5").gpus())
        .filteredOn(Gpu::needed)
        .extracting(Gpu::index)
        .containsExactly(2, 5);
  }

  @Test
  @Hostile("MIG has cut a GPU into parts")
  void aGpuInPartsIsRefused() throws IOException {
    machine.installNvidiaSmi();
    machine.run(
        "mount -t tmpfs driver /proc/driver"
            + " && mkdir -p /proc/driver/nvidia/capabilities/gpu1/mig/gi3");

    assertThat(look(0, 1).split()).containsExactly(1);
    assertThat(look(0, 1).refusals()).singleElement().asString().contains("MIG has cut GPU 1");
    assertThat(look(0, 2).isFree()).isTrue();
  }

  @Test
  @Hostile("a unit starts its process again, and systemctl says so")
  void aUnitThatRestartsIsNamedBeforeItsProcessIsEnded() throws IOException {
    machine.install(
        "systemctl", "[ \"$*\" = 'show -p Restart -- vllm.service' ] && echo Restart=always\n");
    long pid = machine.hold("--map", "/dev/nvidia0");
    machine.putInto(pid, "0::/system.slice/vllm.service");

    GpuHolder holder = look(0).asked().get(0);

    assertThat(holder.watcher().orElseThrow().restarts()).isTrue();
    assertThat(holder.says()).contains("started again unless you systemctl stop vllm.service");
  }

  @Test
  void aUnitOfTheUsersOwnIsAskedAboutAndStoppedAsSuch() throws IOException {
    machine.install(
        "systemctl",
        "[ \"$1 $XDG_RUNTIME_DIR\" = '--user /run/user/0' ] && echo Restart=on-failure\n");
    long pid = machine.hold("--map", "/dev/nvidia0");
    machine.putInto(pid, "0::/user.slice/user-0.slice/user@0.service/app.slice/serve.service");

    assertThat(look(0).asked().get(0).says())
        .contains("started again unless you systemctl --user stop serve.service");
  }

  @Test
  @Hostile("systemctl hangs")
  void aSystemctlThatHangsIsGivenUp() throws IOException {
    machine.install("systemctl", "exec sleep 600\n");
    long pid = machine.hold("--map", "/dev/nvidia0");
    machine.putInto(pid, "0::/system.slice/vllm.service");

    HolderWatcher watcher = look(0).asked().get(0).watcher().orElseThrow();

    assertThat(watcher.policy()).isEmpty();
    assertThat(watcher.mayRestart()).isTrue();
  }

  @Test
  void whatKeepsAContainerPodOrJobIsNamedWithItsStopCommand() throws IOException {
    machine.install("docker", "echo unless-stopped\n");
    assertThat(stopOf("0::/system.slice/docker-0123456789abcdef0123.scope"))
        .isEqualTo("docker stop 0123456789ab");
    assertThat(stopOf("0::/machine.slice/libpod-fedcba9876543210.scope/container"))
        .isEqualTo("podman stop fedcba987654");
    assertThat(
            stopOf(
                "0::/kubepods.slice/kubepods-pod1.slice/cri-containerd-00112233445566778899.scope"))
        .startsWith("kubectl delete pod vllm-7f9c");
    assertThat(stopOf("0::/system.slice/slurmstepd.scope/job_4711/step_0/user/task_0"))
        .isEqualTo("scancel 4711");
    assertThat(stopOf("0::/user.slice/user-1.slice/user@1.service/app.slice/a.service"))
        .isEqualTo("systemctl --user stop a.service");
  }

  @Test
  @Hostile("the name of a unit holds shell text and control characters")
  void theNameOfAUnitIsQuotedInItsStopCommand() throws IOException {
    assertThat(stopOf("0::/system.slice/a;reboot \u001b[31m$(x).service"))
        .isEqualTo("systemctl stop 'a;reboot ?[31m$(x).service'");
  }

  private String stopOf(String cgroup) throws IOException {
    long pid = machine.hold(Map.of("HOSTNAME", "vllm-7f9c"), 1, "--map", "/dev/nvidia0").get(0);
    machine.putInto(pid, cgroup);
    return look(0).holders().stream()
        .filter(holder -> holder.pid() == pid)
        .findFirst()
        .flatMap(GpuHolder::watcher)
        .orElseThrow()
        .stop();
  }

  private GpuLook visible(String devices) {
    String env = Tools.find("env").toString();
    try (Host host = machine.host(env, "CUDA_VISIBLE_DEVICES=\"" + devices + "\"")) {
      return GpuLooker.look(
          new HostScripts(host), GpuPlans.of(ClearGpus.SAFE, List.of(), 2, Optional.empty()));
    }
  }

  private GpuLook look(Integer... gpus) {
    try (Host host = machine.host()) {
      return look(host, ClearGpus.SAFE, gpus);
    }
  }

  private static GpuLook look(Host host, ClearGpus policy, Integer... gpus) {
    return GpuLooker.look(new HostScripts(host), GpuPlans.need(policy, gpus));
  }

  private static Map<Long, HolderKind> kinds(GpuLook look) {
    return look.holders().stream().collect(Collectors.toMap(GpuHolder::pid, GpuHolder::kind));
  }
}
