package dev.eagle3.host;

import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A host that is connected to again when the connection went away. Only what comes after a loss
 * gets the new connection: a command whose connection was lost ends as {@link Ending.Lost}, and is
 * not run a second time by this, since nobody knows what it did.
 */
public final class ReconnectingHost implements Host {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private static final Duration KNOWN_AFTER = Duration.ofMillis(500);
  private static final long LOOK_MILLIS = 5;

  private final Supplier<Host> connector;
  private final Duration giveUpAfter;
  private final Consumer<String> notes;
  private final ReconnectingFileTree files = new ReconnectingFileTree(this);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stopping = lock.newCondition();
  private final Condition attempted = lock.newCondition();
  private Host current;
  private @Nullable Attempt attempt;
  private boolean closed;
  private volatile boolean stopped;

  /** Connecting again, by one thread; all others that need the connection wait for it. */
  private static final class Attempt {
    private boolean over;
    private @Nullable Gone failure;
  }

  /** The connection could not be made again. */
  static final class Gone extends Exception {
    private static final long serialVersionUID = 1L;

    Gone(String why, @Nullable Throwable cause) {
      super(why, cause);
    }
  }

  private ReconnectingHost(
      Host first, Supplier<Host> connector, Duration giveUpAfter, Consumer<String> notes) {
    this.current = first;
    this.connector = connector;
    this.giveUpAfter = giveUpAfter;
    this.notes = notes;
  }

  /**
   * Connects for the first time.
   *
   * @param connector makes a connection to always the same host, or throws a {@link Failure}
   * @param giveUpAfter for how long a lost connection is tried to be made again, each time
   * @param notes gets a sentence when a connection was lost, and when there is one again
   * @throws Failure of the connector
   */
  public static Host connect(
      Supplier<Host> connector, Duration giveUpAfter, Consumer<String> notes) {
    return new ReconnectingHost(connector.get(), connector, giveUpAfter, notes);
  }

  @Override
  public String name() {
    lock.lock();
    try {
      return current.name();
    } finally {
      lock.unlock();
    }
  }

  /** Runs it on the connection that there is, or on a new one; blocks while one is made. */
  @Override
  public CommandResult run(Command command) {
    try {
      CommandResult result = ready().run(command);
      if (result.ending() instanceof Ending.Lost) {
        awaitLoss();
      }
      return result;
    } catch (Gone gone) {
      return new CommandResult(new Ending.Lost(String.valueOf(gone.getMessage())), "", "", false);
    }
  }

  /** As {@link #run}. What is started stays with its own connection. */
  @Override
  public RunningCommand start(Command command) {
    try {
      return ready().start(command);
    } catch (Gone gone) {
      return new NeverStarted(new Ending.Lost(String.valueOf(gone.getMessage())));
    }
  }

  @Override
  public boolean isConnected() {
    lock.lock();
    try {
      return !closed && current.isConnected();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean reconnects() {
    return true;
  }

  @Override
  public void stopReconnecting() {
    stopped = true;
    lock.lock();
    try {
      stopping.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public FileTree files() {
    return files;
  }

  @Override
  public void close() {
    stopReconnecting();
    lock.lock();
    try {
      closed = true;
      current.close();
    } finally {
      lock.unlock();
    }
  }

  /** The host of a connection that is there as far as is known, made again if need be. */
  Host ready() throws Gone {
    Attempt own = new Attempt();
    Host lost;
    lock.lock();
    try {
      while (attempt != null) {
        awaitEnd(attempt);
      }
      if (closed) {
        throw new Gone("the connection is closed", null);
      }
      if (current.isConnected()) {
        return current;
      }
      if (stopped) {
        throw new Gone("it was not made again", null);
      }
      attempt = own;
      lost = current;
    } finally {
      lock.unlock();
    }
    return connect(own, lost);
  }

  /**
   * Waits a moment for the end of the connection to be known, after something was lost on it: who
   * writes hears of it some milliseconds before the session does, and would be given it again.
   */
  void awaitLoss() {
    long deadline = System.nanoTime() + KNOWN_AFTER.toNanos();
    try {
      while (isConnected() && System.nanoTime() - deadline < 0) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * What an attempt fails by is the answer for all who waited for it, but for an interrupt, which
   * is a matter of the thread that connected.
   */
  private void awaitEnd(Attempt running) throws Gone {
    try {
      while (!running.over) {
        attempted.await();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new Gone("interrupted", interrupted);
    }
    if (running.failure != null && !(running.failure.getCause() instanceof InterruptedException)) {
      throw new Gone(String.valueOf(running.failure.getMessage()), running.failure);
    }
  }

  /** Without the lock: whoever only asks or closes need not wait for a connection. */
  private Host connect(Attempt own, Host lost) throws Gone {
    Host made = null;
    try {
      String name = lost.name();
      lost.close();
      notes.accept("the connection to " + name + " was lost; connecting again");
      made = again();
      notes.accept("connected to " + name + " again");
      return made;
    } catch (Gone gone) {
      own.failure = gone;
      throw gone;
    } finally {
      end(own, made);
    }
  }

  private void end(Attempt own, @Nullable Host made) {
    lock.lock();
    try {
      own.over = true;
      attempt = null;
      if (made != null) {
        current = made;
        if (closed) {
          made.close();
        }
      }
      attempted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Host again() throws Gone {
    long deadline = System.nanoTime() + giveUpAfter.toNanos();
    Duration pause = FIRST_PAUSE;
    while (true) {
      Failure why;
      try {
        return connector.get();
      } catch (Failure failure) {
        why = failure;
      }
      if (System.nanoTime() + pause.toNanos() > deadline) {
        throw new Gone(
            "it could not be restored within "
                + giveUpAfter.toSeconds()
                + " s: "
                + Printable.line(why.problem(), 200),
            why);
      }
      rest(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  private void rest(Duration pause) throws Gone {
    long nanos = pause.toNanos();
    lock.lock();
    try {
      while (nanos > 0 && !stopped) {
        nanos = stopping.awaitNanos(nanos);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new Gone("interrupted", interrupted);
    } finally {
      lock.unlock();
    }
    if (stopped) {
      throw new Gone("it was not made again", null);
    }
  }
}
