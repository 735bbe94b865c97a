package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.plan.RunId;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guard of real runs, whose jobs save what a test gives them. */
@Tag("slow")
class GuardTest {
  private static final AtomicInteger SALT =
      new AtomicInteger((int) (System.nanoTime() & 0xfffffff));

  /** Saves each file in turn; {@code -} waits for a file {@code go} beside the script. */
  private static final String JOB =
      """
      import os, shutil, sys, time
      output, files = sys.argv[1], sys.argv[2:]
      os.makedirs(output, exist_ok=True)
      for file in files:
          if file == '-':
              while not os.path.exists(os.path.join(os.path.dirname(sys.argv[0]), 'go')):
                  time.sleep(0.05)
          elif file.startswith('held:'):
              held = open(os.path.join(output, 'data_0.pt'), 'wb')
              held.write(open(file[5:], 'rb').read()[:5000])
              held.flush()
          else:
              shutil.copy(file, output)
      """;

  /** Words of all processes. */
  private static final String BESIDE = "cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' '";

  @TempDir Path folder;
  private RunBench bench;
  private Path samples;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
    samples = Files.createDirectories(folder.toRealPath().resolve("samples"));
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  @Hostile("every sample of the first batch has other layers")
  void aFirstBatchWithOtherLayersEndsTheRunAndTheNoteSaysWhy() throws IOException {
    ExtractionPlan plan = plan(2, "auto", unwrapped(0), unwrapped(1), "-");

    bench.launch(plan);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Killed("TERM", 143, List.of()));
    EndNote end = bench.status(plan).endedSince().orElseThrow();
    assertThat(end.by()).isEqualTo("guard");
    assertThat(end.since()).isEqualTo("all of its first batch has the wrong form (layers.count)");
    assertThat(end.finding())
        .contains(
            Finding.of(
                "layers.count",
                Severity.ERROR,
                plan.outputDir() + "/data_0.pt",
                "4 × [20, H]",
                "29 × [20]"));
    assertNoGuard(plan);
  }

  @Test
  void oneWrongSampleOfAFirstBatchIsNotedAndTheRunGoesOn() throws IOException {
    ExtractionPlan plan = plan(2, "auto", unwrapped(0), good(1), good(2), good(3), "-");

    bench.launch(plan);

    awaitFindings(plan, 1);
    go();
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    assertThat(bench.status(plan).endedSince()).isEmpty();
    assertNoGuard(plan);
  }

  @Test
  @Hostile("three of ten samples are cut, none of them in the first batch")
  void threeBadSamplesOfTenEndTheRun() throws IOException {
    ExtractionPlan plan = plan(1, "auto", good(0), good(1), cut(2), good(3), cut(4), cut(5), "-");

    bench.launch(plan);

    assertThat(bench.ended(plan).code()).isEqualTo(143);
    assertThat(bench.status(plan).endedSince().orElseThrow().since())
        .matches("3 of its last \\d+ samples have the wrong form");
  }

  @Test
  void stopEndsTheRunForAnyBadSample() throws IOException {
    List<String> files = new ArrayList<>(List.of(good(0), good(1), unwrapped(2)));
    for (int number = 3; number < 16; number++) {
      files.add(good(number));
    }
    files.add("-");
    ExtractionPlan plan = plan(1, "stop", files.toArray(String[]::new));

    bench.launch(plan);

    assertThat(bench.ended(plan).code()).isEqualTo(143);
    assertThat(bench.status(plan).endedSince().orElseThrow().since()).isEqualTo("data_2.pt is bad");
  }

  @Test
  void warnNeverEndsTheRun() throws IOException {
    ExtractionPlan plan = plan(1, "warn", unwrapped(0), cut(1), cut(2), cut(3), "-");

    bench.launch(plan);

    awaitFindings(plan, 4);
    go();
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
  }

  @Test
  @Hostile("a sample that looks cut is still open for writing")
  void aSampleThatIsBeingWrittenIsNotJudged() throws IOException {
    ExtractionPlan plan = plan(1, "warn", "held:" + good(0), cut(1), "-");

    bench.launch(plan);

    awaitFindings(plan, 1);
    assertThat(notes(plan).findings())
        .extracting(Finding::subject)
        .containsExactly(plan.outputDir() + "/data_1.pt");
  }

  @Test
  @Hostile("hostile tensor files are saved before a bad one")
  void hostileFilesNeitherEndNorStopIt() throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> hostile =
        Files.list(Path.of("src/test/resources/fixtures/tensors/hostile"))) {
      for (Path file : hostile.filter(one -> one.toString().endsWith(".pt")).toList()) {
        Path sample = samples.resolve("data_" + (100 + files.size()) + ".pt");
        files.add(Files.copy(file, sample).toString());
      }
    }
    files.add(cut(999));
    files.add("-");
    ExtractionPlan plan = plan(1, "warn", files.toArray(String[]::new));

    bench.launch(plan);

    Await.until(
        () ->
            notes(plan).findings().stream()
                .anyMatch(finding -> finding.subject().endsWith("/data_999.pt")));
    assertThat(notes(plan).says()).isEmpty();
  }

  @Test
  @Hostile("the disk is full, and the first sample is cut")
  void onAFullDiskItNotesAndEndsAllTheSame() throws IOException {
    Path home = Files.createDirectories(folder.toRealPath().resolve("small"));
    String cut = cut(0);
    String script = script().toString();
    Room room = Room.open(folder, false, "mount -t tmpfs -o size=2m none \"$1\"", home.toString());
    try (room;
        RunBench small =
            new RunBench(
                home, room.host(Map.of("HOME", home.toString(), "PATH", System.getenv("PATH"))))) {
      ExtractionPlan plan = plan(small.host().name(), home, 1, "auto", List.of(script, cut, "-"));
      small.launch(plan);
      room.run(
          "until [ -s '"
              + plan.outputDir()
              + "/data_0.pt' ]; do sleep 0.05; done; cat /dev/zero >'"
              + home
              + "/full' 2>/dev/null; true");

      assertThat(small.ended(plan).code()).isEqualTo(143);
      RunStatus status = small.status(plan);
      assertThat(status.endedSince().orElseThrow().since()).contains("data_0.pt");
      assertThat(status.details().notes().findings())
          .extracting(Finding::code)
          .contains("disk.nearly-full");
    }
  }

  @Test
  @Hostile("the samples that are still to come do not fit on the disk")
  void aDiskThatWillBeFullIsSaidAndTheRunGoesOn() throws IOException {
    Path home = Files.createDirectories(folder.toRealPath().resolve("small"));
    List<String> words = List.of(script().toString(), good(0), "-");
    Room room = Room.open(folder, false, "mount -t tmpfs -o size=2m none \"$1\"", home.toString());
    try (room;
        RunBench small =
            new RunBench(
                home, room.host(Map.of("HOME", home.toString(), "PATH", System.getenv("PATH"))))) {
      room.run("yes '{}' | head -n 1000 >'" + home + "/prepared.jsonl'");
      ExtractionPlan plan = plan(small.host().name(), home, 1, "auto", words);
      small.launch(plan);

      Await.until(() -> diskTooSmall(small, plan).isPresent());

      Finding finding = diskTooSmall(small, plan).orElseThrow();
      assertThat(finding.severity()).isEqualTo(Severity.WARNING);
      assertThat(finding.subject()).isEqualTo(plan.outputDir());
      assertThat(finding.expected()).endsWith(" for 999 more samples");
      go();
      assertThat(small.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    }
  }

  private static Optional<Finding> diskTooSmall(RunBench bench, ExtractionPlan plan) {
    return bench.status(plan).details().notes().findings().stream()
        .filter(finding -> finding.code().equals("disk.too-small"))
        .findFirst();
  }

  @Test
  @Hostile("the wrapper of a run is killed where nobody asks how its children ended")
  void aWrapperThatIsAZombieIsOverForItsGuard() throws IOException {
    Path home = Files.createDirectories(folder.toRealPath().resolve("inside"));
    List<String> words = List.of(script().toString(), "-");
    Room room = Room.open(folder, true, ":", "");
    try (room;
        RunBench inside =
            new RunBench(
                home, room.host(Map.of("HOME", home.toString(), "PATH", System.getenv("PATH"))))) {
      ExtractionPlan plan = plan(inside.host().name(), home, 1, "auto", words);
      // Not by the bench, which would end what is left by numbers that mean something only inside.
      OutputLocker.lock(inside.scripts(), plan);
      Launched launched = Launcher.launch(inside.scripts(), plan);
      Await.until(() -> room.run(BESIDE).contains("guard.py"));

      room.run("kill -KILL " + launched.pid());

      Await.until(() -> !room.run(BESIDE).contains("guard.py"));
      assertThat(inside.state(plan)).isInstanceOf(RunState.Orphaned.class);
      Await.until(() -> !room.run(BESIDE).contains("eagle3-alive"));
    }
  }

  @Test
  @Hostile("the guard of a run is killed")
  void aRunGoesOnWithoutItsGuard() throws IOException {
    ExtractionPlan plan = plan(1, "auto", good(0), "-");
    bench.launch(plan);
    Await.until(() -> guards(plan).size() == 1);

    RunBench.signal("STOP", guards(plan).get(0));
    assertThat(bench.state(plan).says()).isEqualTo("it is running");
    RunBench.signal("KILL", guards(plan).get(0));
    go();

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
  }

  @Test
  @Hostile("the plan of a run is garbage")
  void aGuardThatCannotWatchSaysSoAndTheRunGoesOn() throws IOException {
    ExtractionPlan plan = plan(1, "auto", good(0), "-");
    bench.launch(plan);
    Path run = bench.folder(plan);
    Await.until(() -> guards(plan).size() == 1);
    RunBench.signal("KILL", guards(plan).get(0));
    Files.writeString(run.resolve("plan.json"), "[".repeat(100_000));

    Process again =
        new ProcessBuilder(
                Tools.find("python3").toString(), "-I", "-S", run + "/guard.py", "1", "1")
            .start();

    Await.until(() -> !again.isAlive());
    assertThat(notes(plan).says())
        .singleElement()
        .asString()
        .startsWith("the guard of the run gave up");
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  void withoutAPythonTheRunGoesOnAndSaysThatNobodyWatches() throws IOException {
    ExtractionPlan plan =
        bench.plan("until [ -e \"$1\" ]; do sleep 0.05; done\n", bench.home() + "/go");
    bench.launch(plan);

    Await.until(() -> !notes(plan).says().isEmpty());

    assertThat(notes(plan).says())
        .containsExactly(
            "no guard watches over the run on its host, since no Python 3 was found for it");
    Files.createFile(bench.home().resolve("go"));
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
  }

  @Test
  @Hostile("the output folder is a mount point, and a bad file was set aside within it")
  void aFileThatWasSetAsideWithinTheOutputFolderIsNoSampleOfTheRun() throws IOException {
    List<String> words = List.of(script().toString(), "-");
    ExtractionPlan plan =
        plan("specforge-eagle3", bench.host().name(), bench.home(), 1, "warn", words);
    byte[] cut = Files.readAllBytes(Path.of(cut(0)));
    for (String name : List.of(".quarantine-20260101-000000-aaaa", "rows_0-2000")) {
      Path inner = Files.createDirectories(Path.of(plan.outputDir(), name));
      Files.write(inner.resolve("data_7.ckpt"), cut);
    }

    bench.launch(plan);

    awaitFindings(plan, 1);
    assertThat(notes(plan).findings())
        .extracting(Finding::subject)
        .containsExactly(plan.outputDir() + "/rows_0-2000/data_7.ckpt");
    go();
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
  }

  private void go() throws IOException {
    Files.createFile(folder.toRealPath().resolve("go"));
  }

  private GuardNotes notes(ExtractionPlan plan) {
    return bench.status(plan).details().notes();
  }

  private void awaitFindings(ExtractionPlan plan, int count) {
    Await.until(() -> notes(plan).findings().size() >= count);
  }

  private void assertNoGuard(ExtractionPlan plan) {
    Await.until(() -> guards(plan).isEmpty());
  }

  /** Processes of guards of this run. */
  private List<Long> guards(ExtractionPlan plan) {
    return ProcessHandle.allProcesses()
        .filter(
            one ->
                one.info()
                    .commandLine()
                    .filter(words -> words.contains(plan.run() + "/guard.py"))
                    .isPresent())
        .map(ProcessHandle::pid)
        .toList();
  }

  private String good(int number) throws IOException {
    return write(number, TorchFileWriter.sample(20, 4, "bfloat16", 20, 64).bytes());
  }

  private String unwrapped(int number) throws IOException {
    return write(number, TorchFileWriter.sample(20, 29, "bfloat16", 20).bytes());
  }

  private String cut(int number) throws IOException {
    byte[] whole = TorchFileWriter.sample(20, 4, "bfloat16", 20, 64).bytes();
    return write(number, Arrays.copyOf(whole, whole.length / 2));
  }

  private String write(int number, byte[] bytes) throws IOException {
    return Files.write(samples.resolve("data_" + number + ".pt"), bytes).toString();
  }

  private Path script() throws IOException {
    return Files.writeString(folder.toRealPath().resolve("job.py"), JOB);
  }

  private ExtractionPlan plan(int batch, String onBad, String... files) throws IOException {
    List<String> words = new ArrayList<>(List.of(script().toString()));
    words.addAll(List.of(files));
    return plan(bench.host().name(), bench.home(), batch, onBad, words);
  }

  private static ExtractionPlan plan(
      String host, Path home, int batch, String onBad, List<String> words) {
    return plan("speculators-list", host, home, batch, onBad, words);
  }

  private static ExtractionPlan plan(
      String schema, String host, Path home, int batch, String onBad, List<String> words) {
    int salt = SALT.getAndIncrement();
    RunId run = RunId.of(Instant.parse("2026-11-29T18:00:00Z").plusSeconds(salt % 100_000), salt);
    String output = home.resolve("hidden states " + run).toString();
    List<String> arguments = new ArrayList<>(List.of(output));
    arguments.addAll(words.subList(1, words.size()));
    return new ExtractionPlan(
            run,
            host,
            "test",
            Tools.find("python3").toString(),
            words.get(0),
            arguments,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            "/models/m",
            home.resolve("prepared.jsonl").toString(),
            output,
            home.resolve("extract.log").toString(),
            List.of(2, 30, 58, 60),
            1,
            batch,
            2048,
            List.of(),
            ClearGpus.NONE,
            PreviousOutput.SET_ASIDE,
            Optional.empty(),
            Optional.of(schema))
        .withOnBad(onBad);
  }
}
