package dev.eagle3.host.via;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/** Does short things after a while, on one daemon thread for all. */
final class Later {
  private static final Timer TIMER = new Timer("via-timer", true);

  private Later() {}

  /** What is to be done; it can be cancelled. */
  static TimerTask in(Duration wait, Runnable action) {
    TimerTask task =
        new TimerTask() {
          @Override
          public void run() {
            action.run();
          }
        };
    TIMER.schedule(task, wait.toMillis());
    return task;
  }
}
