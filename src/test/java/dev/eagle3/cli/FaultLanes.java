package dev.eagle3.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Benches beside each other, each with a server of its own: a trial waits most of its time, and
 * another goes on meanwhile.
 */
final class FaultLanes implements AutoCloseable {
  private static final int MOST_MINUTES = 8;

  private final List<FaultBench> benches = new ArrayList<>();
  private final BlockingQueue<FaultBench> free;
  private final ExecutorService lanes;

  private FaultLanes(int number) {
    free = new ArrayBlockingQueue<>(number);
    lanes = Executors.newFixedThreadPool(number);
  }

  /** What is done on a bench. */
  interface Trial<T> {
    T on(FaultBench bench) throws Exception;
  }

  /** Starts so many; {@code -Deagle3.faults.at-once} overrules it. The caller closes it. */
  static FaultLanes open(Path folder, int usual) throws IOException, InterruptedException {
    int number = Integer.getInteger("eagle3.faults.at-once", usual);
    FaultLanes all = new FaultLanes(number);
    try {
      for (int lane = 0; lane < number; lane++) {
        all.benches.add(FaultBench.open(Files.createDirectories(folder.resolve("lane" + lane))));
      }
    } catch (IOException | InterruptedException | RuntimeException | Error failed) {
      all.close();
      throw failed;
    }
    all.free.addAll(all.benches);
    return all;
  }

  /** Does it on a bench as soon as one is free. */
  <T> Future<T> begin(Trial<T> trial) {
    return lanes.submit(
        () -> {
          FaultBench bench = free.take();
          try {
            return trial.on(bench);
          } finally {
            free.add(bench);
          }
        });
  }

  /** Waits for a trial that was begun, and fails as it has failed. */
  static <T> T await(Future<T> trial) throws Exception {
    try {
      return trial.get(MOST_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof AssertionError wrong) {
        throw wrong;
      }
      throw failed;
    }
  }

  @Override
  public void close() {
    lanes.shutdownNow();
    benches.forEach(FaultBench::close);
  }
}
