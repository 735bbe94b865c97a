package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code status} and {@code tail-log} say of runs that failed, on this machine. */
@Tag("slow")
class FailedRunCommandTest {
  private static final Path LOGS = Path.of("src/test/resources/log/failures").toAbsolutePath();

  @TempDir Path folder;
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @Hostile("a worker that fails, and seven that fail because of it")
  void statusAndTailLogNameTheCauseOfAFailure() throws IOException {
    ended("cat '" + LOGS.resolve("shard-broken.log") + "'; exit 1\n");

    CommandLineRun status = run("status");
    CommandLineRun all = run("tail-log");
    CommandLineRun last = run("tail-log", "-n", "1");

    for (CommandLineRun run : List.of(status, all, last)) {
      assertThat(run.code()).as(run.err()).isEqualTo(13);
      assertThat(run.out().lines().filter(line -> line.startsWith("cause")))
          .containsExactly(
              "cause     a shard of the model is cut off or broken [model.shard-broken]");
      assertThat(run.out())
          .contains("SafetensorError: Error while deserializing header: MetadataIncompleteBuffer")
          .contains("8 other processes ended with errors of their own after it");
      assertThat(run.out().lines().filter(line -> line.startsWith("fix"))).hasSize(1);
    }
    assertThat(all.out()).contains("Initializing executor...");
    assertThat(status.out()).doesNotContain("Initializing executor...");
  }

  @Test
  @Hostile("a log that holds what no terminal should get")
  void nothingOfAHostileLogReachesTheTerminal() throws IOException {
    ended("cat '" + LOGS.resolve("hostile.log") + "'; exit 1\n");

    CommandLineRun status = run("status");

    assertThat(status.code()).isEqualTo(13);
    assertThat(status.out()).contains("[host.disk-full]").contains("data_1.pt");
    assertThat(status.out().chars().filter(one -> one < ' ' && one != '\n')).isEmpty();
  }

  @Test
  void anEndWithExitCode0IsNoSuccessWhenSamplesAreMissing() throws IOException {
    ended("echo 'Skipped 3 samples due to errors: [17, 41, 96]'; exit 0\n");

    for (CommandLineRun run : List.of(run("status"), run("tail-log"), run("tail-log", "-n", "0"))) {
      assertThat(run.code()).as(run.err()).isEqualTo(16);
      assertThat(run.out())
          .contains("a line of the log says that samples are missing")
          .contains("samples failed and were left out: 3 in all, [17, 41, 96] [samples.skipped]");
    }
  }

  @Test
  void aRunThatEndedWellThoughItWarnedHasNoCause() throws IOException {
    ended("cat '" + LOGS.resolve("good-with-warnings.log") + "'; exit 0\n");

    for (CommandLineRun run : List.of(run("status"), run("tail-log"))) {
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out().lines()).noneMatch(line -> line.startsWith("cause"));
    }
  }

  @Test
  void jsonHasTheCauseAsAnEvent() throws IOException {
    ended("echo \"KeyError: 'x'\" >&2; exit 127\n");

    CommandLineRun status = run("status", "--json");

    assertThat(status.code()).isEqualTo(13);
    assertThat(status.out().lines().filter(line -> line.contains("\"type\":\"cause\"")))
        .singleElement()
        .asString()
        .contains("\"code\":\"run.program-missing\"");
  }

  private void ended(String job) throws IOException {
    ExtractionPlan plan = bench.plan(job);
    bench.launch(plan);
    bench.ended(plan);
    assertThat(Files.size(bench.folder(plan).resolve("log"))).isPositive();
  }

  private CommandLineRun run(String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--host", "local"));
    return CommandLineRun.at(
        bench.home(),
        Map.of("PATH", System.getenv("PATH"), "HOME", bench.home().toString()),
        words.toArray(String[]::new));
  }
}
