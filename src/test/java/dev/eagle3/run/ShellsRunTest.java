package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a run in each shell that a host may call {@code sh}. */
@Tag("slow")
class ShellsRunTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void aRunIsLaunchedListedOrphanedAndStopped(String shell) throws IOException {
    try (RunBench bench = new RunBench(folder, Map.of("PATH", pathWith(shell)))) {
      ExtractionPlan plan =
          bench.plan(
              "setsid env -i /bin/sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' &\n"
                  + "exec sleep 600\n");
      Launched launched = bench.launch(plan);
      assertThat(Launcher.launch(bench.scripts(), plan).pid()).isEqualTo(launched.pid());
      long worker = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());
      assertThat(bench.state(plan)).isEqualTo(new RunState.Running(launched.pid()));
      assertThat(RunLister.list(bench.scripts(), Optional.empty(), 5).runs())
          .singleElement()
          .satisfies(
              status ->
                  assertThat(status.details().output()).contains(bench.home() + "/hidden states"));

      RunBench.signal("KILL", launched.pid());
      assertThat(bench.ended(plan)).isInstanceOf(RunState.Orphaned.class);
      assertThat(bench.state(plan).pids()).contains(worker);
      Stopped stopped = RunStopper.stop(bench.scripts(), launched.folder(), Duration.ofSeconds(1));

      assertThat(stopped.isOver()).as(stopped.says()).isTrue();
      assertThat(stopped.byKill()).contains(worker);
      assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("KILL", 137, List.of()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void aRunIsStoppedByItsWrapper(String shell) throws IOException {
    try (RunBench bench = new RunBench(folder, Map.of("PATH", pathWith(shell)))) {
      ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
      Launched launched = bench.launch(plan);
      RunBench.awaitText(bench.folder(plan).resolve("log"));

      Stopped stopped = RunStopper.stop(bench.scripts(), launched.folder(), Duration.ofMinutes(1));

      assertThat(stopped.says()).isEqualTo("ended after TERM");
      assertThat(bench.state(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
    }
  }

  /** A PATH on which {@code sh} is that shell. */
  private String pathWith(String shell) throws IOException {
    Path bin = Files.createDirectories(folder.toRealPath().resolve("bin"));
    Path sh = bin.resolve("sh");
    String applet = shell.equals("busybox") ? " sh" : "";
    Files.writeString(sh, "#!/bin/sh\nexec " + Tools.find(shell) + applet + " \"$@\"\n");
    Files.setPosixFilePermissions(sh, PosixFilePermissions.fromString("rwxr-xr-x"));
    return bin + ":" + System.getenv("PATH");
  }
}
