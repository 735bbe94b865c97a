package dev.eagle3.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.report.TextReport.About;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TextReportTest {
  private static final String FOLDER = "/root/eagle3-train/data_test/hidden_states/";
  private static final Screen TERMINAL = new Screen(true, true, 60, false);
  private static final Screen COLORED = new Screen(true, true, 60, true);

  private final ReportStreams streams = new ReportStreams();

  @Test
  void aRunThatGoesWellIsOneLineAPhaseAndOneLineOfResult() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    ReportStreams.emit(
        report,
        new Event.Check("host", "machine", "ok", "gpu7: Linux x86_64, as root"),
        new Event.Check(
            "preflight", "paths", "ok", "interpreter, script, model and data are there"),
        new Event.Check("preflight", "disk", "warning", "2.0 GiB are free, 1.1 GiB are needed"),
        new Event.Check("gpus", "clear", "ok", "8 free"),
        new Event.Check("output", "set-aside", "note", "nothing stood there"),
        new Event.Launch("20260209-161700-ab12", "gpu7", 4242, "/root/log", "/root/out"),
        new Event.Milestone("executor", "Initializing executor..."),
        new Event.LogLine(0, "only with -v", "line"),
        new Event.Progress("shards", 14, 119, 1 / 5.2, 546),
        new Event.Progress("shards", 15, 119, 1 / 5.2, 541),
        new Event.Progress("shards", 119, 119, 1 / 5.2, 0),
        new Event.FileChecked(FOLDER + "data_0.pt", "good", 512, "4 × [512, 7168] bf16", 29368320),
        new Event.Summary(10, 10, "4 × [T, 7168] bf16", 1083, "gpu7:/root/.../hidden_states"),
        new Event.End(0, "done"));
    assertThat(streams.out())
        .isEqualTo(
            """
            good      4 × [512, 7168] bf16           28.0 MiB  /root/eagle3-train/data_test/hidden_states/data_0.pt
            eagle3: 10 of 10 good · 4 × [T, 7168] bf16 · 18m03s · gpu7:/root/.../hidden_states
            """);
    assertThat(streams.err())
        .isEqualTo(
            """
            host      gpu7: Linux x86_64, as root
            preflight interpreter, script, model and data are there
            preflight warning: 2.0 GiB are free, 1.1 GiB are needed
            gpus      8 free
            output    note: nothing stood there
            run       20260209-161700-ab12 on gpu7, pid 4242, log /root/log
            run       Initializing executor...
            load      shards 14/119  11%  5.2 s/shard  ETA 9m06s
            load      shards 119/119  100%  5.2 s/shard
            """);
  }

  @Test
  void aFaultNamesTheFileTheCauseTheFixTheRunAndWhatToTry() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    String file = FOLDER + "data_0.pt";
    ReportStreams.emit(
        report,
        new Event.FileChecked(file, "bad", 512, "771 × [512] bf16", 800000),
        new Event.Found(
            new Finding(
                "layers.count",
                Severity.ERROR,
                file,
                "4 × [512, 7168]",
                "771 × [512]",
                List.of("T of this file is 512"))),
        new Event.Found(Finding.of("dtype", Severity.NOTE, file + ": loss_mask", "int64", "bool")),
        new Event.Found(Finding.of("files.stray", Severity.NOTE, file + ".tmp", "", "a stray")),
        new Event.Found(
            Finding.of("files.missing", Severity.WARNING, FOLDER, "10 files", "9 files")),
        new Event.Named(
            new Cause(
                "layers.reply-unwrapped",
                "Each token row of the first layer was taken for a layer.",
                List.of("771 = 512 + 259, the tokens of samples 0 and 1"),
                "vllm_hidden_states_generator.py:214",
                "take the reply as it is, without [0]",
                List.of(file, FOLDER + "data_1.pt"))),
        new Event.State("20260209-161700-ab12", "killed", -1, "stopped by eagle3", List.of(7L, 8L)),
        new Event.Failed(16, "gpu7", "2 of 2 files are bad", "eagle3 extract --resume"));
    assertThat(streams.out())
        .isEqualTo(
            """
            bad       771 × [512] bf16              781.3 KiB  /root/eagle3-train/data_test/hidden_states/data_0.pt
            error     771 × [512], wanted 4 × [512, 7168] [layers.count]
                      T of this file is 512
            note      loss_mask: bool, wanted int64 [dtype]
            note      /root/eagle3-train/data_test/hidden_states/data_0.pt.tmp: a stray [files.stray]
            warning   /root/eagle3-train/data_test/hidden_states/: 9 files, wanted 10 files [files.missing]
            cause     Each token row of the first layer was taken for a layer. [layers.reply-unwrapped]
                      771 = 512 + 259, the tokens of samples 0 and 1
                      seen in /root/eagle3-train/data_test/hidden_states/data_0.pt, /root/eagle3-train/data_test/hidden_states/data_1.pt
            where     vllm_hidden_states_generator.py:214
            fix       take the reply as it is, without [0]
            """);
    assertThat(streams.err())
        .isEqualTo(
            """
            run       20260209-161700-ab12: killed: stopped by eagle3, processes 7 8
            eagle3: gpu7: 2 of 2 files are bad
            try: eagle3 extract --resume
            """);
  }

  @Test
  void holdersAreATableBeforeWhatComesNext() {
    TextReport report = streams.report(Screen.NONE, About.ANSWER, false);
    ReportStreams.emit(
        report,
        new Event.Holder(
            410, "root", 7380, 71680, List.of(0, 1), "python3 train.py", "", "refused"),
        new Event.Holder(
            77120, "mei", -1, -1, List.of(7), "VLLM::Worker_TP0", "job.service", "held"),
        new Event.Failed(11, "gpu7", "2 processes hold its GPUs", "eagle3 clear-gpus --host gpu7"));
    assertThat(streams.out())
        .isEqualTo(
            """
            gpus      what       pid  user    age    memory  gpu  unit         command
                      refused    410  root  2h03m  70.0 GiB  0,1  -            python3 train.py
                      held     77120  mei       ?         ?  7    job.service  VLLM::Worker_TP0
            """);
    assertThat(streams.err())
        .isEqualTo(
            """
            eagle3: gpu7: 2 processes hold its GPUs
            try: eagle3 clear-gpus --host gpu7
            """);
  }

  @Test
  void aTableOfARunStandsOnStandardErrorAndIsAsWideAsTheTerminal() {
    TextReport report = streams.report(new Screen(false, true, 80, false), About.RUN, false);
    report.emit(new Event.Holder(1, "root", 1, 1, List.of(0), "c".repeat(500), "", "asked"));
    report.flush();
    assertThat(streams.out()).isEmpty();
    assertThat(streams.err().lines()).hasSize(2).allMatch(line -> line.length() <= 80);
    assertThat(streams.err()).endsWith("cc…\n");
  }

  @Test
  void afterTwentyFilesOnlyTwentyBadOnesAreShownAndTheRestIsCounted() {
    TextReport report = streams.report(Screen.NONE, About.ANSWER, false);
    IntStream.range(0, 1000)
        .mapToObj(n -> new Event.FileChecked("f" + n, n % 20 == 19 ? "bad" : "good", 1, "s", 1))
        .forEach(report::emit);
    report.emit(new Event.Summary(950, 1000, "", -1, ""));
    List<String> lines = streams.out().lines().toList();
    assertThat(lines).hasSize(20 + 19 + 2);
    assertThat(lines.subList(0, 19)).allMatch(line -> line.startsWith("good"));
    assertThat(lines.subList(19, 39)).allMatch(line -> line.startsWith("bad"));
    assertThat(lines.subList(39, 41))
        .containsExactly(
            "          … and 961 more files, 30 of them bad", "eagle3: 950 of 1,000 good");
  }

  @Test
  void findingsAndTransfersAreCappedToo() {
    TextReport report = streams.report(Screen.NONE, About.ANSWER, false);
    for (int n = 0; n < 1234; n++) {
      report.emit(new Event.Found(Finding.of("a.b", Severity.ERROR, "f" + n, "x", "y")));
      report.emit(new Event.Transfer("h:f" + n, "f" + n, 5, n == 1000 ? "failed" : "pulled"));
    }
    report.emit(new Event.Found(Finding.of("a.c", Severity.NOTE, "other", "", "seen")));
    report.emit(new Event.End(15, "not all"));
    assertThat(streams.out().lines().filter(line -> line.startsWith("error"))).hasSize(2);
    assertThat(streams.out().lines().filter(line -> line.startsWith("pulled"))).hasSize(20);
    assertThat(streams.out())
        .contains("failed           5 B  h:f1000 -> f1000\n", "note      other: seen [a.c]\n")
        .endsWith(
            """
                      … and 1,213 more files
                      … and 1,232 more a.b
            """);
  }

  @Test
  void verboseShowsEveryFileTheNamesOfChecksAndTheLog() {
    TextReport report = streams.report(Screen.NONE, About.RUN, true);
    for (int n = 0; n < 50; n++) {
      report.emit(new Event.FileChecked("f" + n, "good", 1, "s", 1));
    }
    ReportStreams.emit(
        report,
        new Event.Check("host", "machine", "refused", "runs Plan 9"),
        new Event.LogLine(0, "a line", "line"),
        new Event.End(0, ""));
    assertThat(streams.out().lines()).hasSize(50);
    assertThat(streams.err()).isEqualTo("host      refused: runs Plan 9 [machine]\na line\n");
  }

  @Test
  void theLogIsShownAsItIsAndItsMilestonesNotTwice() {
    TextReport report = streams.report(Screen.NONE, About.LOG, false);
    ReportStreams.emit(
        report,
        new Event.LogLine(0, "a\tb  c", "line"),
        new Event.LogLine(7, "", "line"),
        new Event.LogLine(8, "ValueError: no", "error"),
        new Event.Milestone("loaded", "a b c"));
    assertThat(streams.out()).isEqualTo("a\tb  c\n\nValueError: no\n");
    assertThat(streams.err()).isEmpty();
  }

  @Test
  void hostileTextIsEscapedWhereverItComesFrom() {
    String hostile = "\u001b]0;owned\u0007\u009b2J\u202e\u0000\r\n\ud800";
    String shown = "\\x1b]0;owned\\x07\\x9b2J\\u202e\\x00\\r\\n\\ud800";
    TextReport report = streams.report(Screen.NONE, About.LOG, true);
    ReportStreams.emit(
        report,
        new Event.LogLine(0, hostile, "line"),
        new Event.Check(hostile, hostile, hostile, hostile),
        new Event.Holder(1, hostile, 1, 1, List.of(), hostile, hostile, hostile),
        new Event.Launch(hostile, hostile, 1, hostile, hostile),
        new Event.Milestone(hostile, hostile),
        new Event.Progress(hostile, 1, 2, 1, 1),
        new Event.FileChecked(hostile, hostile, 1, hostile, 1),
        new Event.Found(
            new Finding(hostile, Severity.ERROR, hostile, hostile, hostile, List.of(hostile))),
        new Event.Named(
            new Cause(hostile, hostile, List.of(hostile), hostile, hostile, List.of(hostile))),
        new Event.State(hostile, hostile, 1, hostile, List.of()),
        new Event.Transfer(hostile, hostile, 1, hostile),
        new Event.Summary(1, 1, hostile, 1, hostile),
        new Event.Failed(1, hostile, hostile, hostile),
        new Event.Hint(hostile, hostile),
        new Event.Aside(hostile, hostile, hostile, 1, 1, 1, hostile, hostile),
        new Event.End(0, hostile));
    assertThat(streams.out() + streams.err())
        .contains(shown)
        .doesNotContainPattern("[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f\\u202e\\ud800]");
  }

  @Test
  void furtherLinesOfAProblemAreIndented() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    report.emit(new Event.Failed(12, "gpu7", "cannot log in\neagle3: done\n\tall", ""));
    assertThat(streams.err()).isEqualTo("eagle3: gpu7: cannot log in\n  eagle3: done\n  \tall\n");
  }

  @Test
  void hintsSayHowToComeBack() {
    TextReport report = streams.report(Screen.NONE, About.RUN, false);
    ReportStreams.emit(
        report,
        new Event.Hint("come back", "eagle3 tail-log latest --host gpu7"),
        new Event.Hint("the run goes on", ""));
    assertThat(streams.err())
        .isEqualTo("come back:  eagle3 tail-log latest --host gpu7\nthe run goes on\n");
  }

  @Test
  void stepsOfADryRunAreExactInAPipeAndHarmlessOnATerminal() {
    Event step = new Event.Step("make-folder", "mkdir -p 'a\tb\u001b[2J'\ncd /tmp");
    streams.report(Screen.NONE, About.RUN, false).emit(step);
    assertThat(streams.out()).isEqualTo("# make-folder\nmkdir -p 'a\tb\u001b[2J'\ncd /tmp\n\n");
    streams.reset();
    streams.report(TERMINAL, About.RUN, false).emit(step);
    assertThat(streams.out()).isEqualTo("# make-folder\nmkdir -p 'a\tb\\x1b[2J'\ncd /tmp\n\n");
  }

  @Test
  void coloursAreUsedOnATerminalOnly() {
    Event[] events = {
      new Event.LogLine(0, "ValueError", "error"),
      new Event.FileChecked("f", "bad", 1, "s", 1),
      new Event.Check("host", "c", "refused", "no"),
      new Event.Summary(1, 1, "", 1, "h:/f")
    };
    ReportStreams.emit(streams.onTerminal(COLORED, About.LOG), events);
    assertThat(streams.out())
        .isEqualTo(
            """
            \u001b[31mValueError\u001b[0m
            \u001b[31mbad       \u001b[0ms                                   1 B  f
            host      \u001b[31mrefused\u001b[0m: no
            eagle3: \u001b[32m1 of 1 good\u001b[0m · 1s · h:/f
            """);
    for (Screen plain : List.of(TERMINAL, new Screen(false, false, 60, true))) {
      streams.reset();
      ReportStreams.emit(streams.onTerminal(plain, About.LOG), events);
      assertThat(streams.out()).doesNotContain("\u001b").contains("ValueError\n");
    }
  }

  @Test
  void aReaderThatGoesAwayEndsTheWritingQuietly() {
    OutputStream closed =
        new OutputStream() {
          private int writes;

          @Override
          public void write(int value) throws java.io.IOException {
            writes++;
            assertThat(writes).as("nothing is written after the first failure").isEqualTo(1);
            throw new java.io.IOException("Broken pipe");
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws java.io.IOException {
            write(0);
          }
        };
    TextReport report =
        new TextReport(
            new PrintStream(closed, false, StandardCharsets.UTF_8),
            streams.errStream(),
            Screen.NONE,
            About.LOG,
            false,
            streams.nanos::get);
    assertThat(report.isBroken()).isFalse();
    report.emit(new Event.LogLine(0, "a", "line"));
    report.emit(new Event.LogLine(0, "b", "line"));
    report.emit(new Event.Hint("still", "there"));
    assertThat(report.isBroken()).isTrue();
    assertThat(streams.err()).isEqualTo("still:  there\n");
  }
}
