package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Samples are looked at while the run lives, against a real OpenSSH server. */
@Tag("slow")
class LiveCheckTest {
  private static final String BATCH_SECONDS = "EAGLE3_STAND_IN_BATCH_SECONDS";
  private static final String CUT = "EAGLE3_STAND_IN_CUT";
  private static final String WRITE_SECONDS = "EAGLE3_STAND_IN_WRITE_SECONDS";

  /** Batches that take so long that a run which is not ended takes minutes. */
  private static final String LONG = "60";

  @TempDir Path folder;

  @Test
  @Hostile("the first sample is cut")
  void aRunWhoseFirstSampleIsCorruptIsEndedAndPreviousOutputIsBack() throws Exception {
    try (StandInHost host = start(Map.of(CUT, "0,1", BATCH_SECONDS, LONG))) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");
      CompletableFuture<Long> saved = CompletableFuture.supplyAsync(() -> whenLarger(old, 3));

      CommandLineRun run = extract(host);

      assertThat(run.code()).as(run.err()).isEqualTo(16);
      if (saved.isDone()) {
        assertThat(Duration.ofNanos(System.nanoTime() - saved.get()))
            .as("ten times what it may take, from the file on")
            .isLessThan(Duration.ofSeconds(50));
      }
      assertThat(run.err())
          .contains("ending the run, since data_0.pt, of its first batch, is damaged")
          .contains("the run was ended by eagle3, since")
          .contains("killed with code 143")
          .doesNotContain("Data generation complete!");
      assertThat(run.out()).contains("[file.cut]").doesNotContain("[run.killed]");
      assertThat(old).hasContent("old");
      CommandLineRun status = command(host, "status");
      assertThat(status.code()).as(status.out()).isEqualTo(16);
      assertThat(status.out()).contains("[file.cut]").doesNotContain("[run.killed]");
      assertThat(status.err())
          .contains("the run was ended by eagle3, since data_0.pt, of its first batch")
          .doesNotContain("eagle3 undo");
    }
  }

  /** When another file stands in the place of a small one. */
  private static long whenLarger(Path file, long bytes) {
    Await.until(() -> Files.exists(file) && Files.size(file) > bytes);
    return System.nanoTime();
  }

  @Test
  void theFirstBatchOfTheStoryEndsTheRunWithItsCause() throws Exception {
    try (StandInHost host =
        start(Map.of("EAGLE3_STAND_IN_FAULT", "layers.reply-unwrapped", BATCH_SECONDS, LONG))) {
      CommandLineRun run = extract(host);

      assertThat(run.code()).as(run.err()).isEqualTo(16);
      assertThat(run.out())
          .containsOnlyOnce("[layers.reply-unwrapped]")
          .containsOnlyOnce("/data_0.pt\n")
          .contains("771 = 512 + 259", "0 of 10 good");
      assertThat(run.err()).contains("since its first batch shows layers.reply-unwrapped");
      assertThat(host.files().output().resolve("data_9.pt")).doesNotExist();
    }
  }

  @Test
  @Hostile("the connection is lost before the first sample, which is cut")
  void aBadSampleIsSeenOnAConnectionThatWasMadeAgain() throws Exception {
    try (StandInHost host =
        start(Map.of(CUT, "0", BATCH_SECONDS, LONG, "EAGLE3_STAND_IN_PACE", "0.03"))) {
      CompletableFuture<CommandLineRun> run = CompletableFuture.supplyAsync(() -> extract(host));
      Await.until(
          () ->
              Files.exists(host.files().log())
                  && Files.readString(host.files().log()).contains("shards:  1"));

      host.server().cutConnections();

      CommandLineRun done = run.get(4, TimeUnit.MINUTES);
      assertThat(done.code()).as(done.err()).isEqualTo(16);
      assertThat(done.err())
          .contains("connecting again", "since data_0.pt, of its first batch, is damaged");
    }
  }

  @Test
  @Hostile("samples take seconds to be written")
  void aSampleThatIsBeingWrittenSlowlyIsNoAlarm() throws Exception {
    try (StandInHost host = start(Map.of(WRITE_SECONDS, "8"), 0.2)) {
      CommandLineRun run = extract(host, "--on-bad", "stop");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("2 of 2 good").doesNotContain("file.");
    }
  }

  @Test
  @Hostile("three of ten samples are cut")
  void threeBadSamplesOfTenEndARunWhoseFirstBatchWasGood() throws Exception {
    try (StandInHost host = start(Map.of(CUT, "2,4,5", BATCH_SECONDS, "3"), 3)) {
      CommandLineRun run = extract(host);

      assertThat(run.code()).as(run.err()).isEqualTo(16);
      assertThat(run.err())
          .containsPattern("since 3 of its last \\d+ samples have the wrong form")
          .doesNotContain("Data generation complete!");
    }
  }

  @Test
  void onBadWarnLetsTheRunGoOn() throws Exception {
    try (StandInHost host = start(Map.of(CUT, "0,1,2,3", BATCH_SECONDS, "1"))) {
      CommandLineRun run = extract(host, "--on-bad", "warn");

      assertThat(run.code()).as(run.err()).isEqualTo(16);
      assertThat(run.err()).contains("Data generation complete!").doesNotContain("ending the run");
      assertThat(run.out()).contains("6 of 10 good");
    }
  }

  @Test
  void aSampleWithWrongValuesIsNamedAndTheRunGoesOn() throws Exception {
    try (StandInHost host = start(Map.of(BATCH_SECONDS, "1"))) {
      Path data = host.files().preparedData();
      List<String> lines = new ArrayList<>(Files.readAllLines(data));
      lines.set(0, lines.get(0).replaceFirst("\\[\\d+", "[999999"));
      Files.write(data, lines);

      CommandLineRun run = extract(host);

      assertThat(run.code()).as(run.err()).isEqualTo(16);
      assertThat(run.out()).contains("[tokens.outside-vocabulary]", "9 of 10 good");
      assertThat(run.err())
          .contains("Data generation complete!")
          .contains("1 bad sample: data_0.pt")
          .doesNotContain("ending the run");
    }
  }

  @Test
  void tailLogSaysBadSamplesBesideTheLogAndEndsNothing() throws Exception {
    try (StandInHost host = start(Map.of(CUT, "0,1,2", BATCH_SECONDS, "2"))) {
      assertThat(extract(host, "--detach", "--on-bad", "warn").code()).isZero();

      CommandLineRun tail = command(host, "tail-log");

      assertThat(tail.code()).as(tail.err()).isZero();
      assertThat(tail.err()).contains("/data_0.pt", "[file.cut]").doesNotContain("/data_9.pt");
      assertThat(tail.out())
          .contains("Data generation complete!")
          .doesNotContain("data_0.pt", "file.cut");
    }
  }

  private StandInHost start(Map<String, String> variables) throws Exception {
    return StandInHost.start(folder, variables);
  }

  /** One whose ten samples are so many times as many. */
  private StandInHost start(Map<String, String> variables, double times) throws Exception {
    StandInHost host = start(variables);
    Path data = host.files().preparedData();
    List<String> ten = Files.readAllLines(data);
    int wanted = (int) (times * ten.size());
    Files.write(
        data, IntStream.range(0, wanted).mapToObj(index -> ten.get(index % ten.size())).toList());
    return host;
  }

  private static CommandLineRun extract(StandInHost host, String... more) {
    List<String> words =
        new ArrayList<>(List.of("extract", "--profile", host.profile().toString()));
    words.addAll(List.of(more));
    return command(host, words.toArray(String[]::new));
  }

  private static CommandLineRun command(StandInHost host, String... words) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words);
  }
}
