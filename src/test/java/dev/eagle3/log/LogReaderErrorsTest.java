package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogReaderErrorsTest {
  private static LogReader read(byte[] bytes) {
    LogReader reader = new LogReader(SampleRules.RULES, 0, event -> {});
    reader.accept(bytes, bytes.length);
    reader.finish();
    return reader;
  }

  private static LogReader read(String text) {
    return read(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aRunThatFailsShowsTheFirstTracebackOfTheWorkerThatFailed() throws IOException {
    LogReader reader = read(LogReaderTest.recorded("out-of-memory.log"));
    assertThat(reader.lastErrors())
        .hasSize(5)
        .startsWith(
            "(Worker_TP3 pid=2784024) WorkerProc failed to start.",
            "  …",
            "  File \"/root/ml-env/lib/python3.12/site-packages/torch/utils/_device.py\", line 103,"
                + " in __torch_function__",
            "    return func(*args, **kwargs)");
    assertThat(reader.lastErrors().get(4))
        .startsWith("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 896.00 MiB.")
        .hasSize(401);
    assertThat(reader.firstFailure())
        .hasValueSatisfying(
            failure -> {
              assertThat(failure.code()).isEqualTo("gpu.out-of-memory");
              assertThat(failure.says())
                  .isEqualTo("GPU 3 had 512.44 MiB free, and 896.00 MiB were asked for");
              assertThat(failure.tryNext()).isEqualTo("try with 896.00");
            });
  }

  @Test
  void prefixesStack() {
    LogReader reader =
        read(
            """
            (EngineCore_DP0 pid=1) (Worker_TP0_EP0 pid=2) ERROR 02-09 16:17:03 [a.py:7] no
            (VllmWorker rank=7 pid=410) ERROR 02-09 16:17:03 [a.py:7] later
            """);
    assertThat(reader.lastErrors())
        .containsExactly("(EngineCore_DP0 pid=1) (Worker_TP0_EP0 pid=2) no");
  }

  @Test
  void aWorkerThatDiedIsTheCauseOnlyWhenNoTracebackCameBefore() {
    String died = "ERROR 02-09 16:17:03 [m.py:7] Worker proc VllmWorker-3 died unexpectedly\n";
    String later =
        "Traceback (most recent call last):\n  File \"a\", line 1, in f\nKeyError: 'x'\n";
    assertThat(read(died + later).firstFailure())
        .hasValueSatisfying(failure -> assertThat(failure.says()).isEqualTo("VllmWorker-3 died"));
    LogReader reader = read(later + died);
    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.lastErrors()).last().isEqualTo("KeyError: 'x'");
  }

  @Test
  void aReportOfAnotherProcessGivesWayToWhatItReports() {
    String report = "RuntimeError: Worker failed with error 'it broke', please check the log\n";
    assertThat(read(report).firstFailure())
        .hasValueSatisfying(
            failure ->
                assertThat(failure.says()).isEqualTo("a worker failed: it broke ($9, $x, $)"));
    assertThat(
            read(report
                    + "ValueError: Boolean value of Tensor with more than one value is ambiguous")
                .firstFailure())
        .hasValueSatisfying(
            failure -> assertThat(failure.code()).isEqualTo("data.reply-unwrapped"));
    assertThat(
            read("(Worker_TP1 pid=1) Traceback (most recent call last):\n" + report).firstFailure())
        .isEmpty();
  }

  @Test
  void errorsOfProgramsThatLogNothingAreErrors() {
    String[] plain = {
      "02_extract.py: error: unrecognized arguments: --tp",
      "/root/ml-env/bin/python3: can't open file '/x.py': [Errno 2] No such file or directory",
      "bash: line 3: module: command not found",
      "sh: 1: nvcc: not found",
      "/root/.eagle3/job.sh: line 7:  4711 Killed                  python3 x.py",
      "Killed",
      "Segmentation fault (core dumped)",
      "torch.OutOfMemoryError: CUDA out of memory",
      "Exception: no",
      "KeyboardInterrupt",
      "fatal: not a git repository",
      "[rank0]:[E209 16:21:41.118 ProcessGroupNCCL.cpp:629] [Rank 0] Watchdog caught"
    };
    for (String line : plain) {
      assertThat(read("all well\n" + line + "\nand on\n").lastErrors()).as(line).hasSize(1);
    }
    for (String line : List.of("0 errors: fine", "UserWarning: x", "no ERROR here", "Killed 3")) {
      assertThat(read(line + "\n").lastErrors()).as(line).isEmpty();
    }
  }

  @Test
  void aLongErrorWithoutATracebackShowsItsBeginning() {
    LogReader reader = read("ERROR 02-09 16:17:03 [a.py:7] no\n".repeat(30));
    assertThat(reader.lastErrors())
        .hasSize(12)
        .startsWith("no")
        .last()
        .isEqualTo("… (19 more lines)");
  }

  @Test
  void aTracebackEndsWithItsExceptionThoughOthersWriteBetween() {
    LogReader reader =
        read(
            """
            Traceback (most recent call last):
              File "/a.py", line 3, in f
            INFO 02-09 16:17:03 [a.py:7] of another thread
                g()
            (Worker_TP0 pid=1) of another process
            ValueError: no
            and on
            """);
    assertThat(reader.lastErrors())
        .containsExactly(
            "Traceback (most recent call last):",
            "  File \"/a.py\", line 3, in f",
            "    g()",
            "ValueError: no");
  }

  @Test
  void everyShapeOfHeaderNamesItsLevel() {
    for (String header :
        List.of(
            "ERROR 02-09 16:17:03 [vllm/v1/multiproc_executor.py:707] ",
            "ERROR 10-14 12:32:47 multiproc_worker_utils.py:233] ",
            "2026-02-09 16:17:02,123 - __main__ - ERROR -   ",
            "2026-02-09 16:17:02 - a - b - CRITICAL - ",
            "[2026-02-09 16:17:02] ERROR logging_utils.py:49:   ",
            "[16:17:02] ERROR    ",
            "           CRITICAL ",
            "ERROR:root:")) {
      assertThat(read(header + "it broke\n").lastErrors())
          .as(header)
          .singleElement()
          .asString()
          .isEqualToIgnoringWhitespace("it broke");
    }
  }

  @Test
  void whatComesAtTheEndOfPythonIsNoError() {
    LogReader reader =
        read(
            """
            Error in atexit._run_exitfuncs:
            Traceback (most recent call last):
              File "/a.py", line 1, in f
            KeyError: 'late'
            ValueError: the real one
            """);
    assertThat(reader.lastErrors()).containsExactly("ValueError: the real one");
    assertThat(reader.uncaught()).isEmpty();
  }

  @Test
  void aTracebackThatItsWorkerGoesOnAfterIsNoCause() {
    String survived =
        "(Worker_TP1 pid=1) Traceback (most recent call last):\n"
            + "(Worker_TP1 pid=1)   File \"/a.py\", line 1, in f\n"
            + "(Worker_TP1 pid=1) KeyError: 'x'\n";
    String other = "(Worker_TP2 pid=1) INFO 02-09 16:17:03 [a.py:7] work\n";
    String own = "(Worker_TP1 pid=1) INFO 02-09 16:17:03 [a.py:7] work\n";
    String ending = "(Worker_TP1 pid=1) INFO 02-09 16:17:03 [a.py:7] Parent process exited\n";

    assertThat(read(survived).uncaught()).isPresent();
    assertThat(read(survived + other + ending).uncaught()).isPresent();
    assertThat(read(survived + own).uncaught()).isEmpty();
  }

  @Test
  void theScriptGoesOnWhenItReachesAMilestoneOrABatch() {
    String survived = "Traceback (most recent call last):\n  File \"/a.py\", line 1, in f\nE: x\n";

    assertThat(read(survived + "a line\n").uncaught()).isPresent();
    assertThat(read(survived + "Processing 10 samples\n").uncaught()).isEmpty();
    assertThat(
            read(survived + "Generating hidden states: 50%|#| 1/2 [00:01<00:01, 1.0s/it]\n")
                .uncaught())
        .isEmpty();
    assertThat(
            read(survived + "Loading safetensors checkpoint shards: 50%|#| 1/2 [00:01<00:01]\n")
                .uncaught())
        .isPresent();
  }

  @Test
  void ofExceptionsThatOneCausesTheOtherTheFirstCounts() {
    LogReader reader =
        read(
            """
            Traceback (most recent call last):
              File "/own.py", line 1, in f
            KeyError: 'first'

            The above exception was the direct cause of the following exception:

            Traceback (most recent call last):
              File "/other.py", line 2, in g
            RuntimeError: second
            """);
    assertThat(reader.uncaught())
        .hasValueSatisfying(
            error -> {
              assertThat(error.exception()).isEqualTo("KeyError: 'first'");
              assertThat(error.own().map(PythonError.Frame::place)).contains("/own.py:1");
            });
    assertThat(reader.followers()).isZero();
  }

  @Test
  void whatTheWrapperKnowsIsTheCauseWhateverTheLineOfSetupPrinted() {
    String printed =
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n"
            + "RuntimeError: Boolean value of Tensor with more than one value is ambiguous\n";
    String ended =
        "eagle3: the job was not started: setup line 2 of 3 ended with code 1: python a.py\n";

    assertThat(read(printed + ended).firstFailure())
        .hasValueSatisfying(failure -> assertThat(failure.code()).isEqualTo("setup.failed"));
    assertThat(read(printed).firstFailure())
        .hasValueSatisfying(
            failure -> assertThat(failure.code()).isEqualTo("data.reply-unwrapped"));
  }

  @Test
  void whatTheKernelDidIsTheCauseOfWhatIsGone() {
    String gone = "ERROR 02-09 16:17:03 [m.py:7] Worker proc W-3 died unexpectedly\n";
    String kernel = "oom-kill: python3\n";
    String cause = "OutOfMemoryError: CUDA out of memory. Tried\nValueError: y is ambiguous\n";

    assertThat(read(gone + "a line\n" + kernel).firstFailure())
        .hasValueSatisfying(failure -> assertThat(failure.code()).isEqualTo("host.out-of-memory"));
    assertThat(
            read("ValueError: Boolean value of Tensor with more than one value is ambiguous\n"
                    + cause
                    + kernel)
                .firstFailure())
        .hasValueSatisfying(
            failure -> assertThat(failure.code()).isEqualTo("data.reply-unwrapped"));
  }

  @Test
  void sourceTextInATracebackIsNoFailure() {
    LogReader reader =
        read(
            """
            Traceback (most recent call last):
              File "/a.py", line 1, in f
                raise RuntimeError("Worker failed with error 'x', please check the log")
            KeyError: 'x'
            """);
    assertThat(reader.firstFailure()).isEmpty();
    assertThat(reader.uncaught()).isPresent();
  }
}
