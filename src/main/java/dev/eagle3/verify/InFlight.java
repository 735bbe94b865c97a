package dev.eagle3.verify;

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

/** Does one piece of work for each of many, some at a time, on threads of its own. */
public final class InFlight {
  private final String name;
  private final int threads;
  private final int most;

  /**
   * Ready to work.
   *
   * @param name what its threads are called
   * @param threads how many pieces are done at once
   * @param most how many are asked for at once: more than threads, so that a slow one at the front
   *     stalls nobody
   */
  public InFlight(String name, int threads, int most) {
    this.name = name;
    this.threads = threads;
    this.most = most;
  }

  /** Work that may wait for bytes. */
  @FunctionalInterface
  public interface Work<A, B> {
    /** Does it. */
    B of(A each) throws IOException;
  }

  /**
   * The answers in the order of {@code all}; blocks until they are there.
   *
   * @throws IOException what one of them threw, or {@link InterruptedIOException}; the others are
   *     interrupted then
   */
  public <A, B> List<B> map(List<A> all, Work<A, B> work) throws IOException {
    List<B> answers = new ArrayList<>(all.size());
    each(all, work, answers::add);
    return answers;
  }

  /** Gives the answers in the order of {@code all}, on this thread, as they come. */
  public <A, B> void each(List<A> all, Work<A, B> work, Consumer<B> answers) throws IOException {
    ExecutorService workers = Executors.newFixedThreadPool(threads, this::worker);
    try {
      Deque<Future<B>> ahead = new ArrayDeque<>();
      for (A each : all) {
        ahead.add(workers.submit(() -> work.of(each)));
        if (ahead.size() >= most) {
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

  private Thread worker(Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
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
