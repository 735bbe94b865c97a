package dev.eagle3.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInGpus;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ending holders that do not behave. */
@Tag("slow")
class HostileClearingTest {
  private static final String RUN = "20261129-171500-0a1b";
  private static final String UNIT = "0::/system.slice/vllm.service";

  @TempDir Path folder;
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private StandInGpus machine;
  private Host host;
  private HostScripts scripts;

  @BeforeEach
  void startTheMachine() throws IOException {
    machine = StandInGpus.start(Files.createDirectory(folder.resolve("dash")), "dash");
    host = machine.host();
    scripts = new HostScripts(host);
  }

  @AfterEach
  void endTheMachine() {
    host.close();
    machine.close();
  }

  @Test
  void safeEndsWhatDeadRunsLeftAndAsksNobody() throws IOException {
    long ofRun = ofDeadRun("/dev/nvidia0");
    long orphan = machine.hold("--map", "/dev/nvidia1", "--orphan", "--title", "VLLM::EngineCore");
    long elsewhere = ofDeadRun("/dev/nvidia5");
    GpuLook look = look(ClearGpus.SAFE, 0, 1);

    assertThat(look.asked()).isEmpty();
    GpuClearer.clear(scripts, look, List.of(), events::add);

    assertThat(machine.lives(ofRun)).isFalse();
    assertThat(machine.lives(orphan)).isFalse();
    assertThat(machine.lives(elsewhere)).isTrue();
  }

  @Test
  @Hostile("a stranger holds a GPU beside what a dead run left there")
  void nothingIsEndedWhileSomebodyWasNotAgreedTo() throws IOException {
    long left = ofDeadRun("/dev/nvidia0");
    long stranger = machine.hold("--map", "/dev/nvidia0");

    GpuLook look = look(ClearGpus.SAFE, 0);
    assertThatThrownBy(() -> GpuClearer.clear(scripts, look, List.of(), events::add))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("pid " + stranger);
    ScriptAnswer pasted =
        scripts.run(GpuClearer.step(GpuPlans.need(ClearGpus.SAFE, 0)).orElseThrow());

    assertThat(pasted.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(pasted.rows("refused").get(0).get(0)).contains("nothing was ended");
    assertThat(machine.lives(left)).isTrue();
    assertThat(machine.lives(stranger)).isTrue();
  }

  @Test
  void thePastedSafeStepEndsWhatDeadRunsLeft() throws IOException {
    long left = ofDeadRun("/dev/nvidia0");

    ScriptAnswer pasted =
        scripts.run(GpuClearer.step(GpuPlans.need(ClearGpus.SAFE, 0)).orElseThrow());

    assertThat(pasted.code()).isZero();
    assertThat(machine.lives(left)).isFalse();
  }

  @Test
  @Hostile("a holder is stopped and cannot take TERM")
  void aStoppedHolderIsKilled() throws IOException {
    long stopped = machine.hold("--map", "/dev/nvidia0", "--stop");

    clear(look(ClearGpus.SAFE, 0));

    assertThat(machine.lives(stopped)).isFalse();
  }

  @Test
  @Hostile("a holder starts children that hold the GPU, without end")
  void aHolderThatForksWithoutEndIsEndedWithItsChildren() throws IOException {
    long forking = machine.hold("--map", "/dev/nvidia0", "--forking");
    long innocent = machine.hold();
    GpuLook look = look(ClearGpus.SAFE, 0);

    try (Host patient = machine.patientHost()) {
      GpuClearer.clear(new HostScripts(patient), look, look.asked(), events::add);
    }

    assertThat(machine.lives(forking)).isFalse();
    assertThat(machine.lives(innocent)).isTrue();
    assertThat(look(ClearGpus.SAFE, 0).holders()).isEmpty();
  }

  @Test
  @Hostile("two eagle3 clear the same GPUs at once")
  void twoThatClearAtOnceBothFindThemFree() throws Exception {
    List<Long> pids = machine.holdTimes(10, "--map", "/dev/nvidia0", "--times", "10");
    GpuLook first = look(ClearGpus.SAFE, 0);
    GpuLook second = look(ClearGpus.SAFE, 0);

    CompletableFuture<Void> one = CompletableFuture.runAsync(() -> clear(first));
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> clear(second));
    CompletableFuture.allOf(one, other).get();

    for (long pid : pids) {
      assertThat(machine.lives(pid)).isFalse();
    }
  }

  @Test
  @Hostile("the client is killed in the middle of clearing")
  void aClearingThatWasCutOffIsDoneByTheNextOne() throws Exception {
    long stubborn = machine.hold("--map", "/dev/nvidia0", "--ignore-term");
    long second = machine.hold("--map", "/dev/nvidia0");
    GpuLook look = look(ClearGpus.SAFE, 0);
    List<String> whom = look.asked().stream().map(GpuHolder::target).toList();
    String text = HostScripts.paste(GpuLooker.ending(look.need(), whom), "");
    Process client = machine.start("PATH=" + folder + "/dash/bin:$PATH\n" + text);
    Await.until(() -> !machine.lives(second));

    client.destroyForcibly().waitFor();

    clear(look(ClearGpus.SAFE, 0));
    assertThat(machine.lives(stubborn)).isFalse();
  }

