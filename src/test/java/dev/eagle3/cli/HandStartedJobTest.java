package dev.eagle3.cli;

import static dev.eagle3.cli.HandStarted.about;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that eagle3 did not start, followed and verified by their paths over a real OpenSSH. */
@Tag("slow")
class HandStartedJobTest {
  private static final String PACE = "EAGLE3_STAND_IN_PACE";
  private static final String FAULT = "EAGLE3_STAND_IN_FAULT";

  @TempDir Path folder;
  private Path log;
  private Path go;

  @BeforeEach
  void name() throws IOException {
    log = folder.toRealPath().resolve("extract_debug.log");
    go = folder.toRealPath().resolve("go");
  }

  @Test
  @Hostile("a job of the old nohup line, and a connection that is cut in the middle of its log")
  void theOldLineIsFollowedAndVerifiedOverALostConnection() throws Exception {
    try (StandInHost host = start(Map.of(PACE, "0.05"))) {
      HandStarted.start(host, log);
      CompletableFuture<CommandLineRun> tail = following(host);

      host.server().cutConnections();

      CommandLineRun run = tail.get(4, TimeUnit.MINUTES);
      assertThat(run.code()).as(run.err() + run.out()).isZero();
      assertThat(run.err())
          .contains("written by process ", "samples are looked for in " + host.files().output())
          .contains(" was lost; connecting again")
          .contains("has the log open for writing any more; it says that the work is done");
      assertThat(run.out()).contains("10 of 10 good · 4 × [T, 7168] bfloat16");
      assertThat(run.out().lines().filter(line -> line.contains("Model loading took"))).hasSize(8);
      assertThat(run.out().lines().filter(line -> line.contains("Data generation complete!")))
          .hasSize(1);
    }
  }

  @Test
  @Hostile("a connection that is cut twice in a log of many lines")
  void noByteIsLostOrRepeated() throws Exception {
    try (StandInHost host = start(Map.of())) {
      run(
          host,
          "echo Initializing executor...; seq 1 20000; "
              + waiting()
              + "; seq 20001 60000; printf 'the very last'");
      CompletableFuture<CommandLineRun> tail = following(host);
      host.server().cutConnections();
      Await.until(() -> host.server().connections() > 0);
      host.server().cutConnections();

      Files.createFile(go);

      CommandLineRun run = tail.get(4, TimeUnit.MINUTES);
      String written = Files.readString(log);
      assertThat(run.out()).startsWith(written).endsWith("the very last" + rest(run, written));
      // Nothing in it says that the work was done.
      assertThat(run.code()).isEqualTo(13);
      assertThat(rest(run, written)).contains("[log.ends-early]");
    }
  }

  @Test
  @Hostile("a job of the old line that fails")
  void aJobThatFailsIsExplained() throws Exception {
    try (StandInHost host = start(Map.of(FAULT, "gpu.out-of-memory"))) {
      HandStarted.start(host, log);

      CommandLineRun run = about(host, "tail-log", log);

      assertThat(run.code()).as(run.err()).isEqualTo(13);
      assertThat(run.out()).contains("[log.shows-failure]", "[gpu.out-of-memory]");
      assertThat(run.err()).contains("an exit code is not known");
      assertThat(about(host, "tail-log", log, "-n", "1").out()).contains("[gpu.out-of-memory]");
    }
  }

  @Test
  @Hostile("a job of the old line whose samples have lost their hidden dimension")
  void badSamplesAreSaidWithTheirCauseWhileTheJobGoesOn() throws Exception {
    try (StandInHost host =
        start(Map.of(FAULT, "layers.reply-unwrapped", "EAGLE3_STAND_IN_BATCH_SECONDS", "2"))) {
      HandStarted.start(host, log);

      CommandLineRun run = about(host, "tail-log", log);

      assertThat(run.code()).as(run.err()).isEqualTo(16);
      assertThat(run.err()).containsOnlyOnce("/data_0.pt\n");
      assertThat(run.err().indexOf("/data_0.pt\n"))
          .isLessThan(run.err().indexOf("the job has ended"));
      assertThat(run.out())
          .containsOnlyOnce("[layers.reply-unwrapped]")
          .contains("771 = 512 + 259", "0 of 10 good");
    }
  }

