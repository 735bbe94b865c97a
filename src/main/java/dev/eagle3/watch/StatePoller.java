package dev.eagle3.watch;

import dev.eagle3.outcome.Failure;
import dev.eagle3.run.RunStatus;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Asks for the state of a run until it has ended or cannot be asked, in a thread of its own. */
final class StatePoller implements Closeable {
  private final Supplier<RunStatus> question;
  private final LongSupplier readSoFar;
  private final Duration pause;
  private final BlockingQueue<WatchMessage> messages;
  private final Thread thread = new Thread(this::poll, "run-state");

  private StatePoller(
      Supplier<RunStatus> question,
      LongSupplier readSoFar,
      Duration pause,
      BlockingQueue<WatchMessage> messages) {
    this.question = question;
    this.readSoFar = readSoFar;
    this.pause = pause;
    this.messages = messages;
  }

  /** Starts it; it asks at once. */
  static StatePoller start(
      Supplier<RunStatus> question,
      LongSupplier readSoFar,
      Duration pause,
      BlockingQueue<WatchMessage> messages) {
    StatePoller poller = new StatePoller(question, readSoFar, pause, messages);
    poller.thread.setDaemon(true);
    poller.thread.start();
    return poller;
  }

  private void poll() {
    try {
      boolean ended = false;
      while (!ended) {
        long before = readSoFar.getAsLong();
        RunStatus status = question.get();
        messages.put(new WatchMessage.Answered(status, before));
        ended = status.state().hasEnded();
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
