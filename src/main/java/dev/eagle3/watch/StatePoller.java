package dev.eagle3.watch;

import dev.eagle3.outcome.Failure;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Asks how something is that is watched, until an answer is the last or none can be had, in a
 * thread of its own.
 */
final class StatePoller implements Closeable {
  private final Supplier<WatchMessage> question;
  private final Predicate<WatchMessage> isLast;
  private final Duration pause;
  private final BlockingQueue<WatchMessage> messages;
  private final Thread thread = new Thread(this::poll, "run-state");

  private StatePoller(
      Supplier<WatchMessage> question,
      Predicate<WatchMessage> isLast,
      Duration pause,
      BlockingQueue<WatchMessage> messages) {
    this.question = question;
    this.isLast = isLast;
    this.pause = pause;
    this.messages = messages;
  }

  /** Starts it; it asks at once. */
  static StatePoller start(
      Supplier<WatchMessage> question,
      Predicate<WatchMessage> isLast,
      Duration pause,
      BlockingQueue<WatchMessage> messages) {
    StatePoller poller = new StatePoller(question, isLast, pause, messages);
    poller.thread.setDaemon(true);
    poller.thread.start();
    return poller;
  }

  private void poll() {
    try {
      boolean ended = false;
      while (!ended) {
        WatchMessage answer = question.get();
        messages.put(answer);
        ended = isLast.test(answer);
        TimeUnit.NANOSECONDS.sleep(ended ? 0 : pause.toNanos());
      }
    } catch (Failure failure) {
      if (!Thread.currentThread().isInterrupted()) {
        fail(failure);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void fail(Failure failure) {
    try {
      messages.put(new WatchMessage.Failed(failure));
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
