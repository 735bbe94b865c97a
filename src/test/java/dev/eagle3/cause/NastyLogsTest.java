package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.run.KernelNotes;
import dev.eagle3.run.RunState;
import dev.eagle3.testing.Hostile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs as eight workers, progress bars and terminals make them: still the first error counts. */
class NastyLogsTest {
  private static final String OOM =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB. GPU 3 has a total"
          + " capacity of 139.81 GiB of which 512.44 MiB is free. Including non-PyTorch memory,"
          + " this process has 139.27 GiB memory in use.";
  private static final String GONE = "RuntimeError: cancelled";
  private static final RunState FAILED = new RunState.Finished(1, List.of());

  /** The lines of a traceback as vLLM's logger writes them, each with its prefix and level. */
  private static List<String> logged(int rank, String exception) {
    String prefix = "(Worker_TP" + rank + " pid=" + (2784021 + rank) + ") ";
    String head = prefix + "ERROR 02-09 16:21:41 [multiproc_executor.py:882] ";
    return List.of(
        head + "WorkerProc hit an exception.",
        head + "Traceback (most recent call last):",
        head
            + "  File \"/root/ml-env/lib/python3.12/site-packages/vllm/v1/worker/w.py\", line 9,"
            + " in run",
        head + "    output = func(*args, **kwargs)",
        head + "             ^^^^^^^^^^^^^^^^^^^^^",
        head + exception);
  }

  private static List<String> driver() {
    return List.of(
        "Traceback (most recent call last):",
        "  File \"/root/eagle3-train/02_extract_hidden_states.py\", line 41, in main",
        "    generator = VllmHiddenStatesGenerator(args.model_path)",
        "RuntimeError: Worker failed with error 'CUDA out of memory', please check the stack trace"
            + " above for the root cause");
  }

  private static LogReader read(List<String> lines, String end) {
    LogReader reader =
        new LogReader(BuiltInExtractors.named("speculators-0.4").log(), 0, event -> {});
    byte[] bytes = (String.join(end, lines) + end).getBytes(StandardCharsets.UTF_8);
    reader.accept(bytes, bytes.length);
    reader.finish();
    return reader;
  }

  private static Optional<Cause> cause(RunState state, LogReader log) {
    return new RunCauseFinder("r", state, log, () -> KernelNotes.NONE).find();
  }

