package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.Await;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputLockerTest {
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
  void theJobGivesTheLockBackAtItsEnd() throws IOException {
    ExtractionPlan plan =
        bench.plan("[ -e \"$1\" ] && exit 7\n", bench.home() + "/hidden states.eagle3-lock");
    bench.launch(plan);

    assertThat(bench.ended(plan).code()).isEqualTo(7);
    Await.until(() -> !Files.exists(bench.home().resolve("hidden states.eagle3-lock")));
  }

  @Test
  void aRunningRunIsNamedToWhoWantsItsFolder() throws IOException {
    ExtractionPlan running = bench.plan("exec sleep 60\n");
    bench.launch(running);

    assertRefused(bench.plan(""), "belongs to run " + running.run() + ", and it is running");
  }

  @Test
  void anOrphanedRunKeepsItsFolder() throws IOException {
    ExtractionPlan orphaned = bench.plan("echo up; exec sleep 60\n");
    Launched launched = bench.launch(orphaned);
    RunBench.awaitText(bench.folder(orphaned).resolve("log"));
    RunBench.signal("KILL", launched.pid());
    bench.ended(orphaned);

    assertRefused(bench.plan(""), "belongs to run " + orphaned.run());
  }

  @Test
  void theLockOfARunThatIsOverIsTakenOver() throws IOException {
    ExtractionPlan lost = bench.plan("exec sleep 60\n");
    Launched launched = bench.launch(lost);
    RunBench.signal("KILL", launched.pid());
    Await.until(
        () -> {
          bench.state(lost).pids().forEach(pid -> RunBench.signal("KILL", pid));
          return bench.state(lost).isOver();
        });

    ExtractionPlan next = bench.plan("exit 0\n");
    bench.launch(next);

    assertThat(bench.ended(next).code()).isZero();
  }

  @Test
  void aLockWhoseClientIsAboutToLaunchIsItsOwn() throws IOException {
    ExtractionPlan preparing = bench.plan("exit 0\n");
    Path lock = Path.of(OutputLocker.lock(bench.scripts(), preparing));

    assertRefused(bench.plan(""), "is being prepared for run " + preparing.run());

    // A client that died on the way to the launch must not lock the folder for ever.
    Files.setLastModifiedTime(
        lock.resolve(preparing.run().text()), FileTime.from(Instant.now().minusSeconds(1000)));
    ExtractionPlan next = bench.plan("exit 0\n");
    OutputLocker.lock(bench.scripts(), next);
    assertThat(lock.resolve(next.run().text())).exists();
    assertThat(lock.resolve(preparing.run().text())).doesNotExist();
  }

  @Test
  void aRunThatIsBeingLaunchedAtThisMomentKeepsItsLock() throws IOException {
    ExtractionPlan launching = bench.plan("exit 0\n");
    Path lock = Path.of(OutputLocker.lock(bench.scripts(), launching));
    // As launch.sh leaves it before the wrapper has written who it is.
    Path run = Files.createDirectories(bench.folder(launching));
    Files.createFile(run.resolve("exit.pending"));
    Files.createFile(run.resolve("log"));

    assertRefused(bench.plan(""), "is being prepared for run " + launching.run());

    assertThat(lock.resolve(launching.run().text())).exists();
  }

  @Test
  void whoDoesNotLaunchGivesTheLockBack() throws IOException {
    ExtractionPlan first = bench.plan("");
    Path lock = Path.of(OutputLocker.lock(bench.scripts(), first));

    OutputLocker.unlock(bench.scripts(), first);
    OutputLocker.unlock(bench.scripts(), first);

    assertThat(lock).doesNotExist();
    OutputLocker.lock(bench.scripts(), bench.plan(""));
  }

  @Test
  void unlockingLeavesTheLockOfAnotherRunAlone() throws IOException {
    ExtractionPlan first = bench.plan("");
    Path lock = Path.of(OutputLocker.lock(bench.scripts(), first));
    Path theirs = lock.resolve("20261129-171500-ffff");
    Files.move(lock.resolve(first.run().text()), theirs);

    OutputLocker.unlock(bench.scripts(), first);

    assertThat(theirs).exists();
  }

  @Test
  void ofManyAtOnceExactlyOneGetsTheFolder() throws Exception {
    for (int round = 0; round < 4; round++) {
      ExtractionPlan won = raced(8);

      OutputLocker.unlock(bench.scripts(), won);
    }
  }

  @Test
  void ofManyAtOnceExactlyOneTakesAStaleLockOver() throws Exception {
    for (int round = 0; round < 4; round++) {
      ExtractionPlan over = bench.plan("exit 0\n");
      Path lock = Path.of(OutputLocker.lock(bench.scripts(), over));
      Launcher.launch(bench.scripts(), over);
      bench.ended(over);
      Await.until(() -> !Files.exists(lock));
      Files.createDirectories(lock);
      Files.writeString(lock.resolve(over.run().text()), bench.folder(over) + "\n");

      ExtractionPlan won = raced(8);

      OutputLocker.unlock(bench.scripts(), won);
      assertThat(lock).doesNotExist();
    }
  }

  @Test
  void anEmptyLockOfAClientThatDiedIsTaken() throws IOException {
    Path lock = Files.createDirectories(bench.home().resolve("hidden states.eagle3-lock"));
    ExtractionPlan plan = bench.plan("");

    assertThat(OutputLocker.lock(bench.scripts(), plan)).isEqualTo(lock.toString());
  }

  @Test
  void oneFolderHasOneLockWhateverLinksLeadToIt() throws IOException {
    Path real = Files.createDirectories(bench.home().resolve("real/out"));
    Path link = Files.createSymbolicLink(bench.home().resolve("link"), real.getParent());
    Path direct = Files.createSymbolicLink(bench.home().resolve("direct"), real);
    ExtractionPlan first = Replaced.outputDir(bench.plan(""), real + "//");
    OutputLocker.lock(bench.scripts(), first);

    assertRefused(
        Replaced.outputDir(bench.plan(""), link.resolve("out").toString()), "is being prepared");
    assertRefused(Replaced.outputDir(bench.plan(""), direct.toString()), "is being prepared");
  }

  @Test
  void theLockOfAMountPointLiesInIt() throws IOException {
    // A stand-in for mountpoint, since mounting needs a privilege.
    Path tools = Files.createDirectories(bench.home().resolve("tools"));
    Files.writeString(tools.resolve("mountpoint"), "#!/bin/sh\nexit 0\n");
    Files.setPosixFilePermissions(
        tools.resolve("mountpoint"), PosixFilePermissions.fromString("rwxr-xr-x"));
    bench.close();
    bench = new RunBench(folder, Map.of("PATH", tools + ":" + System.getenv("PATH")));
    Path output = Files.createDirectories(bench.home().resolve("hidden states"));
    ExtractionPlan plan = bench.plan("exit 0\n");

    String lock = OutputLocker.lock(bench.scripts(), plan);

    assertThat(lock).isEqualTo(output.resolve(".eagle3-lock").toString());
    Launcher.launch(bench.scripts(), plan);
    bench.ended(plan);
    Await.until(() -> !Files.exists(Path.of(lock)));
  }

  @Test
  void aStateFolderThatIsNotOursAloneIsRefused() throws IOException {
    Path elsewhere = Files.createDirectories(bench.home().resolve("elsewhere"));
    Files.createSymbolicLink(bench.home().resolve("state"), elsewhere);
    Files.writeString(bench.home().resolve("file"), "");

    assertRefused(Replaced.stateDir(bench.plan(""), bench.home() + "/state"), "is a link");
    assertRefused(Replaced.stateDir(bench.plan(""), bench.home() + "/file"), "cannot be made");
    assertRefused(Replaced.stateDir(bench.plan(""), "relative"), "absolute path");
    assertThat(elsewhere).isEmptyDirectory();
  }

  @Test
  void aStateFolderThatOthersCouldWriteIsMadePrivate() throws IOException {
    Path state = Files.createDirectories(bench.home().resolve(".eagle3"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwxrwx"));

    OutputLocker.lock(bench.scripts(), bench.plan(""));

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state)))
        .isEqualTo("rwx------");
  }

  @Test
  void aLockThatNamesNothingThatWeKnowIsRefused() throws IOException {
    Path lock = Files.createDirectories(bench.home().resolve("hidden states.eagle3-lock"));
    Files.writeString(
        lock.resolve("20261129-171500-ffff"), "locked\tus\nrefused\t\u001b[31m\n$(touch x)\n");

    assertRefused(bench.plan(""), "names no run");
  }

  @Test
  @Hostile("a file or a link has the name of the lock")
  void whatIsNoFolderIsNoLock() throws IOException {
    Path lock = bench.home().resolve("hidden states.eagle3-lock");
    Path elsewhere = Files.createDirectories(bench.home().resolve("elsewhere"));

    Files.writeString(lock, "notes");
    assertRefused(bench.plan(""), "is no folder, and no lock of eagle3: move it away");
    assertThat(lock).hasContent("notes");
    Files.delete(lock);

    for (Path target : List.of(elsewhere, bench.home().resolve("nowhere"))) {
      Files.createSymbolicLink(lock, target);
      assertRefused(bench.plan(""), "is no folder, and no lock of eagle3: move it away");
      assertThat(Files.readSymbolicLink(lock)).isEqualTo(target);
      Files.delete(lock);
    }
    assertThat(elsewhere).isEmptyDirectory();
    assertThat(bench.home().resolve(".eagle3/runs")).isEmptyDirectory();
  }

  @Test
  @Hostile("the lock folder holds files of somebody else")
  void aLockFolderWithOtherFilesIsNamed() throws IOException {
    Path lock = Files.createDirectories(bench.home().resolve("hidden states.eagle3-lock"));
    Files.writeString(lock.resolve(".DS_Store"), "");

    assertRefused(bench.plan(""), "holds what is not of eagle3: move .DS_Store away");

    assertThat(lock.resolve(".DS_Store")).exists();
    assertThat(bench.home().resolve(".eagle3/runs")).isEmptyDirectory();
  }

  @Test
  @Hostile("the lock is of a run on another node of a shared home")
  void aRunOnAnotherNodeKeepsItsFolderUntilItFallsSilent() throws IOException {
    ExtractionPlan there = bench.plan("exit 0\n");
    Path lock = Path.of(OutputLocker.lock(bench.scripts(), there));
    Path run = Files.createDirectories(bench.folder(there));
    Files.createFile(run.resolve("exit.pending"));
    Files.createFile(run.resolve("log"));
    Files.createFile(run.resolve("alive"));
    Files.writeString(run.resolve("pid"), "4711\t1\t0-other-boot\tnode17\tpid:[1]\n");

    assertRefused(bench.plan(""), "it is running on node17");
    assertThat(lock.resolve(there.run().text())).exists();

    Files.setLastModifiedTime(
        run.resolve("alive"), FileTime.from(Instant.now().minusSeconds(1000)));
    ExtractionPlan next = bench.plan("");
    OutputLocker.lock(bench.scripts(), next);
    assertThat(lock.resolve(next.run().text())).exists();
  }

  @Test
  @Hostile("a lock was left by a run that is over, one that lives, and one that nobody knows")
  void aLockIsLeftOnlyWhenItsRunIsOver() throws IOException {
    ExtractionPlan running = bench.plan("exec sleep 60\n");
    bench.launch(running);
    ExtractionPlan over =
        Replaced.outputDir(bench.plan("exit 0\n"), bench.home().resolve("other").toString());
    bench.launch(over);
    bench.ended(over);
    String run = running.run().text();

    assertThat(isLeft(over.run().text(), bench.folder(over).toString(), 0)).isTrue();
    assertThat(isLeft(run, bench.folder(running).toString(), 1_000_000)).isFalse();
    assertThat(isLeft(run, bench.folder(over).toString(), 1_000_000)).isFalse();
    assertThat(isLeft("0x", "/0x", 1_000_000)).isFalse();
    String unknown = "20261129-171500-ffff";
    assertThat(isLeft(unknown, bench.folder(over).resolveSibling(unknown).toString(), 10))
        .isFalse();
    assertThat(isLeft(unknown, bench.folder(over).resolveSibling(unknown).toString(), 1000))
        .isTrue();
  }

  private boolean isLeft(String run, String folder, long ageSeconds) {
    return OutputLocker.isLeft(bench.scripts(), run, folder, ageSeconds);
  }

  private ExtractionPlan raced(int clients) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(clients);
    try {
      List<Future<ExtractionPlan>> tries = new ArrayList<>();
      for (int client = 0; client < clients; client++) {
        ExtractionPlan plan = bench.plan("");
        tries.add(
            pool.submit(
                () -> {
                  OutputLocker.lock(bench.scripts(), plan);
                  return plan;
                }));
      }
      List<ExtractionPlan> won = new ArrayList<>();
      List<String> reasons = new ArrayList<>();
      for (Future<ExtractionPlan> attempt : tries) {
        try {
          won.add(attempt.get());
        } catch (ExecutionException refused) {
          assertThat(refused.getCause()).isInstanceOf(Failure.class);
          reasons.add(String.valueOf(refused.getMessage()));
        }
      }
      assertThat(won).as("refused: %s", reasons).hasSize(1);
      return won.get(0);
    } finally {
      pool.shutdown();
    }
  }

  private void assertRefused(ExtractionPlan plan, String why) {
    assertThatThrownBy(() -> OutputLocker.lock(bench.scripts(), plan))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
              assertThat(failure.problem()).contains(why);
            });
  }
}
