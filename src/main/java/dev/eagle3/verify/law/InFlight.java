package dev.eagle3.verify.law;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Does one piece of work for each of many, some at a time. */
final class InFlight {
  private final int most;

  InFlight(int most) {
    this.most = most;
  }

  /** Work that may wait for bytes. */
  @FunctionalInterface
  interface Work<A, B> {
    /** Does it. */
    B of(A each) throws IOException;
  }

  /** The answers in the order of {@code all}. */
  <A, B> List<B> map(List<A> all, Work<A, B> work) throws IOException {
    List<B> answers = new ArrayList<>(all.size());
    each(all, work, answers::add);
    return answers;
  }

  /** Gives the answers in the order of {@code all}, on this thread, as they come. */
  <A, B> void each(List<A> all, Work<A, B> work, Consumer<B> answers) throws IOException {
    ExecutorService workers =
        Executors.newFixedThreadPool(
            most,
            task -> {
              Thread thread = new Thread(task, "laws");
              thread.setDaemon(true);
              return thread;
            });
    try {
      Deque<Future<B>> ahead = new ArrayDeque<>();
      for (A each : all) {
        ahead.add(workers.submit(() -> work.of(each)));
        if (ahead.size() > most) {
          answers.accept(await(ahead.remove()));
        }
      }
      while (!ahead.isEmpty()) {
        answers.accept(await(ahead.remove()));
      }
    } finally {
      workers.shutdownNow();
    }
  }

  private static <B> B await(Future<B> answer) throws IOException {
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return answer.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException lost) {
        throw lost;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }
}
