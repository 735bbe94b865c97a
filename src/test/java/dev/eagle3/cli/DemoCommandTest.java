package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class DemoCommandTest {
  @TempDir Path folder;

  @Test
  void theDemoRunsTheWholeFlowSaysWhatItIsAndLeavesNothing() throws IOException {
    CommandLineRun run = demo();

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("4 × [512, 7168] bfloat16", "4 × [259, 7168] bfloat16")
        .contains("eagle3: 10 of 10 good · 4 × [T, 7168] bfloat16");
    assertThat(run.err()).contains("stand-in").contains("nobody holds them");
    assertThat(folder.resolve("home/.eagle3")).doesNotExist();
    assertThat(folder.resolve("tmp")).isEmptyDirectory();
  }

  @Test
  void theFaultOfTheStoryIsNamed() throws IOException {
    CommandLineRun run = demo("--fault", "layers.reply-unwrapped");

    assertThat(run.code()).isEqualTo(16);
    assertThat(run.out())
        .contains("771 × [512]")
        .contains("771 = 512 + 259")
        .contains("layers.reply-unwrapped");
  }

  @Test
  void aFaultThatShapesDoNotShowIsSeenInTheValues() throws IOException {
    CommandLineRun run = demo("--fault", "values.dtype-overflow");

    assertThat(run.code()).as(run.err()).isEqualTo(16);
    assertThat(run.out())
        .contains("eagle3: 10 of 10 good", "values.overflow")
        .contains("[values.dtype-overflow]");
  }

  @Test
  void aLayerThatTheModelLacksIsAskedForAndNamed() throws IOException {
    CommandLineRun run = demo("--fault", "layers.not-captured");

    assertThat(run.code()).as(run.err()).isEqualTo(16);
    assertThat(run.out()).contains("[layers.not-captured]", "of [61] there is none");
  }

  @ParameterizedTest
  @CsvSource({
    "log.replaced, 0",
    "log.unreadable, 0",
    "layers.unsorted, 0",
    "samples.not-counted, 0",
    "layers.out-of-range, 16"
  })
  void aFindingThatFilesDoNotShowIsSeenInARun(String code, int exit) throws IOException {
    CommandLineRun run = demo("--fault", code);

    assertThat(run.code()).as(run.out()).isEqualTo(exit);
    assertThat(run.out()).contains("[" + code + "]");
  }

  @Test
  void versionsThatDoNotGoTogetherAreRefusedWithFileAndLine() throws IOException {
    CommandLineRun run = demo("--fault", "bad-version-pair");

    assertThat(run.code()).as(run.err()).isEqualTo(11);
    assertThat(run.err())
        .contains("vllm_hidden_states_generator.py:7 takes [0] of the reply of collective_rpc")
        .contains("--skip version-pairs")
        .doesNotContain("shards 0/119");
  }

  @Test
  void aRunThatHangsIsSaidToWithWhatItsProcessesDo() throws IOException {
    CommandLineRun run = demo("--fault", "stalled");

    assertThat(run.code()).as(run.err()).isEqualTo(14);
    assertThat(run.out()).contains("[run.stalled]", "its processes do not work", "python3 sleeps");
  }

  @ParameterizedTest
  @CsvSource({
    "out-of-memory,     13, gpu.out-of-memory,  2.00 GiB more was wanted",
    "gpu.out-of-memory, 13, gpu.out-of-memory,  1.31 GiB of the 94.97 GiB of GPU 0 was free",
    "worker-died,       13, run.worker-died,    worker 3 was gone without a word",
    "disk-full,         13, host.disk-full,     /hidden_states/data_4.pt was written",
    "half-loaded-model, 13, model.shard-broken, a shard of the model is cut off or broken",
    "wrong-flag,        13, run.wrong-flag,     unrecognized arguments: --tensor-parallel-size 8",
    "killed,            13, run.killed,         the job was killed by signal KILL",
    "samples.skipped,   16, samples.skipped,    number 3: CUDA error: misaligned address",
  })
  @Hostile("a run that fails in one of the usual ways")
  void aRunThatFailsIsExplainedByItsLog(String fault, int exit, String code, String says)
      throws IOException {
    CommandLineRun run = demo("--fault", fault);

    assertThat(run.code()).as(run.out() + run.err()).isEqualTo(exit);
    assertThat(run.out().lines().filter(line -> line.startsWith("cause")))
        .as(run.out())
        .singleElement()
        .asString()
        .contains("[" + code + "]")
        .contains(says);
    assertThat(run.out().lines()).anyMatch(line -> line.startsWith("fix"));
  }

  @Test
  void keptFilesCanBeVerifiedAfterwards() throws IOException {
    Path kept = folder.resolve("kept");

    assertThat(demo("--keep", kept.toString()).code()).isZero();
    CommandLineRun verified =
        CommandLineRun.at(
            folder,
            Map.of(),
            "verify-shapes",
            kept.resolve("hidden_states").toString(),
            "--layers",
            "2",
            "30",
            "58",
            "60",
            "--model-path",
            kept.resolve("model").toString());

    assertThat(verified.code()).as(verified.err()).isZero();
    assertThat(verified.out()).contains("10 of 10 good");
    assertThat(demo("--keep", kept.toString()).code()).isEqualTo(11);
  }

  @Test
  void anUnknownFaultNamesThoseThereAre() throws IOException {
    CommandLineRun run = demo("--fault", "nonsense");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("layers.reply-unwrapped");
  }

  /** In a mount namespace of its own the machine has a held /dev/nvidia0; the demo never looks. */
  @Test
  void aRealHolderOfTheMachinesOwnGpusLivesThroughADemo() throws Exception {
    String script =
        """
        set -eu
        mount -t tmpfs none /dev
        mknod -m 666 /dev/null c 1 3
        mknod -m 666 /dev/urandom c 1 9
        mknod -m 666 /dev/random c 1 8
        head -c 4096 /proc/version > /dev/nvidia0
        python3 -c 'import mmap,time; f=open("/dev/nvidia0","r+b"); f.truncate(4096); m=mmap.mmap(f.fileno(),4096); print("held", flush=True); time.sleep(600)' > "$1/holder" &
        holder=$!
        until grep -q held "$1/holder"; do sleep 0.05; done
        "$2" -cp "$3" dev.eagle3.cli.Main demo > "$1/demo.out" 2> "$1/demo.err" && code=0 || code=$?
        if kill -0 "$holder"; then echo "alive $code" > "$1/verdict"; else echo "dead $code" > "$1/verdict"; fi
        kill -9 "$holder"
        """;
    ProcessBuilder builder =
        new ProcessBuilder(
            "unshare",
            "-m",
            "sh",
            "-c",
            script,
            "sh",
            folder.toString(),
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"));
    if (!"root".equals(System.getProperty("user.name"))) {
      builder.command().add(1, "-r");
    }
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("output").toFile());
    Process process = builder.start();

    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(folder.resolve("verdict"))
        .as(
            Files.readString(folder.resolve("output"))
                + Files.readString(folder.resolve("demo.err")))
        .hasContent("alive 0");
  }

  @Test
  void ctrlCEndsTheRunTooAndSaysSo() throws Exception {
    Path kept = folder.resolve("kept");
    try (SpawnedClient client = SpawnedClient.start(folder, "demo", "--keep", kept.toString())) {
      Await.until(() -> client.err().contains("Initializing executor"));

      client.signal("INT");

      assertThat(client.code()).isEqualTo(130);
      assertThat(client.err())
          .contains("eagle3: interrupted: the run was ended; its files are kept in " + kept);
      assertThat(ProcessHandle.allProcesses().filter(one -> mentions(one, kept))).isEmpty();
    }
  }

  private static boolean mentions(ProcessHandle process, Path path) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), ISO_8859_1)
          .contains(path.toString());
    } catch (IOException gone) {
      return false;
    }
  }

  private CommandLineRun demo(String... more) throws IOException {
    Path temporary = Files.createDirectories(folder.resolve("tmp"));
    List<String> words = Stream.concat(Stream.of("demo"), Stream.of(more)).toList();
    return CommandLineRun.at(
        folder.resolve("home"),
        Map.of("PATH", System.getenv("PATH"), "TMPDIR", temporary.toString()),
        words.toArray(String[]::new));
  }
}
