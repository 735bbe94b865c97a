package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Operations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A command beside {@code extract} that changes something on a host or brings something home: what
 * is there before it, what it exits with, what must be so after it, and what it exits with when it
 * is asked once more.
 */
enum FaultedCommand {
  STOP(0, 0, "stop-run 1") {
    @Override
    Scene prepare(FaultBench bench) throws IOException {
      return Scene.of(extracted(bench, "--detach", "--env", "EAGLE3_STAND_IN_BATCH_SECONDS=600"));
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("stop", run, "--yes");
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      RunTruth truth = RunTruth.of(bench.runs(), scene.run());
      assertThat(truth.isOver()).as(truth.toString()).isTrue();
      assertThat(truth.exit()).isEqualTo("143");
    }
  },
  UNDO(0, 11, "undo 1") {
    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("undo", run);
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      assertThat(FaultBench.contents(bench.outputs(), "hidden_states/"))
          .containsExactly(FaultBench.digest(FaultBench.OLD_OUTPUT));
      assertThat(FaultBench.contents(bench.outputs(), "hidden_states.undone-"))
          .hasSize(FaultBench.SAMPLES);
    }
  },
  PRUNE(0, 0, "prune 1,prune-run 1") {
    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("prune", run, "--runs", "--yes");
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      assertThat(bench.outputs().keySet())
          .hasSize(FaultBench.SAMPLES)
          .allSatisfy(path -> assertThat(path).startsWith("hidden_states/"));
      assertThat(bench.runs().resolve(scene.run())).doesNotExist();
    }
  },
  CLEAR_GPUS(0, 0, "clear-gpus 1") {
    @Override
    Scene prepare(FaultBench bench) throws IOException {
      Path device = bench.host().files().devices().resolve("nvidia0");
      return new Scene(
          "", List.of(new ProcessBuilder("sleep", "600").redirectInput(device.toFile()).start()));
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("clear-gpus", "--clear-gpus", "all", "--yes");
    }

    @Override
    void check(FaultBench bench, Scene scene) {
      assertThat(scene.holders()).noneMatch(Process::isAlive);
    }
  },
  PULL(0, 0, "file open 2") {
    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("pull", run, "--to", bench.home().toString());
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      Set<String> home = new TreeSet<>();
      for (Path file : RunTruth.entries(bench.home())) {
        home.add(FaultBench.digest(Files.readAllBytes(file)));
      }
      assertThat(home).isEqualTo(FaultBench.contents(bench.outputs(), "hidden_states/"));
    }
  },
  QUARANTINE(16, 16, "quarantine-files 3") {
    @Override
    Scene prepare(FaultBench bench) throws IOException {
      Scene scene = super.prepare(bench);
      cut(bench.host().files().output().resolve("data_1.pt"));
      return scene;
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("verify-shapes", run, "--quarantine", bad(bench).toString(), "--yes");
    }

    @Override
    void check(FaultBench bench, Scene scene) {
      assertThat(bad(bench).resolve("data_1.pt")).isRegularFile();
      assertThat(bench.host().files().output().resolve("data_1.pt")).doesNotExist();
      assertThat(bench.host().files().output().resolve("data_0.pt")).isRegularFile();
    }

    private static Path bad(FaultBench bench) {
      return bench.host().files().root().resolve("hidden_states.bad");
    }
  },
  TAIL_LOG(0, 0, "follow-log 1") {
    @Override
    Scene prepare(FaultBench bench) throws IOException {
      return Scene.of(extracted(bench, "--detach", "--env", "EAGLE3_STAND_IN_BATCH_SECONDS=2"));
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return List.of("tail-log", run);
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      assertThat(RunTruth.of(bench.runs(), scene.run()).exit()).isEqualTo("0");
    }

    @Override
    void checkAnswer(FaultBench bench, Scene scene, CommandLineRun answer) throws IOException {
      Path log = bench.runs().resolve(scene.run()).resolve("log");
      assertThat(answer.out().lines().filter(line -> line.contains("data_generation")).toList())
          .isEqualTo(
              Files.readString(log)
                  .lines()
                  .flatMap(line -> line.lines())
                  .filter(line -> line.contains("data_generation"))
                  .toList());
    }
  },
  /** An extraction that fails: previous output comes back. */
  EXTRACT_IN_VAIN(13, 13, "undo 1") {
    @Override
    Scene prepare(FaultBench bench) {
      return Scene.of("");
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return extract(bench, "--env", "EAGLE3_STAND_IN_FAULT=gpu.out-of-memory");
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      assertThat(bench.outputs().values())
          .containsExactly(FaultBench.digest(FaultBench.OLD_OUTPUT));
      assertThat(bench.outputs().keySet()).containsExactly("hidden_states/data_0.pt");
    }

    @Override
    void checkAnswer(FaultBench bench, Scene scene, CommandLineRun answer) {
      assertThat(answer.out()).contains("gpu.out-of-memory");
    }
  },
  /** An extraction that deletes previous output once it has a good sample. */
  EXTRACT_AND_DELETE(0, 0, "prune 1") {
    @Override
    Scene prepare(FaultBench bench) {
      return Scene.of("");
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return extract(bench, "--previous-output", "delete", "--yes");
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      assertThat(bench.outputs().keySet())
          .hasSize(FaultBench.SAMPLES)
          .allSatisfy(path -> assertThat(path).startsWith("hidden_states/"));
    }
  },
  /** An extraction that goes on with what an earlier one saved, but for what is bad of it. */
  EXTRACT_AND_RESUME(0, 0, "quarantine 2") {
    @Override
    Scene prepare(FaultBench bench) throws IOException {
      Scene scene = super.prepare(bench);
      cut(bench.host().files().output().resolve("data_3.pt"));
      return scene;
    }

    @Override
    List<String> words(FaultBench bench, String run) {
      return extract(bench, "--resume");
    }

    @Override
    void check(FaultBench bench, Scene scene) throws IOException {
      assertThat(FaultBench.contents(bench.outputs(), "hidden_states/"))
          .hasSize(FaultBench.SAMPLES);
      assertThat(FaultBench.contents(bench.outputs(), "hidden_states.quarantine-")).isNotEmpty();
    }
  };

  private final int code;
  private final int codeAgain;
  private final String changing;

  /**
   * A command.
   *
   * @param changing operations as {@link Operations.Operation#toString} has them, commas between
   */
  FaultedCommand(int code, int codeAgain, String changing) {
    this.code = code;
    this.codeAgain = codeAgain;
    this.changing = changing;
  }

  /**
   * What is there before it.
   *
   * @param run a run, if there is one
   * @param holders who holds a GPU
   */
  record Scene(String run, List<Process> holders) {
    static Scene of(String run) {
      return new Scene(run, List.of());
    }
  }

  /** Makes what is there before it, on a bench that was reset: a run that is over. */
  Scene prepare(FaultBench bench) throws IOException {
    return Scene.of(extracted(bench));
  }

  abstract List<String> words(FaultBench bench, String run);

  /** What must be so after it. */
  abstract void check(FaultBench bench, Scene scene) throws IOException;

  /** What it must have said. */
  void checkAnswer(FaultBench bench, Scene scene, CommandLineRun answer) throws IOException {
    assertThat(answer.err()).doesNotContain("internal error");
  }

  /** Whether it is an {@code extract} of another kind. */
  boolean isExtraction() {
    return name().startsWith("EXTRACT");
  }

  /** What it exits with, whatever happens to its connections. */
  int code() {
    return code;
  }

  /** What it exits with when it is asked once more. */
  int codeAgain() {
    return codeAgain;
  }

  /** The operations that change something on the host, or bring home what is there. */
  List<Operations.Operation> changing() {
    return Stream.of(changing.split(",", -1))
        .map(text -> Operations.parse(text).orElseThrow())
        .toList();
  }

  private static void cut(Path sample) throws IOException {
    byte[] whole = Files.readAllBytes(sample);
    Files.write(sample, Arrays.copyOf(whole, whole.length / 2));
  }

  private static List<String> extract(FaultBench bench, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "extract", "--profile", bench.host().profile().toString(), "--clear-gpus", "none"));
    words.addAll(List.of(more));
    return words;
  }

  private static String extracted(FaultBench bench, String... more) throws IOException {
    CommandLineRun run = bench.run(extract(bench, more).toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    String id = bench.ids().get(0);
    Await.until(() -> Files.exists(bench.host().files().output().resolve("data_1.pt")));
    return id;
  }
}
