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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines that look like the cause of a failure and are not, and causes that do not look like one.
 */
class FalseCausesTest {
  private static final RunState FAILED = new RunState.Finished(1, List.of());
  private static final String KEY_ERROR =
      """
      Traceback (most recent call last):
        File "/root/eagle3-train/02_extract_hidden_states.py", line 210, in <module>
          main()
        File "/root/eagle3-train/02_extract_hidden_states.py", line 188, in main
          save(rows[index])
      KeyError: 'loss_mask'
      """;
  private static final String OUT_OF_MEMORY =
      "batch 3: OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. Retrying it one"
          + " sample at a time";
  private static final KernelNotes KILLER =
      new KernelNotes(
          true,
          List.of(
              "[1.2] Out of memory: Killed process 4711 (python3) total-vm:9kB,"
                  + " anon-rss:801234567kB, file-rss:0kB"),
          List.of());

  private static Cause cause(byte[] bytes, KernelNotes kernel) {
    LogReader log = new LogReader(BuiltInExtractors.named("speculators-0.4").log(), 0, event -> {});
    log.accept(bytes, bytes.length);
    log.finish();
    return new RunCauseFinder("run r", FAILED, log, () -> kernel).find().orElseThrow();
  }

  private static Cause cause(String text) {
    return cause(text.getBytes(StandardCharsets.UTF_8), KernelNotes.NONE);
  }

