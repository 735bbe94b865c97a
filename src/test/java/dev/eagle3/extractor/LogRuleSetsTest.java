package dev.eagle3.extractor;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Matcher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LogRuleSetsTest {
  private static final LogRules ALL = LogRuleSets.all();

  @Test
  void theNamesAreThoseOfTheFolder() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/main/resources/log-rules"))) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".yaml", "")))
          .containsExactlyInAnyOrderElementsOf(LogRuleSets.NAMES);
    }
  }

  @Test
  void noRuleHidesTheExampleOfAnother() {
    List<LogRules> all = new ArrayList<>(List.of(ALL));
    BuiltInExtractors.NAMES.forEach(name -> all.add(BuiltInExtractors.named(name).log()));
    for (LogRules rules : all) {
      for (LogFailure rule : rules.failures()) {
        assertThat(code(rules.failures(), rule.example())).isEqualTo(rule.code());
      }
      for (LogFailure rule : rules.losses()) {
        assertThat(code(rules.losses(), rule.example())).isEqualTo(rule.code());
      }
    }
  }

  @Test
  void everySentenceAboutAnExampleIsWhole() {
    Stream.concat(ALL.failures().stream(), ALL.losses().stream())
        .forEach(
            rule -> {
              Matcher matcher = rule.pattern().matcher(rule.example());
              assertThat(matcher.find()).isTrue();
              assertThat(Sentence.fill(rule.says(), matcher))
                  .as(rule.code())
                  .isNotBlank()
                  .doesNotContain("$", "{", "}", "  ", "()", ": ,")
                  .doesNotEndWith(" ")
                  .doesNotEndWith(":");
              assertThat(Sentence.fill(rule.tryNext(), matcher)).isNotBlank().doesNotContain("$1");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "gpu.out-of-memory|torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 14.62 GiB total capacity; 13.1 GiB already allocated)",
        "gpu.out-of-memory|RuntimeError: CUDA driver error: out of memory",
        "gpu.no-kernel-image|torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device",
        "gpu.fabric-manager-down|RuntimeError: CUDA error: system not yet initialized",
        "gpu.driver-mismatch|RuntimeError: The NVIDIA driver on your system is too old (found version 12040). Please update your GPU driver",
        "gpu.driver-mismatch|Failed to initialize NVML: Driver/library version mismatch",
        "gpu.none-visible|RuntimeError: CUDA error: invalid device ordinal",
        "gpu.xid|[182734.5] NVRM: Xid (PCI:0000:17:00): 94, pid='<unknown>', name=<unknown>, Contained: SM error.",
        "gpu.broken|Unable to determine the device handle for GPU0000:3B:00.0: GPU is lost.  Reboot the system to recover this GPU",
        "gpu.kernel-crashed|torch.AcceleratorError: CUDA error: device-side assert triggered",
        "gpu.collective-failed|torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3356, unhandled system error (run with NCCL_DEBUG=INFO for details), NCCL version 2.26.2",
        "gpu.memory-not-free|AssertionError: Error in memory profiling. Initial free memory 71.03, current free memory 74.61",
        "gpu.kv-cache-too-small|ValueError: No available memory for the cache blocks. Try increasing gpu_memory_utilization",
        "host.nvcc-missing|FileNotFoundError: [Errno 2] No such file or directory: '/usr/local/cuda/bin/nvcc'",
        "host.ninja-missing|RuntimeError: Ninja is required to load C++ extensions (pip install ninja to get it)",
        "host.flash-attn-broken|ModuleNotFoundError: No module named 'flash_attn'",
        "host.flash-attn-broken|error: Failed building wheel for flash-attn",
        "host.disk-full|RuntimeError: [enforce fail at x] write: No space left on device",
        "host.shared-memory-full|OSError: [Errno 28] No space left on device: '/dev/shm/psm_1234'",
        "host.quota-full|cp: error writing '/home/u/x': Disk quota exceeded",
        "host.no-permission|PermissionError: [Errno 1] Operation not permitted: '/data/x'",
        "host.memory-refused|numpy.core._exceptions._ArrayMemoryError: Unable to allocate 1.2 GiB for an array",
        "host.out-of-memory|[  182.5] Memory cgroup out of memory: Killed process 4711 (python3) total-vm:9kB, anon-rss:801234kB, file-rss:0kB",
        "run.cancelled|slurmstepd: error: *** STEP 4711.0 ON gpu7 CANCELLED AT 2026-02-09T20:17:02 DUE TO PREEMPTION ***",
        "run.worker-died|torch.distributed.elastic.multiprocessing.api: failed (exitcode: -9) local_rank: 3 (pid: 4711) of binary: /usr/bin/python3",
        "run.worker-died|  traceback : Signal 9 (SIGKILL) received by PID 4711",
        "run.wrong-flag|x.py: error: the following arguments are required: --model-path",
        "run.wrong-flag|x.py: error: argument --layer-ids: invalid int value: 'x'",
        "run.port-in-use|OSError: [Errno 98] Address already in use",
        "run.import-broken|ImportError: /lib/x86_64-linux-gnu/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by x.so)",
        "versions.api-changed|TypeError: VllmConfig.__init__() got an unexpected keyword argument 'kv_transfer'",
        "versions.api-changed|ImportError: cannot import name 'get_kv_cache_config' from 'vllm.v1.core.kv_cache_utils' (/x.py)",
        "model.gated|huggingface_hub.errors.GatedRepoError: 401 Client Error. (Request ID: Root=1-68)",
        "model.login-needed|requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://huggingface.co/x/resolve/main/config.json",
        "model.not-downloaded|huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached snapshot folder for the specified revision on the local disk and outgoing traffic has been disabled.",
        "model.path-missing|OSError: /shared/kimi-k2.5 does not appear to have a file named config.json. Checkout 'https://huggingface.co//shared/kimi-k2.5/tree/main' for available files.",
        "model.shard-broken|safetensors_rust.SafetensorError: Error while deserializing header: incomplete metadata, file not fully covered",
        "model.weights-missing|ValueError: Following weights were not initialized from checkpoint: {'model.layers.60.mlp.gate.weight'}",
        "model.not-supported|ValueError: The checkpoint you are trying to load has model type `kimi_k25` but Transformers does not recognize this architecture.",
      })
  void otherRealLinesAreNamedToo(String code, String line) {
    assertThat(code(ALL.failures(), line)).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INFO 08-25 12:24:19 [gpu_worker.py:298] Available KV cache memory: 8.68 GiB",
        "INFO 08-25 12:24:19 [kv_cache_utils.py:864] GPU KV cache size: 94,784 tokens",
        "INFO 08-25 12:24:19 [parallel_state.py:1208] rank 3 in world size 8 is assigned as DP rank 0",
        "WARNING 02-09 16:17:06 [config.py:271] Enforce eager set, overriding optimization level",
        "/x/datasets/load.py:1461: FutureWarning: The repository for ai2_arc contains custom code which must be executed to correctly load the dataset.",
        "NCCL version 2.27.3+cuda12.9",
        "Setting TOKENIZERS_PARALLELISM=false for forked processes.",
        "INFO 10-11 22:28:17 [cuda.py:371] Using Flash Attention backend on V1 engine.",
        "Killed 3 stale sessions",
        "the disk has space left on device /dev/sda1",
        "2026-02-09 16:36:04,871 - __main__ - INFO -   Saved 10 new data points to /root/out",
        "Successfully processed all 1000 conversations.",
        "Processing complete. Success: 1000, Failed: 0",
      })
  void linesThatLookNearlyLikeItNameNothing(String line) {
    assertThat(ALL.failures()).noneMatch(rule -> rule.pattern().matcher(line).find());
    assertThat(ALL.losses()).noneMatch(rule -> rule.pattern().matcher(line).find());
  }

  private static String code(List<LogFailure> rules, String line) {
    return rules.stream()
        .filter(rule -> rule.pattern().matcher(line).find())
        .map(LogFailure::code)
        .findFirst()
        .orElse("none");
  }
}
