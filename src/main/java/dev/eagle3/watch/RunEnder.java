package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Failure;
import dev.eagle3.run.EndNote;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunStopper;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;

/** Ends a run as {@code eagle3 stop} does, in a thread of its own, so that its log is read on. */
final class RunEnder {
  private RunEnder() {}

  /** Begins; the host notes why. Says in a message what became of it. */
  static void start(
      HostScripts scripts, RunFolder run, EndNote why, BlockingQueue<WatchMessage> messages) {
    Thread thread =
        new Thread(
            () -> {
              try {
                messages.put(end(scripts, run, why));
              } catch (InterruptedException nobodyDoesThat) {
                Thread.currentThread().interrupt();
              }
            },
            "end-run");
    thread.setDaemon(true);
    thread.start();
  }

  private static WatchMessage.RunEnded end(HostScripts scripts, RunFolder run, EndNote why) {
    try {
      return new WatchMessage.RunEnded(
          Optional.of(RunStopper.stop(scripts, run, RunStopper.KILL_AFTER, why)), "");
    } catch (Failure failure) {
      return new WatchMessage.RunEnded(
          Optional.empty(), failure.subject() + ": " + failure.problem());
    }
  }
}