  private static Cause recorded(String name, KernelNotes kernel) throws IOException {
    try (InputStream in =
        FalseCausesTest.class.getResourceAsStream("/log/failures/" + name + ".log")) {
      assertThat(in).as(name).isNotNull();
      return cause(in.readAllBytes(), kernel);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-09 16:20:00,123 - __main__ - WARNING - ",
        "2026-02-09 16:20:00,123 - WARNING - ",
        "2026-02-09 16:20:00,123 [WARNING] __main__: ",
        "2026-02-09 16:20:00,123 WARNING __main__: ",
        "2026-02-09 16:20:00,123 __main__ WARNING ",
        "2026-02-09 16:20:00,123 - root:WARNING - ",
        "[2026-02-09 16:20:00,123] [WARNING] ",
        "[2026-02-09 16:20:00,123] [WARNING] [extract.py:88:main] ",
        "[2026-02-09 16:20:00,123][__main__][WARNING] - ",
        "[2026-02-09 16:20:00] WARNING: ",
        "2026-02-09 16:20:00,123 | WARNING | extract | ",
        "2026-02-09 16:20:00.123 | WARNING  | __main__:main:88 - ",
        "2026-02-09T16:20:00.123Z WARNING ",
        "2026-02-09T16:20:00+01:00 [WARNING] ",
        "2026-02-09 16:20:00 [4711] [MainThread] WARNING extract: ",
        "02/09/2026 16:20:00 - WARNING - __main__ - ",
        "2026/02/09 16:20:00 WARNING extract: ",
        "16:20:00 WARNING ",
        "16:20:00,123 - extract - WARNING - ",
        "WARNING 2026-02-09 16:20:00,123 extract: ",
        "[WARNING] 2026-02-09 16:20:00,123: ",
        "[WARNING|extract.py:88] 2026-02-09 16:20:00,123 >> ",
        "[2026-02-09 16:20:00,123 WARNING extract] ",
        "[WARNING] ",
        "WARNING: ",
        "WARNING - ",
        "WARNING | ",
        "WARNING:__main__:",
      })
  void aWarningThatMentionsAnErrorIsNoCauseWhateverTheFormatOfItsLog(String header) {
    String before = "2026-02-09 16:17:02,123 - INFO - loading model\n";

    assertThat(cause(before + header + OUT_OF_MEMORY + "\n" + KEY_ERROR).code())
        .isEqualTo("run.uncaught");
    String error = header.replace("WARNING", "ERROR");
    assertThat(cause(before + error + OUT_OF_MEMORY + "\n" + KEY_ERROR).code())
        .isEqualTo("gpu.out-of-memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-09 16:20:00,123 ",
        "[2026-02-09 16:20:00] extract.py:88: ",
        "2026-02-09 16:20:00 no INFORMATION: ",
        "16:20:00 PREWARNING ",
        "WARNINGS ",
      })
  void aLineWithoutALevelIsTakenByWhatItSays(String header) {
    assertThat(cause(header + OUT_OF_MEMORY + "\n" + KEY_ERROR).code())
        .isEqualTo("gpu.out-of-memory");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mkdir -p failed for path /root/.config/matplotlib: [Errno 30] Read-only file system:"
            + " '/root/.config'",
        "gpu7:4711:4899 [3] NCCL INFO Could not enable P2P between dev 1(=b000) and dev 0(=a000):"
            + " peer access is not supported between these two devices",
        "`flash-attention` package not found, consider installing for better performance: No module"
            + " named 'flash_attn'.",
      })
  void whatProgramsSayAndGoOnAfterIsNoCause(String line) {
    assertThat(cause(line + "\n" + KEY_ERROR).code()).isEqualTo("run.uncaught");
  }

  @ParameterizedTest
  @CsvSource({
    "flash-attention-advice,gpu.out-of-memory",
    "safetensors-retried,gpu.out-of-memory",
    "safetensors-retried-no-answer,run.worker-no-answer",
    "two-line-exception,run.sequence-too-long",
    "peer-lost,gpu.collective-lost",
    "spawned-child,gpu.out-of-memory",
  })
  void theLineThatSaysWhyIsTheCause(String name, String code) throws IOException {
    assertThat(recorded(name, KernelNotes.NONE).code()).isEqualTo(code);
  }

  @Test
  void theKernelIsAskedWhenAWorkerLostAnother() throws IOException {
    assertThat(recorded("peer-lost", KILLER).code()).isEqualTo("host.out-of-memory");
  }

  private static final String WHY =
      "Value error, User-specified max_model_len (262144) is greater than the derived max_model_len"
          + " (max_position_embeddings=131072 or model_max_length=None in model's config.json).";

  private static String validation(String prefix, String field) {
    return Stream.of(
            "Traceback (most recent call last):",
            "  File \"/root/eagle3-train/02_extract_hidden_states.py\", line 210, in <module>",
            "    main()",
            "pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig",
            field,
            "  " + WHY,
            "    For further information visit https://errors.pydantic.dev/2.11/v/value_error")
        .filter(line -> !line.isEmpty())
        .map(line -> prefix + line + "\n")
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @CsvSource({
    "'',''",
    "'',max_model_len",
    "'(APIServer pid=7) ',''",
    "'ERROR 02-09 16:17:03 [core.py:700] ',''",
    "'(EngineCore_DP0 pid=7) ERROR 02-09 16:17:03 [core.py:700] ',max_model_len",
  })
  void theSecondLineOfAnExceptionSaysWhy(String prefix, String field) {
    Cause cause = cause(validation(prefix, field) + "RuntimeError: cancelled\n");

    assertThat(cause.code()).isEqualTo("run.sequence-too-long");
    assertThat(cause.evidence().get(0)).contains("(262144) is greater than");
  }

  @Test
  void anExceptionThatNoRuleKnowsIsShownWithItsSecondLine() {
    Cause cause = cause(validation("", "").replace(WHY, "Value error, no such wish [type=x]"));

    assertThat(cause.code()).isEqualTo("run.uncaught");
    assertThat(cause.says())
        .endsWith(
            "ValidationError: 1 validation error for ModelConfig Value error, no such wish"
                + " [type=x]");
  }

  @Test
  void sourceTextInALoggedTracebackIsStillNoCause() {
    String head = "ERROR 02-09 16:17:03 [core.py:700] ";

    assertThat(
            cause(
                    head
                        + "Traceback (most recent call last):\n"
                        + head
                        + "  File \"/x/vllm/config.py\", line 1, in f\n"
                        + head
                        + "    raise ValueError(\"No available memory for the cache blocks\")\n"
                        + head
                        + "KeyError: 'x'\n"
                        + KEY_ERROR)
                .code())
        .isEqualTo("run.uncaught");
  }

  @Test
  void anErrorThatItsWorkerWentOnAfterIsOnlyAGuess() {
    String worker = "(Worker_TP1 pid=1) ";

    Cause cause =
        cause(
            worker
                + "ERROR 02-09 16:17:03 [a.py:7] OutOfMemoryError: CUDA out of memory. Tried to"
                + " allocate 2.00 GiB. Retrying\n"
                + worker
                + "INFO 02-09 16:17:05 [a.py:7] on with it\n"
                + "TimeoutError: RPC call to execute_model timed out.\n");

    assertThat(cause.code()).isEqualTo("gpu.out-of-memory");
    assertThat(cause.says()).startsWith("nothing in the log says why it ended; probably a GPU ran");
  }

  @Test
  void theChildOfMultiprocessingThatFailsFirstIsTheCauseAndOneThatFailsLaterIsNot() {
    String child = "Process SpawnProcess-%d:\n";
    String memory =
        KEY_ERROR.replace("KeyError: 'loss_mask'", "MemoryError: Cannot allocate memory");

    assertThat(cause(child.formatted(3) + memory + child.formatted(4) + KEY_ERROR).code())
        .isEqualTo("host.memory-refused");
    assertThat(cause(child.formatted(3) + KEY_ERROR + child.formatted(4) + memory).code())
        .isEqualTo("run.uncaught");
    assertThat(cause(child.formatted(3) + child.formatted(4) + memory).code())
        .isEqualTo("host.memory-refused");
  }

  @Test
  void whatFailsWhenTheTrackerOfSharedMemoryIsStartedIsACause() {
    assertThat(
            cause(
                    """
                    Traceback (most recent call last):
                      File "/usr/lib/python3.12/multiprocessing/popen_spawn_posix.py", line 41, in _launch
                        tracker_fd = resource_tracker.getfd()
                      File "/usr/lib/python3.12/multiprocessing/resource_tracker.py", line 86, in getfd
                        self.ensure_running()
                    OSError: [Errno 12] Cannot allocate memory
                    """)
                .code())
        .isEqualTo("host.memory-refused");
  }

  @Test
  void anErrorBehindALineThatIsNoneIsACause() {
    assertThat(
            cause(
                    "[rank0]:[W209 16:31:13.020 ProcessGroupNCCL.cpp:1479] Warning:"
                        + " destroy_process_group() was not called before program exit\n"
                        + "[rank0]: "
                        + KEY_ERROR.strip().replace("\n", "\n[rank0]: ")
                        + "\n")
                .code())
        .isEqualTo("run.uncaught");
  }

  @Test
  void theChildThatTorchSpawnedSaysWhy() {
    assertThat(
            cause(
                    """
                    Traceback (most recent call last):
                      File "/root/eagle3-train/precompute.py", line 80, in <module>
                        mp.spawn(run, nprocs=8)
                    torch.multiprocessing.spawn.ProcessRaisedException:

                    -- Process 3 terminated with the following error:
                    Traceback (most recent call last):
                      File "/root/eagle3-train/precompute.py", line 44, in run
                        model = AutoModel.from_pretrained(path)
                    torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.88 GiB.
                    """)
                .code())
        .isEqualTo("gpu.out-of-memory");
  }

  @Test
  void theThreadThatReportsUseEndsNothing() {
    assertThat(
            cause(
                    """
                    Exception in thread Thread-1 (_report_usage_worker):
                    Traceback (most recent call last):
                      File "/root/ml-env/lib/python3.12/site-packages/vllm/usage/usage_lib.py", line 244, in f
                        os.makedirs(os.path.dirname(_USAGE_STATS_JSON_PATH), exist_ok=True)
                    OSError: [Errno 30] Read-only file system: '/root/.config/vllm'
                    """
                        + KEY_ERROR)
                .code())
        .isEqualTo("run.uncaught");
  }

  @Test
  void whatStandsAtTheBeginningOfALineStandsBehindItsHeaderToo() {
    String head = "(Worker_TP1 pid=1) ERROR 02-09 16:17:03 [multiproc_executor.py:772] ";

    assertThat(
            cause(
                    head
                        + "Traceback (most recent call last):\n"
                        + head
                        + "ImportError: cannot import name 'get_kv_cache_config' from"
                        + " 'vllm.v1.core.kv_cache_utils' (/x.py)\n"
                        + KEY_ERROR)
                .code())
        .isEqualTo("versions.api-changed");
  }

  @Test
  void theKernelIsAskedWhenAProcessOfTheScriptIsGone() {
    String gone =
        KEY_ERROR.replace(
            "KeyError: 'loss_mask'",
            "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. ");

    assertThat(cause(gone).code()).isEqualTo("run.worker-died");
    assertThat(cause(gone.getBytes(StandardCharsets.UTF_8), KILLER).code())
        .isEqualTo("host.out-of-memory");
  }
}
