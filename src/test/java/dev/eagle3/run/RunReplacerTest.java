package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RunReplacerTest {
  @TempDir Path folder;
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void myOwnRunOfTheFolderIsEndedAndItsLockIsFree() throws IOException {
    ExtractionPlan running = bench.plan("echo up; exec sleep 600\n");
    bench.launch(running);
    RunBench.awaitText(bench.folder(running).resolve("log"));
    ExtractionPlan next = bench.plan("exit 0\n");

    RunReplacer replacer = RunReplacer.look(bench.scripts(), next).orElseThrow();
    assertThat(replacer.run()).isEqualTo(running.run());
    assertThat(replacer.says())
        .isEqualTo("end run " + running.run() + " of this output folder (it is running)");
    assertThat(bench.state(running)).isInstanceOf(RunState.Running.class);
    replacer.end(Duration.ofMinutes(1));

    assertThat(bench.state(running))
        .isEqualTo(new RunState.Killed("TERM", 143, java.util.List.of()));
    bench.launch(next);
    assertThat(bench.ended(next).code()).isZero();
  }

  @Test
  @Hostile("an orphan keeps the output folder of the next run")
  void anOrphanIsReplacedToo() throws IOException {
    ExtractionPlan orphan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(orphan);
    RunBench.awaitText(bench.folder(orphan).resolve("log"));
    RunBench.signal("KILL", launched.pid());
    assertThat(bench.ended(orphan)).isInstanceOf(RunState.Orphaned.class);
    ExtractionPlan next = bench.plan("exit 0\n");

    RunReplacer.look(bench.scripts(), next).orElseThrow().end(Duration.ofMinutes(1));

    bench.launch(next);
    assertThat(bench.ended(next).code()).isZero();
  }

  @Test
  void aRunOfAnotherFolderIsNone() throws IOException {
    ExtractionPlan running = bench.plan("echo up; exec sleep 600\n");
    bench.launch(running);

    assertThat(
            RunReplacer.look(
                bench.scripts(), Replaced.outputDir(bench.plan(""), bench.home() + "/other")))
        .isEmpty();
  }

  @Test
  @Hostile("a run of another state folder has the output folder")
  void aRunOfAnotherStateFolderIsNotMine() throws IOException {
    ExtractionPlan theirs =
        Replaced.stateDir(bench.plan("echo up; exec sleep 600\n"), bench.home() + "/theirs");
    bench.launch(theirs);
    ExtractionPlan next = bench.plan("");

    assertThat(RunReplacer.look(bench.scripts(), next)).isEmpty();
    assertThatThrownBy(() -> OutputLocker.lock(bench.scripts(), next))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.tryNext().orElse("")).doesNotContain("--replace");
            });
  }

  @Test
  @Hostile("a run that lost its lock, or whose plan tells nothing")
  void aRunThatCannotBeKnownToBeTheOneIsNone() throws IOException {
    ExtractionPlan running = bench.plan("echo up; exec sleep 600\n");
    bench.launch(running);
    ExtractionPlan next = bench.plan("");
    Path file = bench.folder(running).resolve("plan.json");
    String good = Files.readString(file);
    Files.writeString(file, "{}");
    assertThat(RunReplacer.look(bench.scripts(), next)).isEmpty();
    Files.writeString(file, good);
    assertThat(RunReplacer.look(bench.scripts(), next)).isPresent();

    Path lock = bench.home().resolve("hidden states.eagle3-lock");
    Files.delete(lock.resolve(running.run().text()));
    assertThat(RunReplacer.look(bench.scripts(), next)).isEmpty();
  }

  @Test
  void aRefusalOfALiveRunNamesTheWaysOut() throws IOException {
    ExtractionPlan running = bench.plan("echo up; exec sleep 600\n");
    bench.launch(running);
    ExtractionPlan next = bench.plan("");

    assertThatThrownBy(() -> OutputLocker.lock(bench.scripts(), next))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.tryNext())
                    .contains(
                        "eagle3 stop "
                            + running.run()
                            + " --host local   # or the same command with --replace, which ends it"
                            + " first"));
  }
}