  @Test
  @Hostile("a process that reads the log of a job that is over")
  void whoOnlyReadsTheLogDoesNotKeepItOpen() throws Exception {
    try (StandInHost host = start(Map.of())) {
      run(host, "echo Data generation complete!");
      Await.until(() -> Files.size(log) > 0);
      Process reader = new ProcessBuilder("tail", "-f", log.toString()).start();
      try {
        CommandLineRun run = about(host, "tail-log", log);

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).isEqualTo("Data generation complete!\n");
      } finally {
        reader.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  @Hostile("a log that another process than the job holds open")
  void whoHasItOpenForWritingKeepsItOpen() throws Exception {
    try (StandInHost host = start(Map.of())) {
      run(host, "echo Data generation complete!");
      Await.until(() -> Files.size(log) > 0);
      CompletableFuture<CommandLineRun> tail;
      try (RandomAccessFile holder = new RandomAccessFile(log.toFile(), "rw")) {
        tail = following(host);
        holder.seek(holder.length());
        holder.writeBytes("one more\n");
        Await.until(() -> !followers().isEmpty());
        assertThat(tail).isNotDone();
      }
      CommandLineRun run = tail.get(2, TimeUnit.MINUTES);
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).isEqualTo("Data generation complete!\none more\n");
    }
  }

  @Test
  @Hostile("the same line started once more, which empties the log")
  void aLogThatIsBegunAnewIsReadFromItsStart() throws Exception {
    try (StandInHost host = start(Map.of())) {
      run(host, "seq 1 1000; " + waiting());
      CompletableFuture<CommandLineRun> tail = following(host);

      run(host, "seq 2001 2003; " + waiting() + "; echo Data generation complete!");

      Await.until(() -> Files.size(log) < 100);
      Files.createFile(go);
      CommandLineRun run = tail.get(2, TimeUnit.MINUTES);
      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out())
          .containsPattern("\n1000\n(?s:.*)\\[log.replaced\\]")
          .contains("somebody began it anew; it is read from its start")
          .endsWith("\n2001\n2002\n2003\nData generation complete!\n");
    }
  }

  @Test
  @Hostile("a log that somebody deletes while it is written")
  void aLogThatIsDeletedIsFollowedToItsEnd() throws Exception {
    try (StandInHost host = start(Map.of())) {
      run(host, "seq 1 3; " + waiting() + "; seq 4 6; echo Data generation complete!");
      CompletableFuture<CommandLineRun> tail = following(host);

      Files.delete(log);
      Files.createFile(go);

      CommandLineRun run = tail.get(2, TimeUnit.MINUTES);
      assertThat(run.code()).as(run.err() + run.out()).isZero();
      assertThat(run.out()).isEqualTo("1\n2\n3\n4\n5\n6\nData generation complete!\n");
      assertThat(run.err()).contains("the job has ended");
    }
  }

  @Test
  @Hostile("paths that are no log: nothing, a folder, a pipe")
  void whatIsNoLogIsRefused() throws Exception {
    try (StandInHost host = start(Map.of())) {
      Path pipe = folder.resolve("pipe");
      assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();

      CommandLineRun missing = about(host, "tail-log", log);
      assertThat(missing.code()).isEqualTo(11);
      assertThat(missing.err())
          .contains("box:" + log + ": there is no such log")
          .contains("try: the path behind > in the line");
      for (Path other : List.of(folder, pipe)) {
        CommandLineRun run = about(host, "tail-log", other);
        assertThat(run.code()).isEqualTo(11);
        assertThat(run.err()).contains("is no regular file, and no log");
      }
    }
  }

