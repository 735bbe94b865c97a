package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import dev.eagle3.run.RunFolder;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Looks twice at what the processes of a run do, in a thread of its own. Changes nothing. */
final class ActivityLooker {
  private static final Duration BETWEEN = Duration.ofSeconds(5);

  private ActivityLooker() {}

  /** Begins; what was seen comes as a message. */
  static void start(HostScripts scripts, RunFolder run, BlockingQueue<WatchMessage> messages) {
    Thread thread =
        new Thread(
            () -> {
              try {
                messages.put(new WatchMessage.Looked(look(scripts, run)));
              } catch (InterruptedException nobodyDoesThat) {
                Thread.currentThread().interrupt();
              }
            },
            "activity");
    thread.setDaemon(true);
    thread.start();
  }

  private static Activity look(HostScripts scripts, RunFolder run) throws InterruptedException {
    ScriptCall call =
        ScriptCall.of("look-activity", run.stateDir(), run.run().text())
            .after("run-processes")
            .after("run-end")
            .again();
    try {
      long begun = System.nanoTime();
      ScriptAnswer before = scripts.run(call);
      TimeUnit.NANOSECONDS.sleep(BETWEEN.toNanos());
      ScriptAnswer after = scripts.run(call);
      boolean whole = before.lines().contains("looked") && after.lines().contains("looked");
      double seconds = (System.nanoTime() - begun) / 1e9;
      return whole ? Activity.between(before, after, seconds) : Activity.UNKNOWN;
    } catch (Failure unanswered) {
      // Whether the connection stands is for the state of the run to tell.
      return Activity.UNKNOWN;
    }
  }
}
