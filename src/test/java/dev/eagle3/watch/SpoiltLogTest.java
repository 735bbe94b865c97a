package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.Await;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.Launched;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Logs to which something happens while they are watched. */
@Tag("slow")
class SpoiltLogTest {
  private static final String WAITING = "until [ -e \"$1\" ]; do sleep 0.05; done\n";
  private static final int FIRST_PART_BYTES = 3893;

  @TempDir Path folder;
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
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
  @Hostile("a log that is cut, and written on before anybody notices")
  void whatIsWrittenRightAfterALogWasCutArrivesOnce() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 1000\n" + WAITING + "seq 1001 1200\nsleep 2\n", go());
    CompletableFuture<Watched> watching = watch(plan);

    Files.write(log(plan), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    Files.createFile(Path.of(go()));

    assertThat(watching.get(1, TimeUnit.MINUTES).last().state().code()).isZero();
    assertThat(lines()).hasSize(1200).isEqualTo(numbers(1, 1200));
    assertThat(codes()).containsExactly("log.replaced");
  }

  @Test
  @Hostile("a log that is cut under a writer that keeps its place: a hole")
  void theHoleInALogThatWasCutUnderItsWriterIsPassedOver() throws Exception {
    ExtractionPlan plan =
        bench.plan(
            "exec 1<>\"$HOME/.eagle3/runs/$EAGLE3_RUN/log\"\nseq 1 1000\n"
                + WAITING
                + "seq 1001 1200\n",
            go());
    CompletableFuture<Watched> watching = watch(plan);

    Files.write(log(plan), new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
    Await.until(() -> codes().contains("log.replaced"));
    Files.createFile(Path.of(go()));

    assertThat(watching.get(1, TimeUnit.MINUTES).last().state().code()).isZero();
    assertThat(lines()).hasSize(1200).isEqualTo(numbers(1, 1200));
    assertThat(codes()).containsExactly("log.replaced");
  }

  @ParameterizedTest
  @CsvSource({
    "mv LOG LOG.1, log.replaced, nothing",
    "rm LOG, log.replaced, nothing",
    "mv LOG LOG.1 && echo other >LOG, log.replaced, another file",
    "mv LOG LOG.1 && mkdir LOG, log.unreadable, a folder",
  })
  @Hostile("a log that is moved, removed, replaced, or a folder stands there")
  void whatTheJobWritesIsReadWhereverItsLogIs(String what, String code, String stands)
      throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 1000\n" + WAITING + "seq 1001 1200\n", go());
    CompletableFuture<Watched> watching = watch(plan);

    String shell = what.replace("LOG", "'" + log(plan) + "'");
    shell = shell.replace("'.1", ".1'");
    assertThat(new ProcessBuilder("sh", "-c", shell).start().waitFor()).isZero();
    Await.until(() -> codes().contains(code));
    Files.createFile(Path.of(go()));

    assertThat(watching.get(1, TimeUnit.MINUTES).last().state().code()).isZero();
    assertThat(lines()).hasSize(1200).isEqualTo(numbers(1, 1200));
    // Between the two commands nothing stands there, which may be seen.
    assertThat(found().stream().filter(one -> !one.finding().actual().equals("nothing")).toList())
        .hasSizeLessThanOrEqualTo(1);
    assertThat(found())
        .last()
        .satisfies(
            one -> {
              assertThat(one.finding().code()).isEqualTo(code);
              assertThat(one.finding().actual()).isEqualTo(stands);
            });
  }

  @Test
  @Hostile("a log that was moved, and its stream ends")
  void aMovedLogIsFoundAgainWhenItsStreamEnds() throws Exception {
    ExtractionPlan plan = bench.plan("seq 1 1000\n" + WAITING + "seq 1001 1200\n", go());
    CompletableFuture<Watched> watching = watch(plan);
    Files.move(log(plan), log(plan).resolveSibling("moved"));
    Await.until(() -> codes().contains("log.replaced"));

    followers(plan).forEach(ProcessHandle::destroyForcibly);
    Files.createFile(Path.of(go()));

    assertThat(watching.get(1, TimeUnit.MINUTES).last().state().code()).isZero();
    assertThat(lines()).hasSize(1200).isEqualTo(numbers(1, 1200));
  }

