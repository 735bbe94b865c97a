package dev.eagle3.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Command;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.RunId;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInGpus;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Real processes, really ended; and those that must not be. */
@Tag("slow")
class GpuClearerTest {
  private static final RunId RUN = new RunId("20261129-171500-0a1b");

  @TempDir Path folder;
  private final List<Event> events = new ArrayList<>();
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
  void safeShowsAnyHolderAndRefusesUnlessItWasAgreedTo() throws IOException {
    long pid = machine.hold("--map", "/dev/nvidia0", "--note", "somebody's work");
    long daemon = machine.hold("--map", "/dev/nvidia0", "--name", "nv-hostengine");
    long elsewhere = machine.hold("--map", "/dev/nvidia5");

    assertThatThrownBy(() -> clearUnasked(GpuPlans.of(ClearGpus.SAFE, 0, 1)))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.subject()).isEqualTo("gpu7");
              assertThat(failure.problem()).contains("pid " + pid, "GPU 0");
              assertThat(failure.tryNext().orElse("")).contains("--gpus");
            });
    assertThat(verdicts())
        .containsExactlyInAnyOrderEntriesOf(Map.of(pid, "asked", daemon, "spared"));
    assertThat(machine.lives(pid)).isTrue();
    assertThat(machine.lives(elsewhere)).isTrue();
  }

  @Test
  void safeIsContentWhenOnlyOtherGpusAreHeld() throws IOException {
    machine.installNvidiaSmi();
    machine.hold("--map", "/dev/nvidia5", "--open", "/dev/nvidia0");

    clear(GpuPlans.of(ClearGpus.SAFE, 0, 1));

    assertThat(checks()).contains("ok: GPUs 0,1: nobody holds them");
  }

  @Test
  void thePastedSafeStepRefusesAsWell() throws IOException {
    ScriptCall step = GpuClearer.step(GpuPlans.of(ClearGpus.SAFE, 0)).orElseThrow();
    assertThat(scripts.run(step).code()).isZero();
    long pid = machine.hold("--map", "/dev/nvidia0");

    ScriptAnswer answer = scripts.run(step);

    assertThat(answer.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(answer.rows("refused")).hasSize(1);
    assertThat(machine.lives(pid)).isTrue();
  }

  @Test
  void allEndsWhatWasShownAndWaitsForTheMemory() throws IOException {
    machine.installNvidiaSmi();
    long first = machine.hold("--map", "/dev/nvidia0");
    long second = machine.hold("--map", "/dev/nvidia1");
    long opens = machine.hold("--open", "/dev/nvidiactl");
    long daemon = machine.hold("--map", "/dev/nvidia0", "--name", "nvidia-persistenced");
    long innocent = machine.hold();
    machine.uses(first, 0, 70_000, "");
    machine.uses(second, 1, 70_000, "");

    clear(GpuPlans.of(ClearGpus.ALL, 0, 1));

    assertThat(List.of(machine.lives(first), machine.lives(second), machine.lives(opens)))
        .containsOnly(false);
    assertThat(machine.lives(daemon)).isTrue();
    assertThat(machine.lives(innocent)).isTrue();
    assertThat(verdicts())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(first, "ended", second, "ended", opens, "ended", daemon, "spared"));
    assertThat(checks()).contains("ok: 3 processes ended; the memory of GPUs 0,1 is free");
  }

  @Test
  @Hostile("a holder ignores TERM")
  void whatIgnoresTermIsKilled() throws IOException {
    long stubborn = machine.hold("--map", "/dev/nvidia0", "--ignore-term");

    clear(GpuPlans.of(ClearGpus.ALL, 0));

    assertThat(machine.lives(stubborn)).isFalse();
    assertThat(checks())
        .contains("ok: 1 process ended, 1 of them by KILL; the memory of GPU 0 is free");
  }

  @Test
  void aProcessThatWasNotShownIsNeverSignalled() throws IOException {
    long shown = machine.hold("--map", "/dev/nvidia0");
    ExtractionPlan plan = GpuPlans.of(ClearGpus.ALL, 0);
    GpuLook look = GpuLooker.look(scripts, plan);
    long opened = machine.hold("--open", "/dev/nvidia0");
    long elsewhere = machine.hold("--map", "/dev/nvidia3");

    GpuClearer.clear(scripts, look, look.asked(), events::add);

    assertThat(machine.lives(shown)).isFalse();
    assertThat(machine.lives(opened)).isTrue();
    assertThat(machine.lives(elsewhere)).isTrue();
  }

  @Test
  @Hostile("somebody took a GPU after the holders were shown")
  void somebodyWhoTookTheGpuSinceStopsItBeforeAnythingIsEnded() throws IOException {
    long shown = machine.hold("--map", "/dev/nvidia0");
    ExtractionPlan plan = GpuPlans.of(ClearGpus.ALL, 0);
    GpuLook look = GpuLooker.look(scripts, plan);
    long newcomer = machine.hold("--map", "/dev/nvidia0");

    assertThatThrownBy(() -> GpuClearer.clear(scripts, look, look.asked(), events::add))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("processes took GPUs after the holders were shown: " + newcomer)
        .hasMessageContaining("nothing was ended");
    assertThat(machine.lives(shown)).isTrue();
    assertThat(machine.lives(newcomer)).isTrue();
  }

  @Test
  @Hostile("the process id of a holder was given away since it was shown")
  void aProcessWithAnotherStartTimeIsNotTheOneThatWasShown() throws IOException {
    long reused = machine.hold("--open", "/dev/nvidiactl");
    long other = machine.hold("--open", "/dev/nvidiactl");

    ScriptAnswer answer =
        scripts.run(
            all(
                reused + ":" + (machine.startOf(reused) - 1),
                other + ":" + machine.startOf(other)));

    assertThat(answer.rows("gone")).containsExactly(List.of("" + reused));
    assertThat(answer.rows("ended")).containsExactly(List.of("" + other, "TERM"));
    assertThat(machine.lives(reused)).isTrue();
  }

  @Test
  @Hostile("the process id of a holder is given away right before the signal")
  void theStartTimeIsLookedAtAgainRightBeforeEachSignal() throws IOException {
    long innocent = machine.hold();
    long shown = machine.hold("--open", "/dev/nvidiactl");
    // As if the process that was shown had ended, and its id had been given away, in between.
    String stale = innocent + ":" + (machine.startOf(innocent) - 1);
    try (Host late =
        machine.hostWith(
            "remaining=\nsignal TERM\n", "targets=" + stale + "\nremaining=\nsignal TERM\n")) {
      ScriptAnswer answer = new HostScripts(late).run(all(shown + ":" + machine.startOf(shown)));

      assertThat(answer.code()).isZero();
    }
    assertThat(machine.lives(innocent)).isTrue();
  }

  @Test
  @Hostile("a process that was shown holds nothing any more")
  void aProcessThatHoldsNoGpuAnyMoreIsLeftAlone() throws IOException {
    long innocent = machine.hold();

    ScriptAnswer answer = scripts.run(all(innocent + ":" + machine.startOf(innocent), "99999:7"));

    assertThat(answer.rows("released")).containsExactly(List.of("" + innocent));
    assertThat(answer.rows("gone")).containsExactly(List.of("99999"));
    assertThat(answer.rows("ended")).isEmpty();
    assertThat(machine.lives(innocent)).isTrue();
  }

  @Test
  @Hostile("daemons, ancestors and init are named as those to end")
  void neitherDaemonsNorAncestorsNorInitEndEvenWhenTheyAreNamed() throws IOException {
    long daemon = machine.hold("--map", "/dev/nvidia0", "--name", "nv-fabricmanager");
    String[] words = machine.holderWords("--map", "/dev/nvidia0", "--run");
    try (Host below = machine.host(words)) {
      HostScripts inside = new HostScripts(below);
      GpuLook look = GpuLooker.look(inside, GpuPlans.of(ClearGpus.ALL, 0));
      List<String> whom = new ArrayList<>(List.of("1:" + machine.startOf(1)));
      look.holders().forEach(holder -> whom.add(holder.target()));

      ScriptAnswer answer = inside.run(all(whom.toArray(String[]::new)));

      assertThat(whom).hasSizeGreaterThan(2);
      assertThat(answer.rows("ended")).isEmpty();
      assertThat(answer.code()).isZero();
    }
    assertThat(machine.lives(daemon)).isTrue();
  }

  @Test
  @Hostile("a live run holds another GPU")
  void aLiveRunIsRefusedWhateverThePolicy() throws IOException {
    long other = machine.hold("--map", "/dev/nvidia0");
    long live = machine.hold(Map.of("EAGLE3_RUN", RUN.text()), 1, "--map", "/dev/nvidia3").get(0);

    assertThatThrownBy(() -> clear(GpuPlans.of(ClearGpus.ALL, 0)))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.problem()).contains("pid " + live, "run " + RUN);
              assertThat(failure.tryNext().orElse(""))
                  .startsWith("eagle3 stop " + RUN + " --host gpu7")
                  .contains("--replace");
            });
    ScriptAnswer answer = scripts.run(all("found"));
    assertThat(answer.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(machine.lives(live)).isTrue();
    assertThat(machine.lives(other)).isTrue();
  }

  @Test
  @Hostile("memory is held from outside the container")
  void hiddenMemoryIsRefusedAndNothingIsEnded() throws IOException {
    machine.installNvidiaSmi();
    long visible = machine.hold("--map", "/dev/nvidia1");
    machine.uses(visible, 1, 5_000, "");
    machine.uses(48_211, 0, 41_000, "foreign");

    for (ClearGpus policy : List.of(ClearGpus.SAFE, ClearGpus.ALL)) {
      assertThatThrownBy(() -> clear(GpuPlans.of(policy, 0)))
          .isInstanceOf(Failure.class)
          .hasMessageContaining("41000 MiB of GPU 0 held from outside this container or hidden")
          .hasMessageContaining("48211");
    }
    assertThat(scripts.run(all("found")).code()).isEqualTo(Exit.REFUSED.code());
    assertThat(machine.lives(visible)).isTrue();
  }

  @Test
  @Hostile("a unit starts the holder again")
  void aHolderThatComesBackIsNamedWithItsUnit() throws IOException {
    long first = machine.hold("--map", "/dev/nvidia0", "--note", "served");
    ExtractionPlan plan = GpuPlans.of(ClearGpus.ALL, 0);
    GpuLook look = GpuLooker.look(scripts, plan);
    Path unit = Files.writeString(folder.resolve("cgroup"), "0::/system.slice/vllm.service\n");
    // A supervisor: it starts the process again when it has ended.
    Path restart =
        Files.writeString(
            folder.resolve("restart"),
            "while kill -0 "
                + first
                + "; do sleep 0.05; done; exec "
                + String.join(" ", machine.holderWords("--map", "/dev/nvidia0")));
    Process supervisor = machine.start("mount --bind " + unit + " /proc/$$/cgroup; . " + restart);

    try (Host patient = machine.patientHost()) {
      HostScripts there = new HostScripts(patient);
      assertThatThrownBy(() -> GpuClearer.clear(there, look, look.asked(), events::add))
          .isInstanceOfSatisfying(
              Failure.class,
              failure -> {
                assertThat(failure.problem()).contains("came back", "vllm.service");
                assertThat(failure.tryNext().orElse("")).contains("systemctl stop vllm.service");
              });
    } finally {
      supervisor.destroyForcibly();
    }
    assertThat(machine.lives(first)).isFalse();
  }

  @Test
  @Hostile("the driver gives memory back late")
  void memoryThatComesBackLateIsWaitedFor() throws IOException {
    machine.installNvidiaSmi();
    long holder = machine.hold("--map", "/dev/nvidia0");
    long driver = machine.hold();
    machine.uses(driver, 0, 41_000, "silent");
    Process late =
        machine.start(
            "while kill -0 " + holder + "; do sleep 0.05; done; sleep 0.5; kill " + driver);

    try {
      clear(GpuPlans.of(ClearGpus.ALL, 0));
    } finally {
      late.destroyForcibly();
    }

    assertThat(machine.lives(driver)).isFalse();
    assertThat(checks()).contains("ok: 1 process ended; the memory of GPU 0 is free");
  }

  @Test
  @Hostile("the driver does not give memory back")
  void memoryThatDoesNotComeBackIsSaid() throws IOException {
    machine.installNvidiaSmi();
    machine.hold("--map", "/dev/nvidia0");
    machine.uses(1, 0, 41_000, "silent");

    assertThatThrownBy(() -> clear(GpuPlans.of(ClearGpus.ALL, 0, 1)))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("memory of GPU 0 is still in use, by no process that can be seen");
  }

  @ParameterizedTest
  @MethodSource("otherShells")
  void otherShellsEndTheSame(String shell) throws IOException {
    Path own = Files.createDirectory(folder.resolve(shell));
    try (StandInGpus other = StandInGpus.start(own, shell);
        Host inside = other.host()) {
      other.installNvidiaSmi();
      long holder = other.hold("--map", "/dev/nvidia0");
      long innocent = other.hold();
      other.uses(holder, 0, 5_000, "");
      ExtractionPlan plan = GpuPlans.of(ClearGpus.ALL, 0);
      HostScripts there = new HostScripts(inside);

      GpuLook look = GpuLooker.look(there, plan);
      GpuClearer.clear(there, look, look.asked(), events::add);

      assertThat(other.lives(holder)).isFalse();
      assertThat(other.lives(innocent)).isTrue();
      assertThat(verdicts()).containsEntry(holder, "ended");
    }
  }

  @Test
  void thePastedAllStepEndsWhateverItFinds() throws IOException {
    List<Long> pids = machine.holdTimes(50, "--map", "/dev/nvidia6", "--times", "50");
    long innocent = machine.hold();
    ScriptCall step = GpuClearer.step(GpuPlans.of(ClearGpus.ALL, 6)).orElseThrow();

    var result =
        host.run(Command.of("sh -s", Duration.ofMinutes(2)).withInput(HostScripts.paste(step, "")));

    assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    assertThat(result.stdout()).contains("ended\t" + pids.get(0) + "\tTERM");
    for (long pid : pids) {
      assertThat(machine.lives(pid)).isFalse();
    }
    assertThat(machine.lives(innocent)).isTrue();
  }

  @Test
  void underNoneNothingIsAsked() {
    ExtractionPlan plan = GpuPlans.of(ClearGpus.NONE, 0);

    GpuLook look = GpuLook.none(GpuNeed.of(plan));
    GpuClearer.clear(new HostScripts(new NoHost()), look, List.of(), events::add);

    assertThat(GpuClearer.step(plan)).isEmpty();
    assertThat(checks()).containsExactly("note: not looked at: --clear-gpus none");
  }

  static List<String> otherShells() {
    return Stream.of("bash", "busybox").filter(Tools::has).toList();
  }

  private static ScriptCall all(String... whom) {
    return GpuLooker.ending(GpuPlans.need(ClearGpus.ALL, 0), List.of(whom))
        .within(Duration.ofMinutes(2));
  }

  /** Looks, and clears as if all that must be asked about had been agreed to. */
  private void clear(ExtractionPlan plan) {
    GpuLook look = GpuLooker.look(scripts, plan);
    GpuClearer.show(look, events::add);
    GpuClearer.clear(scripts, look, look.asked(), events::add);
  }

  /** Looks, and clears as if nobody had agreed to anything. */
  private void clearUnasked(ExtractionPlan plan) {
    GpuLook look = GpuLooker.look(scripts, plan);
    GpuClearer.show(look, events::add);
    GpuClearer.clear(scripts, look, List.of(), events::add);
  }

  /** The last verdict on each holder. */
  private Map<Long, String> verdicts() {
    Map<Long, String> verdicts = new LinkedHashMap<>();
    for (Event event : events) {
      if (event instanceof Event.Holder holder) {
        verdicts.put(holder.pid(), holder.verdict());
      }
    }
    return verdicts;
  }

  private List<String> checks() {
    return events.stream()
        .filter(Event.Check.class::isInstance)
        .map(Event.Check.class::cast)
        .map(check -> check.verdict() + ": " + check.says())
        .toList();
  }
}
