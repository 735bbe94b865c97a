package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogReaderTest {
  private final List<Event> events = new ArrayList<>();

  private LogReader read(byte[] bytes) {
    LogReader reader = new LogReader(SampleRules.RULES, 0, events::add);
    reader.accept(bytes, bytes.length);
    reader.finish();
    return reader;
  }

  private LogReader read(String text) {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  private Stream<String> lines() {
    return of(Event.LogLine.class).map(Event.LogLine::text);
  }

  private <E extends Event> Stream<E> of(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast);
  }

  /**
   * Logs made of the lines of public ones: a run of the story that ends well, and one that fails.
   */
  static byte[] recorded(String name) throws IOException {
    try (InputStream stream = LogReaderTest.class.getResourceAsStream("/log/" + name)) {
      assertThat(stream).as(name).isNotNull();
      return stream.readAllBytes();
    }
  }

  @Test
  void aRunThatEndsWellShowsItsMilestonesAndItsProgress() throws IOException {
    LogReader reader = read(recorded("done.log"));
    assertThat(of(Event.Milestone.class))
        .extracting(Event.Milestone::name, Event.Milestone::says)
        .containsExactly(
            tuple(
                "initializing", "Initializing hidden states generator for /shared/kimi-k2.5-int4"),
            tuple("executor", "Initializing executor..."),
            tuple("model-loaded", "Model loading took 70.9812 GiB and 624.013355 seconds"),
            tuple(
                "capture-ready", "Hidden states capture setup complete for layers [2, 30, 58, 60]"),
            tuple("processing", "Processing 10/10 samples"),
            tuple(
                "saved", "Saved 10 new data points to /root/eagle3-train/data_test/hidden_states"),
            tuple("complete", "Data generation complete!"));
    assertThat(of(Event.Progress.class).filter(bar -> bar.what().equals("shards")))
        .extracting(Event.Progress::done)
        .containsExactlyElementsOf(Stream.iterate(0L, n -> n + 1).limit(120).toList());
    assertThat(of(Event.Progress.class).filter(bar -> !bar.what().equals("shards")))
        .contains(
            new Event.Progress("batches", 0, 5, Double.NaN, -1),
            new Event.Progress("batches", 5, 5, 1 / 12.5, 0),
            new Event.Progress("files", 7, 10, 68.22, 0))
        .hasSize(9);
    assertThat(lines()).noneMatch(line -> line.contains("%") || line.contains("\u001b"));
    assertThat(lines()).filteredOn(line -> line.contains("moe.py")).hasSize(2);
    assertThat(of(Event.LogLine.class).filter(line -> line.stream().equals("error")))
        .singleElement()
        .satisfies(line -> assertThat(line.text()).contains("Cannot use FA version 2"));
    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.lastLines())
        .hasSize(5)
        .allMatch(line -> line.contains("Parent process exited, terminating worker"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"done.log", "out-of-memory.log"})
  void howTheBytesAreCutDoesNotMatter(String name) throws IOException {
    byte[] bytes = recorded(name);
    LogReader wholeReader = read(bytes);
    List<Event> whole = List.copyOf(events);
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      int most = seed == 0 ? 1 : 1 + random.nextInt(seed < 20 ? 10 : 9000);
      List<Event> cut = new ArrayList<>();
      LogReader reader = new LogReader(SampleRules.RULES, 0, cut::add);
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + random.nextInt(most + 1));
        byte[] chunk = Arrays.copyOfRange(bytes, from, to + 3);
        reader.accept(chunk, to - from);
        from = to;
      }
      reader.finish();
      assertThat(cut).as("seed %d", seed).isEqualTo(whole);
      assertThat(reader.lastErrors()).isEqualTo(wholeReader.lastErrors());
      assertThat(reader.offset()).isEqualTo(bytes.length);
    }
  }

  @Test
  void offsetsAreThoseOfTheLog() {
    LogReader reader = new LogReader(LogRules.NONE, 1000, events::add);
    byte[] bytes = "é\r\n\nab\rcd".getBytes(StandardCharsets.UTF_8);
    reader.accept(bytes, bytes.length);
    assertThat(reader.offset()).isEqualTo(1010);
    assertThat(lines()).containsExactly("é", "", "ab");
    reader.finish();
    reader.finish();
    assertThat(events)
        .containsExactly(
            new Event.LogLine(1000, "é", "line"),
            new Event.LogLine(1004, "", "line"),
            new Event.LogLine(1005, "ab", "line"),
            new Event.LogLine(1008, "cd", "line"));
  }

  @Test
  void theSameProgressIsNotShownTwice() {
    String bar = "\rLoading checkpoint shards:  50%|█████     | 1/2 [00:01<00:01,  1.00it/s]";
    read(bar + bar + bar + "\n");
    assertThat(events).containsExactly(new Event.Progress("shards", 1, 2, 1, 1));
  }

  @Test
  void aMessageGluedToProgressIsALine() {
    read(
        "\rGenerating hidden states:  20%|██        | 1/5 [00:12<00:48, 12.10s/it]"
            + "(Worker_TP1 pid=7) INFO 02-09 16:17:03 [a.py:7] hello\n");
    assertThat(events)
        .containsExactly(
            new Event.Progress("batches", 1, 5, 1 / 12.1, 48),
            new Event.LogLine(1, "(Worker_TP1 pid=7) INFO 02-09 16:17:03 [a.py:7] hello", "line"));
  }

  @Test
  void aMilestoneIsALineTooAndShownOnce() {
    read("(Worker_TP0 pid=1) Model loading took 1.0 GiB and 2 seconds\n".repeat(3));
    assertThat(of(Event.Milestone.class))
        .containsExactly(
            new Event.Milestone("model-loaded", "Model loading took 1.0 GiB and 2 seconds"));
    assertThat(lines()).hasSize(3);
  }

  @Test
  void terminalSequencesAreTakenOut() {
    read("\u001b[1;36m(Worker_TP0 pid=5)\u001b[0;0m \u001b]0;title\u0007INFO\u001b[K x\n");
    assertThat(lines()).containsExactly("(Worker_TP0 pid=5) INFO x");
  }

  @Test
  void bytesThatAreNoTextBecomeReplacementCharacters() {
    read(new byte[] {'a', (byte) 0xff, (byte) 0xc3, '\n', 0, (byte) 0xe2, (byte) 0x82, '\n'});
    assertThat(lines()).containsExactly("a\ufffd\ufffd", "\0\ufffd");
  }

  @Test
  void aLongLineIsCutBetweenCharactersAndTheRestIsCounted() {
    read("x" + "é".repeat(5000) + "\nnext\n");
    assertThat(lines()).containsExactly("x" + "é".repeat(4095) + "… (1810 more bytes)", "next");
  }

  @Test
  void anEndlessLineNeedsNoMemory() {
    LogReader reader = new LogReader(SampleRules.RULES, 0, events::add);
    byte[] chunk = new byte[64 * 1024];
    Arrays.fill(chunk, (byte) 'x');
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    // The virtual machine counts by the buffer: of one part it may count what was not taken.
    long least = Long.MAX_VALUE;
    for (int part = 0; part < 4; part++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int count = 0; count < 4 * 1024; count++) {
        reader.accept(chunk, chunk.length);
      }
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    reader.finish();
    assertThat(least).isLessThan(1024 * 1024);
    assertThat(reader.offset()).isEqualTo(1L << 30);
    assertThat(lines()).singleElement().asString().endsWith("x… (1073733632 more bytes)");
  }

  @Test
  void hostileLogsKeepWhatIsRememberedSmall() {
    LogReader reader = new LogReader(SampleRules.RULES, 0, event -> {});
    for (int n = 0; n < 5_000; n++) {
      byte[] line =
          ("(Worker_TP"
                  + n
                  + " pid=1) Traceback (most recent call last):\r"
                  + n
                  + ": 50%|#| 1/2 [1:1<1]\r")
              .getBytes(StandardCharsets.UTF_8);
      reader.accept(line, line.length);
    }
    assertThat(reader.lastErrors()).hasSize(1);
    assertThat(reader.lastLines()).hasSize(5);
  }

  @Test
  void aSetupLineThatFailedIsTheCauseWhateverTheExtractorIs() {
    String text =
        "eagle3: setup line 1 of 2: module load cuda/99\n"
            + "Lmod has detected the following error: no cuda/99\n"
            + "eagle3: the job was not started: setup line 1 of 2 ended with code 1: module load"
            + " cuda/99\n";

    assertThat(read(text).firstFailure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.code()).isEqualTo("setup.failed");
              assertThat(failure.says())
                  .isEqualTo(
                      "line 1 of setup ended with code 1, so the job was not started: module load"
                          + " cuda/99");
            });
  }
}
