package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Cause;
import dev.eagle3.run.KernelNotes;
import dev.eagle3.run.RunState;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Why a run failed: its state, its log and its kernel together. */
class FailedRunExplainerTest {
  private static final RunState FAILED = new RunState.Finished(1, List.of());
  private static final RunState KILLED = new RunState.Killed("KILL", 137, List.of());
  private static final KernelNotes QUIET = new KernelNotes(true, List.of(), List.of());
  private static final KernelNotes KILLER =
      new KernelNotes(
          true,
          List.of(
              "[1.2] Out of memory: Killed process 4711 (python3) total-vm:9kB,"
                  + " anon-rss:801234567kB, file-rss:0kB"),
          List.of());
  private static final KernelNotes XID =
      new KernelNotes(
          true,
          List.of("[1.2] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, GPU has fallen off the bus."),
          List.of());

  private final AtomicInteger asked = new AtomicInteger();

  private Optional<Cause> find(RunState state, LogReader log, KernelNotes kernel) {
    return new RunCauseFinder(
            "run r",
            state,
            log,
            () -> {
              asked.incrementAndGet();
              return kernel;
            })
        .find();
  }

  private static LogReader recorded(String name) throws IOException {
    try (InputStream in =
        FailedRunExplainerTest.class.getResourceAsStream("/log/failures/" + name + ".log")) {
      assertThat(in).as(name).isNotNull();
      return log(in.readAllBytes());
    }
  }

  private static LogReader log(byte[] bytes) {
    LogReader log = new LogReader(BuiltInExtractors.named("speculators-0.4").log(), 0, event -> {});
    log.accept(bytes, bytes.length);
    log.finish();
    return log;
  }

  private static LogReader log(String text) {
    return log(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theFirstErrorIsTheCauseAndTheKernelIsNotAsked() throws IOException {
    assertThat(find(FAILED, recorded("out-of-memory"), KILLER))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("gpu.out-of-memory");
              assertThat(cause.evidence()).hasSize(2);
              assertThat(cause.evidence().get(0)).startsWith("ERROR 02-09").hasSizeLessThan(402);
              assertThat(cause.evidence().get(1)).startsWith("8 other processes ended");
              assertThat(cause.fix()).contains("--batch-size");
              assertThat(cause.subjects()).containsExactly("run r");
            });
    assertThat(asked).hasValue(0);
  }

  @Test
  void ofAWorkerThatIsGoneTheKernelKnowsMore() throws IOException {
    assertThat(find(FAILED, recorded("worker-died"), QUIET))
        .hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo("run.worker-died"));
    assertThat(find(FAILED, recorded("worker-died"), KILLER))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("host.out-of-memory");
              assertThat(cause.says())
                  .isEqualTo(
                      "the kernel ended process 4711 (python3) for lack of memory; it held"
                          + " 801234567kB");
              assertThat(cause.evidence().get(0)).startsWith("the kernel's log: [1.2] Out of");
              assertThat(cause.evidence().get(1)).contains("Worker proc VllmWorker-3 died");
            });
    assertThat(find(FAILED, recorded("collective-timeout"), XID))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("gpu.xid");
              assertThat(cause.says()).contains("Xid 79 of GPU PCI:0000:3b:00");
            });
  }

  @Test
  void whatWasKilledWithoutAWordIsToldByTheKernelIfItCan() throws IOException {
    LogReader log = recorded("killed-after-good-with-warnings");
    assertThat(find(KILLED, log, KILLER))
        .hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo("host.out-of-memory"));
    assertThat(find(KILLED, log, QUIET))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("run.killed");
              assertThat(cause.evidence()).singleElement().asString().contains("has no process");
            });
    assertThat(find(KILLED, log("a line\nKilled\n"), QUIET))
        .as("a shell that says it knows no more")
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("run.killed");
              assertThat(cause.evidence()).hasSize(2).last().asString().contains("has no process");
            });
    KernelNotes.Group group = new KernelNotes.Group("/sys/fs/cgroup", 2, 64L << 30);
    assertThat(find(KILLED, log, new KernelNotes(false, List.of(), List.of(group))))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("run.killed");
              assertThat(cause.evidence().get(0)).contains("cannot be read");
              assertThat(cause.evidence().get(1)).contains("whose limit is 65536 MiB");
              assertThat(cause.fix()).contains("dmesg");
            });
  }

  @Test
  void aRunThatWasToldToEndHasNoOtherCauseThanThat() throws IOException {
    RunState told = new RunState.Killed("TERM", 143, List.of());
    assertThat(find(told, recorded("stopped"), KILLER))
        .hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo("run.stopped"));
    assertThat(asked).hasValue(0);
    assertThat(find(told, recorded("disk-full"), KILLER))
        .as("it had failed before")
        .hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo("host.disk-full"));
  }

  @Test
  void anExceptionThatNoRuleKnowsIsToldWithItsPlace() throws IOException {
    assertThat(find(FAILED, recorded("uncaught"), QUIET))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("run.uncaught");
              assertThat(cause.says())
                  .isEqualTo(
                      "the script ended with an exception: AttributeError: 'list' object has no"
                          + " attribute 'shape'");
              assertThat(cause.where()).isEqualTo("/root/eagle3-train/checks.py:17");
            });
    assertThat(
            find(
                FAILED,
                log(
                    "(Worker_TP3 pid=7) ERROR 02-09 16:21:41 [a.py:7] Traceback (most recent call"
                        + " last):\n(Worker_TP3 pid=7) ERROR 02-09 16:21:41 [a.py:7]   File"
                        + " \"/x/site-packages/v/w.py\", line 3, in run\n"
                        + "(Worker_TP3 pid=7) ERROR 02-09 16:21:41 [a.py:7] KeyError: 'x'\n"),
                QUIET))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.says())
                  .isEqualTo(
                      "the worker (Worker_TP3 pid=7) ended with an exception: KeyError: 'x'");
              assertThat(cause.evidence().get(0)).endsWith("(code of an installed package)");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "127, run.program-missing",
    "126, run.program-missing",
    "1, none",
    "3, none",
  })
  void anExitCodeAloneTellsLittle(int code, String cause) {
    Optional<Cause> found = find(new RunState.Finished(code, List.of()), log("a line\n"), QUIET);
    assertThat(found.map(Cause::code).orElse("none")).isEqualTo(cause);
  }

  @Test
  void aCrashIsToldByItsSignal() {
    assertThat(find(new RunState.Killed("SEGV", 139, List.of()), log("a line\n"), QUIET))
        .hasValueSatisfying(
            cause -> assertThat(cause.says()).isEqualTo("the job crashed by signal SEGV"));
  }

  @Test
  void aGuessIsCalledOne() {
    String survived =
        "2026-02-09 16:17:02,123 - __main__ - WARNING -   writing: [Errno 28] No space left on"
            + " device\n";
    assertThat(find(FAILED, log(survived), QUIET))
        .hasValueSatisfying(
            cause -> {
              assertThat(cause.code()).isEqualTo("host.disk-full");
              assertThat(cause.says()).startsWith("nothing in the log says why it ended; probably");
            });
    assertThat(find(KILLED, log(survived), QUIET))
        .hasValueSatisfying(cause -> assertThat(cause.code()).isEqualTo("run.killed"));
  }

  @Test
  void everyCodeThatIsToldWithoutARuleIsListed() {
    assertThat(FailedRunExplainer.codes())
        .contains(
            "run.uncaught", "run.killed", "run.stopped", "run.crashed", "run.program-missing");
  }
}
