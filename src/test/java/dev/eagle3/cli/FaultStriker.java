package dev.eagle3.cli;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Operations;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Kills what a case says when its operation comes, once. */
final class FaultStriker implements Operations.Meddler {
  private static final long AWAY_MILLIS = 700;

  private final FaultBench bench;
  private final FaultCase wanted;
  private final AtomicBoolean came = new AtomicBoolean();
  private volatile boolean struck;
  private volatile @Nullable Thread starter;
  private volatile @Nullable Throwable broken;

  FaultStriker(FaultBench bench, FaultCase wanted) {
    this.bench = bench;
    this.wanted = wanted;
  }

  /** Whether something was killed. */
  boolean struck() {
    return struck;
  }

  /** Whether the operation came. */
  boolean came() {
    return came.get();
  }

  /** Waits until a server that was killed is there again. */
  void settle() throws InterruptedException {
    Thread starting = starter;
    if (starting != null) {
      starting.join(TimeUnit.MINUTES.toMillis(2));
    }
    if (broken != null) {
      throw new AssertionError("the fault itself failed", broken);
    }
  }

  @Override
  public boolean meddle(Operations.Operation operation, Operations.Side side) {
    if (side != wanted.side()
        || !operation.equals(wanted.operation())
        || !came.compareAndSet(false, true)) {
      return false;
    }
    try {
      return strike(side == Operations.Side.AFTER);
    } catch (IOException | RuntimeException | Error failed) {
      broken = failed;
      return false;
    }
  }

  private boolean strike(boolean after) throws IOException {
    switch (wanted.fault()) {
      case CLIENT -> throw new AssertionError("a client in this process cannot be killed");
      case CONNECTION -> {
        bench.host().server().cutOpenConnections();
        struck = true;
        return after;
      }
      case SERVER -> {
        bench.host().server().goAway();
        struck = true;
        Thread starting = new Thread(this::startServer, "start-sshd");
        starter = starting;
        starting.start();
        return after;
      }
      case JOB, WRAPPER, RUN -> strikeRun();
    }
    return false;
  }

  private void startServer() {
    try {
      TimeUnit.MILLISECONDS.sleep(AWAY_MILLIS);
      bench.host().server().comeBack();
    } catch (IOException | InterruptedException | RuntimeException | Error failed) {
      broken = failed;
    }
  }

  /** Of a job that is about to start nothing is there yet: it is waited for. */
  private void strikeRun() throws IOException {
    List<String> ids = bench.ids();
    if (ids.isEmpty()) {
      return;
    }
    String id = ids.get(ids.size() - 1);
    Await.until(
        () -> {
          RunTruth truth = RunTruth.of(bench.runs(), id);
          return !truth.exists() || !truth.exit().isEmpty() || !truth.processes().isEmpty();
        });
    if (wanted.fault() != Fault.JOB) {
      RunTruth truth = RunTruth.of(bench.runs(), id);
      kill(truth.wrapper());
      Await.until(() -> RunTruth.of(bench.runs(), id).wrapper() == 0);
    }
    if (wanted.fault() != Fault.WRAPPER) {
      // Again, until nothing is there: what is killed may just have forked.
      Await.until(
          () -> {
            RunTruth truth = RunTruth.of(bench.runs(), id);
            truth.processes().forEach(this::kill);
            return truth.processes().isEmpty();
          });
    }
  }

  private void kill(long pid) {
    if (pid > 0 && ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false)) {
      struck = true;
    }
  }
}
