package dev.eagle3.host;

import java.util.concurrent.TimeUnit;

/**
 * A clock that stands still while this process does not run: a laptop that sleeps, SIGSTOP, a
 * virtual machine that is paused. Limits by this clock do not pass in their sleep, when nobody
 * could have listened to an answer.
 */
public final class AwakeTime {
  private static final long TICK_MILLIS = 250;

  /** A tick that comes later than this was slept through; a busy machine makes it late, too. */
  private static final long MOST_OF_A_TICK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static long last = System.nanoTime();
  private static long awake;

  static {
    Thread ticker = new Thread(AwakeTime::tick, "awake-time");
    ticker.setDaemon(true);
    ticker.start();
  }

  private AwakeTime() {}

  /** Nanoseconds for which this process ran, since some moment; never goes back. */
  public static synchronized long nanos() {
    long now = System.nanoTime();
    awake += Math.min(now - last, MOST_OF_A_TICK_NANOS);
    last = now;
    return awake;
  }

  private static void tick() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        nanos();
      }
    } catch (InterruptedException unwanted) {
      Thread.currentThread().interrupt();
    }
  }
}
