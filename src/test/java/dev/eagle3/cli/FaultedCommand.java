package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A command beside {@code extract} that changes something on a host or brings something home: what
 * is there before it, what it exits with, what must be so after it, and what it exits with when it
 * is asked once more.
 */
enum FaultedCommand {
  STOP(0, 0) {
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
  UNDO(0, 11) {
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
  PRUNE(0, 0) {
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
  CLEAR_GPUS(0, 0) {
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
  PULL(0, 0) {
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
  QUARANTINE(16, 16) {
    @Override
    Scene prepare(FaultBench bench) throws IOException {
      Scene scene = super.prepare(bench);
      Path sample = bench.host().files().output().resolve("data_1.pt");
      byte[] whole = Files.readAllBytes(sample);
      Files.write(sample, Arrays.copyOf(whole, whole.length / 2));
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
  TAIL_LOG(0, 0) {
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
  };

  private final int code;
  private final int codeAgain;

  FaultedCommand(int code, int codeAgain) {
    this.code = code;
    this.codeAgain = codeAgain;
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

  /** What it exits with, whatever happens to its connections. */
  int code() {
    return code;
  }

  /** What it exits with when it is asked once more. */
  int codeAgain() {
    return codeAgain;
  }

  private static String extracted(FaultBench bench, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "extract", "--profile", bench.host().profile().toString(), "--clear-gpus", "none"));
    words.addAll(List.of(more));
    CommandLineRun run = bench.run(words.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    String id = bench.ids().get(0);
    Await.until(() -> Files.exists(bench.host().files().output().resolve("data_1.pt")));
    return id;
  }
}
