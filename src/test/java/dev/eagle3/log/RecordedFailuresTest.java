package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.extractor.LogRuleSets;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs of whole runs, {@code src/test/resources/log/failures}: which error is the first. */
class RecordedFailuresTest {
  private static final LogRules RULES = BuiltInExtractors.named("speculators-0.4").log();

  private static final LogRules CLIENT = BuiltInExtractors.named("speculators-0.5").log();

  private static LogReader read(String name, LogRules rules) throws IOException {
    byte[] bytes = LogReaderTest.recorded("failures/" + name + ".log");
    LogReader reader = new LogReader(rules, 0, event -> {});
    reader.accept(bytes, bytes.length);
    reader.finish();
    return reader;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "out-of-memory      |gpu.out-of-memory      |8|896.00 MiB more was wanted, and 512.44 MiB"
            + " of the 139.81 GiB of GPU 3 was free; this process held 75.27 GiB, process 391822"
            + " held 64.02 GiB",
        "memory-not-free    |gpu.memory-not-free    |8|only 61.50 of 139.81 GiB of a GPU was free"
            + " at the start, and --gpu-memory-utilization 0.8 wants 111.85 GiB",
        "kv-cache-too-small |gpu.kv-cache-too-small |0|one sample of 131072 tokens needs 4.54 GiB"
            + " of KV cache, and 1.71 GiB was left beside the model; 49376 tokens would fit",
        "worker-died        |run.worker-died        |0|worker 3 was gone without a word",
        "worker-died-slurm  |host.out-of-memory     |0|the kernel ended 1 of the job's processes",
        "collective-timeout |gpu.collective-timeout |0|the GPUs waited for each other in ALLREDUCE"
            + " number 1580 until time ran out, after 600060 ms",
        "no-kernel-image    |gpu.no-kernel-image    |1|was not built for GPUs of sm_120",
        "fabric-manager-down|gpu.fabric-manager-down|0|CUDA error 802",
        "nvcc-missing       |host.nvcc-missing      |2|the CUDA compiler nvcc was not found",
        "reply-as-condition |layers.reply-as-condition|0|a tensor stood where a list of layers was"
            + " expected",
        "custom-code        |model.custom-code      |0|asked on the terminal whether to run it",
        "gated              |model.gated            |0|is gated on Hugging Face",
        "disk-full          |host.disk-full         |0|when"
            + " /root/eagle3-train/data_test/hidden_states/data_3.pt was written",
        "shard-broken       |model.shard-broken     |8|a shard of the model is cut off or broken",
        "wrong-flag         |run.wrong-flag         |0|02_extract_hidden_states.py does not take"
            + " its command line: unrecognized arguments: --tp-size 8",
      })
  void theFirstErrorIsTheCause(String name, String code, int followers, String says)
      throws IOException {
    LogReader reader = read(name, RULES);

    assertThat(reader.firstFailure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.code()).isEqualTo(code);
              assertThat(failure.says()).contains(says);
              assertThat(failure.tryNext()).isNotBlank();
            });
    assertThat(reader.followers()).isEqualTo(followers);
    assertThat(reader.uncaught()).isEmpty();
    assertThat(reader.lastErrors()).isNotEmpty().hasSizeLessThanOrEqualTo(12);
  }

  @Test
  void anExceptionThatNoRuleKnowsIsShownWithItsLastOwnFrame() throws IOException {
    LogReader reader = read("uncaught", RULES);

    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.uncaught())
        .hasValueSatisfying(
            error -> {
              assertThat(error.exception())
                  .isEqualTo("AttributeError: 'list' object has no attribute 'shape'");
              assertThat(error.own())
                  .contains(new PythonError.Frame("/root/eagle3-train/checks.py", "17", "check"));
              assertThat(error.worker()).isEmpty();
            });
    assertThat(reader.lastErrors()).last().asString().contains("has no attribute 'shape'");
  }

  @Test
  void anExceptionThatWasRaisedWhileAnotherWasHandledIsTheOneThatCounts() throws IOException {
    LogReader reader = read("uncaught-while-handling", RULES);

    assertThat(reader.uncaught())
        .hasValueSatisfying(
            error -> {
              assertThat(error.exception()).isEqualTo("ValueError: row 41 has no tokens");
              assertThat(error.own().map(PythonError.Frame::place))
                  .contains("/root/eagle3-train/02_extract_hidden_states.py:63");
            });
  }

  /** rich indents a traceback, and writes a file and line at the end of each message. */
  @Test
  void anErrorThatRichPrintedIsReadAsPythonWroteIt() throws IOException {
    LogReader reader = read("server-unreachable", CLIENT);

    assertThat(reader.firstFailure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.code()).isEqualTo("run.server-unreachable");
              assertThat(failure.line()).isEqualTo("openai.APIConnectionError: Connection error.");
            });
    assertThat(reader.lastErrors())
        .startsWith("Data generation failed")
        .endsWith("openai.APIConnectionError: Connection error.");
    assertThat(reader.losses())
        .singleElement()
        .satisfies(
            loss -> {
              assertThat(loss.lines()).isEqualTo(3);
              assertThat(loss.line().says()).endsWith("number 3: Connection error.");
            });
    assertThat(read("server-unreachable", LogRules.NONE).uncaught())
        .hasValueSatisfying(
            error -> {
              assertThat(error.exception())
                  .isEqualTo("openai.APIConnectionError: Connection error.");
              assertThat(error.own().map(PythonError.Frame::place))
                  .contains("/root/speculators/scripts/data_generation_offline.py:12");
            });
  }

  @Test
  void samplesThatTheClientLeftOutAreLossesAndNoFailure() throws IOException {
    LogReader reader = read("skipped-by-client", CLIENT);

    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.uncaught()).isEmpty();
    assertThat(reader.losses())
        .extracting(loss -> loss.line().code(), Loss::lines)
        .containsExactly(org.assertj.core.groups.Tuple.tuple("samples.skipped", 3L));
  }

  @Test
  void workersThatWereToldToEndAreNoCause() throws IOException {
    LogReader reader = read("stopped", RULES);

    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.uncaught())
        .hasValueSatisfying(
            error -> assertThat(error.exception()).isEqualTo("EOFError: connection closed"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"good-with-warnings", "killed-after-good-with-warnings"})
  void whatARunGoesOnAfterIsNoCause(String name) throws IOException {
    for (LogRules rules : List.of(RULES, RULES.with(List.of(LogRuleSets.all())))) {
      LogReader reader = read(name, rules);

      assertThat(reader.uncaught()).isEmpty();
      assertThat(reader.firstFailure()).isEmpty();
      assertThat(reader.losses()).isEmpty();
      assertThat(reader.followers()).isZero();
    }
  }

  @Test
  void aHostileLogIsReadAsAnyOther() throws IOException {
    LogReader reader = read("hostile", RULES);

    assertThat(reader.firstFailure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.code()).isEqualTo("host.disk-full");
              assertThat(failure.says()).contains("/data_1.pt was written");
            });
    assertThat(reader.lastErrors()).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"out-of-memory", "disk-full", "custom-code", "hostile", "server-unreachable"})
  void howTheBytesAreCutDoesNotMatter(String name) throws IOException {
    byte[] bytes = LogReaderTest.recorded("failures/" + name + ".log");
    LogReader whole = read(name, RULES);
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      List<Event> events = new ArrayList<>();
      LogReader reader = new LogReader(RULES, 0, events::add);
      for (int from = 0; from < bytes.length; ) {
        int to = Math.min(bytes.length, from + 1 + random.nextInt(seed < 5 ? 40 : 9000));
        reader.accept(Arrays.copyOfRange(bytes, from, to), to - from);
        from = to;
      }
      reader.finish();
      assertThat(reader.firstFailure()).isEqualTo(whole.firstFailure());
      assertThat(reader.lastErrors()).isEqualTo(whole.lastErrors());
      assertThat(reader.followers()).isEqualTo(whole.followers());
    }
  }

  @Test
  void aLogOfNothingButErrorsNeedsLittleMemoryAndKeepsTheFirst() {
    LogReader reader = new LogReader(RULES, 0, event -> {});
    feed(
        reader,
        "Traceback (most recent call last):\n  File \"/a.py\", line 1, in f\nKeyError: 1\n");
    for (int n = 0; n < 20_000; n++) {
      feed(
          reader,
          "(Worker_TP"
              + n % 200
              + " pid=1) ERROR 02-09 16:17:03 [a.py:7] no "
              + n
              + "\n(Worker_TP1 pid=1) OSError: [Errno 28] No space left on device\n");
    }
    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.uncaught())
        .hasValueSatisfying(error -> assertThat(error.exception()).isEqualTo("KeyError: 1"));
    assertThat(reader.followers()).isLessThan(200);
  }

  @Test
  void aRealErrorIsFoundAmongThousandsThatWereSurvived() {
    LogReader reader = new LogReader(RULES, 0, event -> {});
    for (int n = 0; n < 5_000; n++) {
      feed(
          reader,
          "(Worker_TP1 pid=1) ERROR 02-09 16:17:03 [a.py:7] retrying: No space left on device\n"
              + "(Worker_TP1 pid=1) INFO 02-09 16:17:03 [a.py:7] wrote it\n");
    }
    feed(reader, "ValueError: Layer index 61 out of bounds [0, 60]\n");

    assertThat(reader.firstFailure())
        .hasValueSatisfying(
            failure -> assertThat(failure.code()).isEqualTo("layers.out-of-bounds"));
  }

  @Test
  void linesOfSkippedSamplesAreCounted() {
    LogReader reader = new LogReader(RULES, 0, event -> {});
    feed(
        reader,
        "2026-02-09 16:17:02,123 - __main__ - WARNING -   Skipping sample 17 due to error: no\n"
            + "2026-02-09 16:17:02,123 - __main__ - WARNING -   Skipping sample 41 due to error:"
            + " x\n"
            + "Skipped 2 samples due to errors: [17, 41]\n"
            + "Successfully processed 812 out of 1000 conversations.\n");

    assertThat(reader.losses())
        .extracting(loss -> loss.line().code(), Loss::lines)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("samples.skipped", 3L),
            org.assertj.core.groups.Tuple.tuple("samples.fewer", 1L));
    assertThat(reader.losses().get(0).line().says()).endsWith("number 17: no");
    assertThat(reader.firstFailure()).isEmpty();
  }

  @Test
  void everyRuleFindsItsOwnExampleInALog() {
    for (String name : BuiltInExtractors.NAMES) {
      LogRules rules = BuiltInExtractors.named(name).log();
      List<LogFailure> failures = new ArrayList<>(WrapperLines.RULES);
      failures.addAll(rules.failures());
      for (LogFailure rule : failures) {
        assertThat(readLine(rules, rule).firstFailure().map(FailureLine::code))
            .as(rule.example())
            .contains(rule.code());
      }
      for (LogFailure rule : rules.losses()) {
        assertThat(readLine(rules, rule).losses())
            .as(rule.example())
            .extracting(loss -> loss.line().code())
            .containsExactly(rule.code());
      }
    }
  }

  private static LogReader readLine(LogRules rules, LogFailure rule) {
    LogReader reader = new LogReader(rules, 0, event -> {});
    feed(reader, rule.example() + "\n");
    return reader;
  }

  @Test
  void noFollowerIsAnErrorOrACause() {
    RULES
        .followers()
        .forEach(
            follower -> {
              List<Event> events = new ArrayList<>();
              LogReader reader = new LogReader(RULES, 0, events::add);
              feed(reader, follower.example() + "\n");

              assertThat(reader.firstFailure()).as(follower.example()).isEmpty();
              assertThat(reader.uncaught()).as(follower.example()).isEmpty();
              assertThat(events).allMatch(event -> event instanceof Event.LogLine);
            });
  }

  private static void feed(LogReader reader, String text) {
    byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    reader.accept(bytes, bytes.length);
  }
}