  @Test
  @Hostile("a log of garbage, and of one line of 100 MB")
  void garbageAndALineWithoutEndAreReadToTheirEnd() throws Exception {
    ExtractionPlan plan =
        bench.plan(
            "head -c 300000 /dev/urandom\necho\nhead -c 100000000 /dev/zero | tr '\\0' x\n"
                + "echo\necho over\n");
    Launched launched = bench.launch(plan);

    Watched watched =
        new RunWatcher(bench.scripts(), launched.folder(), LogRules.NONE, events::add).watch(0);

    assertThat(watched.log().offset()).isEqualTo(Files.size(log(plan)));
    List<String> lines = lines();
    assertThat(lines.get(lines.size() - 1)).isEqualTo("over");
    assertThat(lines.get(lines.size() - 2)).hasSizeLessThan(10_000).contains("more bytes");
    assertThat(codes()).isEmpty();
  }

  @Test
  @Hostile("the disk of the log is full while the job goes on")
  void aFullDiskEndsTheLogAndNotTheWatch() throws Exception {
    Path disk = Files.createDirectories(folder.toRealPath().resolve("disk"));
    try (Room room =
            Room.open(
                folder, false, "mount -t tmpfs -o size=400k,mode=700 none \"$1\"", "" + disk);
        RunBench small =
            new RunBench(
                disk,
                room.host(Map.of("PATH", System.getenv("PATH"), "HOME", disk.toString()), "env"))) {
      ExtractionPlan plan = plan(small, "seq 1 100000\n" + WAITING + "exit 7\n");
      Launched launched = small.launch(plan);
      RunWatcher watcher =
          new RunWatcher(small.scripts(), launched.folder(), LogRules.NONE, events::add);
      CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
      Await.until(() -> watcher.offset() > 100_000);
      Files.createFile(Path.of(go()));

      Watched watched = watching.get(1, TimeUnit.MINUTES);

      assertThat(watched.last().state().code()).isEqualTo(7);
      assertThat(watched.log().offset()).isEqualTo(watched.last().logBytes());
      assertThat(lines()).startsWith("1", "2", "3");
    }
  }

  @Test
  @Hostile("a client that is gone without a word, as the host sees it")
  void aFollowerWhoseClientSaysNothingEndsByItself() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "line\n");
    ScriptCall call = ScriptCall.of("follow-log", file.toString(), "0", "1");

    try (RunningCommand follower = new HostScripts(bench.host()).start(call)) {
      assertThat(follower.stdout().readAllBytes()).asString().isEqualTo("line\n");
    }
  }

  /** The job of a bench whose home only its host sees lies where both see it. */
  private ExtractionPlan plan(RunBench small, String job) throws IOException {
    ExtractionPlan like = bench.plan(job, go());
    return small.plan(like.run(), like.script(), List.of(go()), Map.of());
  }

  private CompletableFuture<Watched> watch(ExtractionPlan plan) {
    Launched launched = bench.launch(plan);
    RunWatcher watcher =
        new RunWatcher(bench.scripts(), launched.folder(), LogRules.NONE, events::add);
    CompletableFuture<Watched> watching = CompletableFuture.supplyAsync(() -> watcher.watch(0));
    Await.until(() -> watcher.offset() == FIRST_PART_BYTES && !followers(plan).isEmpty());
    return watching;
  }

  private String go() {
    return bench.home() + "/go";
  }

  private Path log(ExtractionPlan plan) {
    return bench.folder(plan).resolve("log");
  }

  private List<String> lines() {
    synchronized (events) {
      return events.stream()
          .filter(Event.LogLine.class::isInstance)
          .map(event -> ((Event.LogLine) event).text())
          .collect(Collectors.toList());
    }
  }

  private static List<String> numbers(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(String::valueOf).toList();
  }

  private List<Event.Found> found() {
    synchronized (events) {
      return events.stream()
          .filter(Event.Found.class::isInstance)
          .map(Event.Found.class::cast)
          .toList();
    }
  }

  private List<String> codes() {
    return found().stream().map(one -> one.finding().code()).toList();
  }

  private List<ProcessHandle> followers(ExtractionPlan plan) {
    String log = log(plan).toString();
    return ProcessHandle.allProcesses()
        .filter(
            process -> {
              String line = process.info().commandLine().orElse("");
              return line.contains("tail") && line.contains(log);
            })
        .toList();
  }
}
