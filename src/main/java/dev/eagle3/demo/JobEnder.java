package dev.eagle3.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Ends the demo's own job, when a demo ends before it. */
final class JobEnder {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private JobEnder() {}

  /** Ends the wrapper that a run's pid file names, with all that it started. */
  static void end(Path pidFile) {
    long pid = pid(pidFile);
    if (pid <= 1) {
      return;
    }
    ProcessHandle.of(pid)
        // Only what this process started: a pid that was given away belongs to somebody else.
        .filter(JobEnder::isOurs)
        .ifPresent(
            wrapper -> {
              List<ProcessHandle> all =
                  Stream.concat(wrapper.descendants(), Stream.of(wrapper)).toList();
              all.forEach(ProcessHandle::destroy);
              all.forEach(JobEnder::await);
            });
  }

  private static boolean isOurs(ProcessHandle process) {
    return process
        .info()
        .startInstant()
        .filter(
            start ->
                ProcessHandle.current()
                    .info()
                    .startInstant()
                    .filter(ours -> !start.isBefore(ours))
                    .isPresent())
        .isPresent();
  }

  private static long pid(Path file) {
    try {
      return Long.parseLong(Files.readString(file).strip().split("\\s+", 2)[0]);
    } catch (IOException | NumberFormatException none) {
      return -1;
    }
  }

  private static void await(ProcessHandle process) {
    try {
      process.onExit().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException stubborn) {
      process.destroyForcibly();
    }
  }
}