  private static void isMemory(LogReader log) {
    assertThat(cause(FAILED, log))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("gpu.out-of-memory");
              assertThat(cause.says())
                  .contains("896.00 MiB more was wanted", "512.44 MiB of the 139.81 GiB of GPU 3");
              assertThat(cause.fix()).isNotBlank();
            });
  }

  /** The lines of several processes, each in its order, as chance mixes them. */
  private static List<String> mixed(List<List<String>> processes, int seed) {
    Random random = new Random(seed);
    List<List<String>> left = new ArrayList<>();
    processes.forEach(lines -> left.add(new ArrayList<>(lines)));
    List<String> mixed = new ArrayList<>();
    while (!left.isEmpty()) {
      List<String> one = left.get(random.nextInt(left.size()));
      mixed.add(one.remove(0));
      left.removeIf(List::isEmpty);
    }
    return mixed;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  @Hostile("eight workers write their tracebacks into one another")
  void theFirstOfEightWorkersIsTheCauseHoweverTheirLinesMix(int seed) {
    List<String> first = logged(3, OOM);
    List<List<String>> others = new ArrayList<>();
    for (int rank = 0; rank < 8; rank++) {
      if (rank != 3) {
        others.add(logged(rank, GONE));
      }
    }
    // It begins before the others, and then anything goes.
    List<String> lines = new ArrayList<>(first.subList(0, 2));
    others.add(first.subList(2, first.size()));
    lines.addAll(mixed(others, seed));
    lines.addAll(driver());

    LogReader log = read(lines, "\n");

    isMemory(log);
    assertThat(log.followers()).isEqualTo(8);
    assertThat(log.lastErrors().get(0)).startsWith("(Worker_TP3 pid=2784024)");
  }

  static Stream<LogFailure> causes() {
    return BuiltInExtractors.named("speculators-0.4").log().failures().stream()
        .filter(rule -> rule.kind() == LogFailure.Kind.CAUSE);
  }

  /** Whatever the first error is: seven workers, the engine and the script fail because of it. */
  @ParameterizedTest
  @MethodSource("causes")
  void eachCauseIsTheFirstErrorAndItsFollowersAreNone(LogFailure rule) {
    for (String worker : List.of("", "(Worker_TP3 pid=2784024) ")) {
      List<String> lines = new ArrayList<>();
      lines.add("2026-02-09 16:17:03,002 - a.b - INFO -   Initializing executor...");
      lines.add(worker + "Traceback (most recent call last):");
      lines.add(worker + "  File \"/root/ml-env/lib/python3.12/site-packages/a.py\", line 1, in f");
      rule.example().lines().forEach(line -> lines.add(worker + line));
      for (int rank = 0; rank < 8; rank++) {
        if (rank != 3) {
          lines.addAll(logged(rank, rank % 2 == 0 ? GONE : "torch.AcceleratorError: late"));
        }
      }
      lines.add(
          "(EngineCore_DP0 pid=9) ERROR 02-09 16:21:44 [core.py:7] RuntimeError: Engine core"
              + " initialization failed. See root cause above. Failed core proc(s): {}");
      lines.addAll(driver());

      assertThat(cause(FAILED, read(lines, "\n")))
          .as(worker + rule.example())
          .hasValueSatisfying(
              cause -> {
                assertThat(cause.code()).isEqualTo(rule.code());
                assertThat(cause.evidence().get(0)).isNotBlank();
                assertThat(cause.fix()).isNotBlank();
              });
    }
  }

  @Test
  @Hostile("a progress bar without line ends is drawn through a traceback")
  void aBarThatIsDrawnThroughATracebackHidesNothing() {
    List<String> lines = new ArrayList<>();
    int step = 0;
    for (String line : logged(3, OOM)) {
      step++;
      String bar = "Generating hidden states:  " + step + "0%|#  | " + step + "/10 [00:0" + step;
      lines.add("\r" + bar + "<00:09,  1.00s/it]" + line);
    }
    lines.addAll(driver());

    isMemory(read(lines, "\n"));
    isMemory(read(lines, "\r\n"));
  }

  @Test
  @Hostile("a log with the colours of a terminal")
  void coloursHideNothing() {
    List<String> lines = new ArrayList<>();
    for (String line : logged(3, OOM)) {
      String coloured =
          line.replaceFirst("^(\\(.*?\\))", "\u001b[0;36m$1\u001b[0;0m")
              .replaceFirst("ERROR (\\S+ \\S+)", "\u001b[31mERROR\u001b[0m \u001b[90m$1\u001b[0m");
      lines.add("\u001b[2K\u001b[1G" + coloured + "\u001b[0m");
    }
    lines.addAll(driver());

    LogReader log = read(lines, "\n");

    isMemory(log);
    assertThat(String.join("", log.lastErrors())).doesNotContain("\u001b");
  }

  /** As a full disk leaves it, or a kill: nothing that is there may be called something else. */
  @Test
  @Hostile("a log that ends in the middle of a traceback")
  void aLogThatIsCutAnywhereNamesNoOtherCause() {
    List<String> lines = new ArrayList<>(logged(3, OOM));
    lines.addAll(driver());
    String whole = String.join("\n", lines) + "\n";
    int named = whole.indexOf("896.00 MiB.") + "896.00 MiB.".length();
    for (int length = 0; length <= whole.length(); length += 13) {
      Optional<Cause> cause = cause(FAILED, read(List.of(whole.substring(0, length)), ""));
      String code = cause.map(Cause::code).orElse("none");
      if (code.equals("run.uncaught")) {
        // The name of the exception itself was cut.
        assertThat(cause.get().says()).contains("an exception: t");
        continue;
      }
      assertThat(code)
          .as(whole.substring(0, length))
          .isIn("none", "run.worker-failed", "gpu.out-of-memory");
      if (length >= named) {
        assertThat(code).isEqualTo("gpu.out-of-memory");
      }
    }
  }

  @Test
  void ofTwoFailuresTheFirstIsTheCause() {
    List<String> lines = new ArrayList<>(logged(3, OOM));
    lines.addAll(
        List.of(
            "Traceback (most recent call last):",
            "  File \"/root/eagle3-train/02_extract_hidden_states.py\", line 90, in save",
            "OSError: [Errno 28] No space left on device: '/data/hs/data_3.pt'"));

    isMemory(read(lines, "\n"));
    Collections.rotate(lines, 3);
    assertThat(cause(FAILED, read(lines, "\n")))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("host.disk-full");
              assertThat(cause.evidence()).anyMatch(line -> line.contains("1 other process"));
            });
  }

  @Test
  void anErrorThatWasTriedAgainIsNoCauseOfALaterOne() {
    List<String> lines = new ArrayList<>();
    for (String line : logged(3, OOM)) {
      lines.add(line);
    }
    lines.addAll(
        List.of(
            "(Worker_TP3 pid=2784024) INFO 02-09 16:21:42 [w.py:7] retrying with smaller chunks",
            "2026-02-09 16:22:02,123 - __main__ - INFO -   Processing 10/10 samples",
            "Generating hidden states:  20%|##        | 1/5 [00:08<00:32,  8.01s/it]",
            "Traceback (most recent call last):",
            "  File \"/root/eagle3-train/02_extract_hidden_states.py\", line 90, in save",
            "OSError: [Errno 122] Disk quota exceeded: '/data/hs/data_3.pt'"));

    assertThat(cause(FAILED, read(lines, "\n")))
        .hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo("host.quota-full"));
  }

  @Test
  void aGoodRunThatTriedAgainHasNoErrorAndNoLoss() {
    List<String> lines = new ArrayList<>(logged(3, OOM));
    lines.addAll(
        List.of(
            "(Worker_TP3 pid=2784024) INFO 02-09 16:21:42 [w.py:7] retrying with smaller chunks",
            "WARNING 02-09 16:21:43 [config.py:271] Ninja build failed for an optional kernel",
            "/x/torch/utils.py:63: UserWarning: CUDA out of memory is handled by falling back",
            "2026-02-09 16:22:02,123 - __main__ - INFO -   Processing 10/10 samples",
            "Generating hidden states: 100%|##########| 5/5 [00:40<00:00,  8.01s/it]",
            "2026-02-09 16:36:05,002 - __main__ - INFO - Data generation complete!"));

    LogReader log = read(lines, "\n");

    assertThat(log.firstFailure()).isEmpty();
    assertThat(log.uncaught()).isEmpty();
    assertThat(log.losses()).isEmpty();
    assertThat(log.followers()).isZero();
  }

  @Test
  @Hostile("a line of 10 MB within a traceback")
  void aLineWithoutEndWithinATracebackHidesNothing() {
    List<String> lines = new ArrayList<>(logged(3, OOM));
    lines.add(3, lines.get(2) + "x".repeat(10 << 20));
    lines.addAll(driver());

    isMemory(read(lines, "\n"));
  }

  @Test
  void eventsOfErrorsAreThoseOfTheirLines() {
    List<Event> events = new ArrayList<>();
    LogReader reader =
        new LogReader(BuiltInExtractors.named("speculators-0.4").log(), 0, events::add);
    byte[] bytes = String.join("\n", logged(3, OOM)).getBytes(StandardCharsets.UTF_8);
    reader.accept(bytes, bytes.length);
    reader.finish();

    assertThat(events)
        .hasSize(6)
        .allMatch(event -> event instanceof Event.LogLine line && line.stream().equals("error"));
  }
}
