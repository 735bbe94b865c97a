package dev.eagle3.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Event;
import dev.eagle3.report.TextReport.About;
import org.junit.jupiter.api.Test;

class TextReportProgressTest {
  private static final Screen TERMINAL = new Screen(true, true, 60, false);

  private final ReportStreams streams = new ReportStreams();

  @Test
  void aPipeSeesProgressOccasionally() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    for (int second = 0; second <= 1000; second++) {
      streams.nanos.set(second * 1_000_000_000L);
      report.emit(new Event.Progress("batches", second, 1000, 1, 1000 - second));
    }
    assertThat(streams.err().lines()).hasSize(101).first().asString().contains("batches 0/1000");
    assertThat(streams.err()).endsWith("samples   batches 1000/1000  100%  1.0 batches/s\n");
    streams.reset();
    for (int done = 0; done < 500; done++) {
      report.emit(new Event.Progress("files", done, 1000, Double.NaN, -1));
    }
    assertThat(streams.err())
        .isEqualTo(
            """
            samples   files 0/1000  0%
            samples   files 100/1000  10%
            samples   files 200/1000  20%
            samples   files 300/1000  30%
            samples   files 400/1000  40%
            """);
  }

  @Test
  void whatIsUsedOfTheHostStandsBehindTheProgressOfARun() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    ReportStreams.emit(
        report,
        new Event.Usage(3L << 40, 8, 568_320, 783_360),
        new Event.Progress("samples", 2, 10, 0.5, 16),
        new Event.Usage(-1, 1, 1024, 2048),
        new Event.Progress("shards", 2, 10, Double.NaN, -1),
        new Event.Usage(-1, 0, -1, -1),
        new Event.Progress("batches", 1, 5, Double.NaN, -1),
        new Event.Usage(3L << 40, 8, 568_320, 783_360),
        new Event.Progress("bytes", 1, 5, Double.NaN, -1));
    assertThat(streams.err())
        .isEqualTo(
            """
            samples   samples 2/10  20%  2.0 s/sample  ETA 16s  disk 3.0 TiB free  GPUs 555/765 GiB
            load      shards 2/10  20%  GPU 1/2 GiB
            samples   batches 1/5  20%
            pull      1 B of 5 B  20%
            """);
  }

  @Test
  void kindsOfProgressThatComeInTurnsAreNoMoreThanOneByOne() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    for (int done = 1; done < 100; done++) {
      report.emit(new Event.Progress("samples", 2L * done, 2000, Double.NaN, -1));
      report.emit(new Event.Progress("batches", done, 1000, Double.NaN, -1));
    }
    assertThat(streams.err().lines()).hasSize(2);
  }

  @Test
  void aTerminalHasOneLineAndCountsWhatIsSavedRatherThanWhatTheLogSays() {
    TextReport report = streams.onTerminal(new Screen(true, true, 72, false), About.RUN);
    report.emit(new Event.Progress("samples", 2, 10, Double.NaN, -1));
    streams.nanos.addAndGet(1_000_000_000);
    report.emit(new Event.Progress("batches", 1, 5, Double.NaN, -1));

    assertThat(streams.err()).isEmpty();
    assertThat(streams.out()).contains("samples 2/10").doesNotContain("batches");
  }

  @Test
  void progressWithoutATotalAndOfBytesIsShownToo() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    ReportStreams.emit(
        report,
        new Event.Progress("steps", 68, -1, 6.8, -1),
        new Event.Progress("bytes", 1 << 20, 1L << 40, 48 << 20, 21_845));
    assertThat(streams.err())
        .isEqualTo(
            """
            samples   steps 68  6.8 steps/s
            pull      1.0 MiB of 1.0 TiB  0%  48.0 MiB/s  ETA 6h04m
            """);
  }

  @Test
  void aTerminalSeesOneBarBelowAllLines() {
    TextReport report = streams.onTerminal(new Screen(true, true, 72, false), About.LOG);
    report.emit(new Event.Progress("shards", 14, 119, 1 / 5.2, 546));
    streams.nanos.addAndGet(1_000_000);
    report.emit(new Event.Progress("shards", 15, 119, 1 / 5.2, 541));
    streams.nanos.addAndGet(1_000_000_000);
    report.emit(new Event.Progress("shards", 50, 119, 1 / 5.2, 99));
    report.emit(new Event.LogLine(0, "hello", "line"));
    report.emit(new Event.Progress("shards", 119, 119, 1 / 5.2, 0));
    report.emit(new Event.LogLine(0, "bye", "line"));
    String bar14 = "load      shards 14/119  11%  [#..............]  5.2 s/shard  ETA 9m06s";
    String bar50 = "load      shards 50/119  42%  [######.........]  5.2 s/shard  ETA 1m39s";
    assertThat(streams.out())
        .isEqualTo(
            "\r"
                + bar14
                + "\r"
                + bar50
                + "\r"
                + " ".repeat(71)
                + "\rhello\n\r"
                + bar50
                + "\r"
                + " ".repeat(71)
                + "\rload      shards 119/119  100%  5.2 s/shard\nbye\n");
  }

  @Test
  void theBarNeverWraps() {
    for (int columns = 20; columns < 200; columns++) {
      streams.reset();
      TextReport report = streams.onTerminal(new Screen(true, true, columns, false), About.RUN);
      report.emit(new Event.Progress("w".repeat(500), 1, 3, 0.001, 123456));
      assertThat(streams.out()).startsWith("\r").hasSizeLessThanOrEqualTo(columns);
    }
  }

  @Test
  void theBarIsGoneBeforeAQuestionAndAtTheEnd() {
    TextReport report = streams.onTerminal(TERMINAL, About.RUN);
    report.emit(new Event.Progress("files", 1, 3, 0.5, 4));
    int bar = streams.out().length() - 1;
    report.flush();
    assertThat(streams.out()).endsWith("\r" + " ".repeat(bar) + "\r");
    report.emit(new Event.Progress("files", 2, 3, 0.5, 4));
    report.emit(new Event.Progress("other", 2, 3, 0.5, 4));
    report.emit(new Event.End(0, "done"));
    assertThat(streams.out()).endsWith(" \r");
  }
}
