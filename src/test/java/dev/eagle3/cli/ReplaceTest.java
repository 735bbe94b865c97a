package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code extract --replace} against a real OpenSSH server. */
@Tag("slow")
class ReplaceTest {
  @TempDir Path folder;

  @Test
  @Hostile("a run of mine that SIGSTOP has stopped holds the output folder of the next one")
  void aLiveRunIsEndedOnceThatWasAgreedToAndItsOutputIsSetAside() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.04"))) {
      assertThat(extract(host, "--detach").code()).isZero();
      String first = latest(host);
      Await.until(() -> samples(host.files().output()) > 0);
      stopJob(host, first);

      CommandLineRun refused = extract(host);
      assertThat(refused.code()).isEqualTo(11);
      assertThat(refused.err())
          .contains(first)
          .contains("--replace")
          .containsPattern("try: eagle3 stop " + first + " --host \\S+   # or extract --replace");
      CommandLineRun unasked = extract(host, "--replace");
      assertThat(unasked.code()).isEqualTo(11);
      assertThat(unasked.err()).contains("end run " + first + " of this output folder");
      assertThat(command(host, "status", first).out()).contains("it is running, but stopped");

      CommandLineRun replaced = extract(host, "--replace", "--yes", "--detach");

      assertThat(replaced.code()).as(replaced.err()).isZero();
      assertThat(replaced.err()).contains("run " + first + ": ended after TERM");
      assertThat(replaced.err()).contains("the memory of GPUs 0,1,2,3,4,5,6,7 is free");
      assertThat(command(host, "status", first).out()).contains("killed by signal TERM");
      String second = latest(host);
      assertThat(second).isNotEqualTo(first);
      Path aside = Path.of(host.files().output() + ".before-" + second);
      assertThat(samples(aside)).isPositive();

      assertThat(command(host, "stop", "--yes").code()).isZero();
      CommandLineRun undone = command(host, "undo", second);
      assertThat(undone.code()).as(undone.err()).isZero();
      assertThat(samples(host.files().output())).isPositive();
      assertThat(aside).doesNotExist();
    }
  }

  @Test
  void withoutALiveRunThereIsNothingToReplace() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      CommandLineRun run = extract(host, "--replace");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).doesNotContain("which is replaced");
    }
  }

  /** It is neither over before the test looks, nor can it end by TERM alone. */
  private static void stopJob(StandInHost host, String run) throws IOException {
    String record = Files.readString(host.state().resolve("runs").resolve(run).resolve("pid"));
    long wrapper = Long.parseLong(record.substring(0, record.indexOf('\t')));
    long job =
        ProcessHandle.of(wrapper)
            .orElseThrow()
            .children()
            .filter(child -> child.info().command().orElse("").contains("python"))
            .filter(child -> !child.info().commandLine().orElse("guard.py").contains("guard.py"))
            .findFirst()
            .orElseThrow()
            .pid();
    RunBench.signal("STOP", job);
  }

  private static long samples(Path output) throws IOException {
    if (!Files.isDirectory(output)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(output)) {
      return files.filter(file -> file.toString().endsWith(".pt")).count();
    }
  }

  private static String latest(StandInHost host) throws IOException {
    try (Stream<Path> runs = Files.list(host.state().resolve("runs"))) {
      return runs.filter(Files::isDirectory)
          .map(run -> run.getFileName().toString())
          .max(String::compareTo)
          .orElseThrow();
    }
  }

  private static CommandLineRun extract(StandInHost host, String... more) {
    List<String> words = new ArrayList<>(List.of("--profile", host.profile().toString()));
    words.addAll(List.of(more));
    return command(host, "extract", words.toArray(String[]::new));
  }

  private static CommandLineRun command(StandInHost host, String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(more));
    return CommandLineRun.at(
        host.server().clientHome(),
        Map.of("EAGLE3_HOST", host.server().target()),
        words.toArray(String[]::new));
  }
}
