package dev.eagle3.watch;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Makes a thread that is wanted to stop do so soon, even where it waits for an answer over a line
 * that brings none: it is interrupted when it has not stopped by itself for a moment.
 */
final class Hurry {
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private @Nullable Thread worker;
  private boolean interrupted;

  /** This thread begins with what may be to be stopped. */
  synchronized void begin() {
    worker = Thread.currentThread();
    interrupted = false;
  }

  /** It is done; that it was interrupted by this is forgotten. */
  synchronized void end() {
    worker = null;
    if (interrupted) {
      Thread.interrupted();
    }
  }

  /** It shall stop. Returns at once. */
  void interruptSoon() {
    Thread later =
        new Thread(
            () -> {
              try {
                TimeUnit.NANOSECONDS.sleep(MOMENT.toNanos());
                interrupt();
              } catch (InterruptedException unwanted) {
                Thread.currentThread().interrupt();
              }
            },
            "hurry");
    later.setDaemon(true);
    later.start();
  }

  private synchronized void interrupt() {
    if (worker != null) {
      interrupted = true;
      worker.interrupt();
    }
  }
}
