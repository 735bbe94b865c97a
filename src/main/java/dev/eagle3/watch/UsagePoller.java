package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Asks now and then what a run uses of its host, in a thread of its own. */
final class UsagePoller implements Closeable {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final HostScripts scripts;
  private final ExtractionPlan plan;
  private final BlockingQueue<WatchMessage> messages;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::poll, "usage");

  private UsagePoller(
      HostScripts scripts, ExtractionPlan plan, BlockingQueue<WatchMessage> messages) {
    this.scripts = scripts;
    this.plan = plan;
    this.messages = messages;
  }

  static UsagePoller start(
      HostScripts scripts, ExtractionPlan plan, BlockingQueue<WatchMessage> messages) {
    UsagePoller poller = new UsagePoller(scripts, plan, messages);
    poller.thread.setDaemon(true);
    poller.thread.start();
    return poller;
  }

  /** It says nothing any more; a question that was asked is left to be answered. */
  @Override
  public void close() {
    closed.countDown();
  }

  private void poll() {
    try {
      do {
        look();
      } while (!closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      ScriptAnswer answer = scripts.run(ScriptCall.of("look-usage", plan.outputDir()).again());
      if (answer.code() == 0 && answer.lines().contains("looked")) {
        // Where nobody has time to read it, the next one will do.
        messages.offer(
            new WatchMessage.Used(Usage.parse(answer, plan.gpus(), Math.max(1, plan.tpSize()))));
      }
    } catch (Failure unanswered) {
      // Whether the connection stands is for the state of the run to tell.
      return;
    }
  }
}