  @Test
  @Hostile("a unit starts its process again before that takes the GPU")
  void aProcessThatIsStartedAnewInTheSameUnitIsToldBeforeItHoldsAnything() throws Exception {
    long first = holdInUnit();
    GpuLook look = look(ClearGpus.SAFE, 0);
    Process supervisor = startAgain(first, "");

    try {
      GpuClearer.show(look, events::add);
      assertThat(warnings())
          .contains(
              "vllm.service (Restart=always) starts its process again; stop it first: systemctl"
                  + " stop vllm.service");
      Throwable thrown = catchThrowable(() -> clear(look));
      assertThat(thrown)
          .as(events.toString())
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> {
                assertThat(failure.problem()).contains("came back", "vllm.service");
                assertThat(failure.tryNext()).contains("on the host: systemctl stop vllm.service");
              });
    } finally {
      supervisor.destroyForcibly();
    }
  }

  @Test
  @Hostile("a unit runs short programs between its process and the next one")
  void whatAUnitRunsInBetweenIsNotTakenForTheEndOfIt() throws Exception {
    long first = holdInUnit();
    GpuLook look = look(ClearGpus.SAFE, 0);
    Process supervisor =
        startAgain(
            first,
            """
            for time in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
              sleep 0.1 & into $!; wait
            done
            """);

    try {
      assertThatThrownBy(() -> clear(look))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> assertThat(failure.problem()).contains("came back", "vllm.service"));
    } finally {
      supervisor.destroyForcibly();
    }
  }

  /** Somebody who holds a GPU in a unit that starts its process again. */
  private long holdInUnit() throws Exception {
    machine.install("systemctl", "echo Restart=always\n");
    long holder = machine.hold("--map", "/dev/nvidia0");
    machine.putInto(holder, UNIT);
    return holder;
  }

  /** What the unit does when its process is gone: some lines of shell, then its next process. */
  private Process startAgain(long first, String between) throws IOException {
    Path cgroup = Files.writeString(folder.resolve("cgroup"), UNIT + "\n");
    return machine.start(
        """
        into() { mount --bind '%s' /proc/$1/cgroup; }
        while kill -0 %d; do sleep 0.05; done
        %s
        sleep 600 & into $!; wait
        """
            .formatted(cgroup, first, between));
  }

  @Test
  @Hostile("a shell loop starts the holder again")
  void aLoopThatStartsTheHolderAgainIsNamedAsItsParent() throws Exception {
    String words = String.join(" ", machine.holderWords("--map", "/dev/nvidia0"));
    Process loop =
        machine.start("sleep 600 | while :; do " + words + " </dev/zero >/dev/null; done");
    try {
      Await.until(() -> !looked().asked().isEmpty());
      GpuLook look = looked();

      try (Host patient = machine.patientHost()) {
        HostScripts there = new HostScripts(patient);
        assertThatThrownBy(() -> GpuClearer.clear(there, look, look.asked(), events::add))
            .isInstanceOfSatisfying(
                Failure.class,
                failure -> {
                  assertThat(failure.problem()).contains("came back after clearing");
                  assertThat(failure.tryNext().orElse("")).contains("stop its parent first");
                });
      }
    } finally {
      loop.destroyForcibly();
    }
  }

  @ParameterizedTest
  @MethodSource("otherShells")
  void otherShellsEndTheSameWithoutAsking(String shell) throws IOException {
    machine.close();
    machine = StandInGpus.start(Files.createDirectory(folder.resolve(shell)), shell);
    long ofRun = ofDeadRun("/dev/nvidia0");
    long orphan = machine.hold("--map", "/dev/nvidia0", "--orphan", "--title", "VLLM::EngineCore");
    long stranger = machine.hold("--map", "/dev/nvidia1");
    machine.putInto(stranger, UNIT);

    try (Host inside = machine.host()) {
      HostScripts there = new HostScripts(inside);
      GpuLook look = GpuLooker.look(there, GpuPlans.need(ClearGpus.SAFE, 0));
      assertThat(look.unasked()).hasSize(2);
      GpuClearer.clear(there, look, List.of(), events::add);
      assertThat(GpuLooker.look(there, GpuPlans.need(ClearGpus.SAFE, 1)).asked())
          .extracting(GpuHolder::unit)
          .containsExactly(Optional.of("vllm.service"));
    }

    assertThat(machine.lives(ofRun)).isFalse();
    assertThat(machine.lives(orphan)).isFalse();
  }

  static List<String> otherShells() {
    return Stream.of("bash", "busybox").filter(Tools::has).toList();
  }

  private long ofDeadRun(String device) throws IOException {
    List<Long> both = machine.holdTimes(2, "--map", device, "--setsid", "--worker", "renamed");
    String id = RUN.substring(0, RUN.length() - 1) + device.charAt(device.length() - 1);
    machine.run(id, both.get(0), machine.startOf(both.get(0)));
    machine.run("kill -KILL " + both.get(0));
    return both.get(1);
  }

  private GpuLook looked() {
    return look(ClearGpus.SAFE, 0);
  }

  private GpuLook look(ClearGpus policy, Integer... gpus) {
    return GpuLooker.look(scripts, GpuPlans.need(policy, gpus));
  }

  /** As if all had been agreed to. */
  private void clear(GpuLook look) {
    GpuClearer.clear(scripts, look, look.asked(), events::add);
  }

  private List<String> warnings() {
    return events.stream()
        .filter(Event.Check.class::isInstance)
        .map(Event.Check.class::cast)
        .filter(check -> check.verdict().equals("warning"))
        .map(Event.Check::says)
        .toList();
  }
}