  @Test
  void aLogOfThisMachineIsReadWithoutSsh() throws Exception {
    Files.writeString(log, "Data generation complete!\n");

    CommandLineRun run = here("tail-log", log.toString());

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).isEqualTo("Data generation complete!\n");
    CommandLineRun missing = here("tail-log", go.toString());
    assertThat(missing.code()).isEqualTo(3);
    assertThat(missing.err()).contains(go + ": there is no such log");
  }

  @Test
  void theLogOfARunByItsPathIsThatRun() throws Exception {
    try (StandInHost host = start(Map.of())) {
      CommandLineRun launched =
          HandStarted.command(host, "extract", "--profile", host.profile().toString(), "--detach");
      assertThat(launched.code()).as(launched.err()).isZero();

      CommandLineRun run = about(host, "tail-log", host.files().log());

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).contains("this is the log of run ", "finished with code 0");
    }
  }

  @Test
  void samplesOfALiveJobAreVerifiedByTheirPath() throws Exception {
    try (StandInHost host = start(Map.of("EAGLE3_STAND_IN_BATCH_SECONDS", "600"))) {
      HandStarted.start(host, log);
      Await.until(() -> Files.readString(log).contains(" 1/5 "));

      CommandLineRun run = about(host, "verify-shapes", host.files().output());

      assertThat(run.code()).as(run.err() + run.out()).isZero();
      assertThat(run.out()).contains("2 of 2 good");
      assertThat(about(host, "verify-shapes", log).code()).isEqualTo(16);
    }
  }

  @Test
  @Hostile("an output folder that a live job of no run saves in")
  void extractLeavesTheFolderOfALiveJobAlone() throws Exception {
    try (StandInHost host = start(Map.of("EAGLE3_STAND_IN_BATCH_SECONDS", "5"))) {
      HandStarted.start(host, log);
      Await.until(() -> Files.readString(log).contains("shards:  1"));

      for (List<String> mode :
          List.of(
              List.of("--yes"),
              List.of("--resume"),
              List.of("--previous-output", "delete", "-y"))) {
        assertRefused(host, mode);
      }

      CommandLineRun tail = about(host, "tail-log", log);
      assertThat(tail.code()).as(tail.err() + tail.out()).isZero();
      assertThat(tail.out()).contains("10 of 10 good");
      assertThat(beside(host.files().output())).containsExactly("hidden_states");
      CommandLineRun after =
          HandStarted.command(host, "extract", "--profile", host.profile().toString());
      assertThat(after.code()).as(after.err()).isZero();
    }
  }

  private void assertRefused(StandInHost host, List<String> mode) {
    List<String> words =
        new ArrayList<>(List.of("extract", "--profile", host.profile().toString()));
    words.addAll(mode);
    CommandLineRun run = HandStarted.command(host, words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isEqualTo(11);
    assertThat(run.err())
        .contains(host.files().output() + ": is written to by process ")
        .contains("02_extract_hidden_states.py", "kill ");
  }

  private static List<String> beside(Path output) throws IOException {
    try (Stream<Path> all = Files.list(output.getParent())) {
      return all.map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith("hidden_states"))
          .toList();
    }
  }

  private StandInHost start(Map<String, String> variables) throws Exception {
    return StandInHost.start(folder, variables);
  }

  /** Starts shell text by hand, with its output in the log. */
  private void run(StandInHost host, String text) throws Exception {
    HandStarted.ssh(host, "nohup bash -c \"" + text + "\" > " + log + " 2>&1 &");
    Await.until(() -> Files.exists(log));
  }

  private String waiting() {
    return "until [ -e " + go + " ]; do sleep 0.05; done";
  }

  /** Follows the log in another thread; returns once it is read. */
  private CompletableFuture<CommandLineRun> following(StandInHost host) {
    CompletableFuture<CommandLineRun> tail =
        CompletableFuture.supplyAsync(() -> about(host, "tail-log", log));
    Await.until(() -> !followers().isEmpty());
    return tail;
  }

  private List<ProcessHandle> followers() {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().command().orElse("").endsWith("/tail"))
        .filter(process -> process.info().commandLine().orElse("").contains(log.toString()))
        .toList();
  }

  private static String rest(CommandLineRun run, String written) {
    return run.out().substring(Math.min(written.length(), run.out().length()));
  }

  private CommandLineRun here(String... words) {
    return CommandLineRun.at(
        folder, Map.of("PATH", System.getenv("PATH"), "HOME", folder.toString()), words);
  }
}
