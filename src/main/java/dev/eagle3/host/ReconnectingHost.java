package dev.eagle3.host;

import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.time.Duration;
import java.util.Optional;
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
 *
 * <p>The new connection is made by a thread of its own, once for all who wait for it; they stop to
 * wait as soon as {@link #stopReconnecting} or {@link #close} is called, whatever that thread hangs
 * in. When it was tried for as long as was wanted, it is not tried any more.
 */
public final class ReconnectingHost implements Host {
  private static final Duration KNOWN_AFTER = Duration.ofMillis(500);
  private static final long LOOK_MILLIS = 5;
  private static final String NOT_WANTED = "it was not made again";

  private final String name;
  private final Supplier<Host> connector;
  private final Duration giveUpAfter;
  private final Consumer<String> notes;
  private final ReconnectingFileTree files = new ReconnectingFileTree(this);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Patience patience;
  private Host current;
  private boolean connecting;
  private @Nullable Gone gone;
  private boolean closed;
  private boolean stopped;

  /** The connection could not be made again. */
  static final class Gone extends Exception {
    private static final long serialVersionUID = 1L;

    Gone(String why, @Nullable Throwable cause) {
      super(why, cause);
    }
  }

  private ReconnectingHost(
      Host first, Supplier<Host> connector, Duration giveUpAfter, Consumer<String> notes) {
    this.name = first.name();
    this.current = first;
    this.connector = connector;
    this.giveUpAfter = giveUpAfter;
    this.notes = notes;
    this.patience = new Patience(giveUpAfter, AwakeTime.nanos());
  }

  /**
   * Connects for the first time.
   *
   * @param connector makes a connection to always the same host, or throws a {@link Failure}
   * @param giveUpAfter for how long a lost connection is tried to be made again before the host
   *     answers anything; time in which this machine sleeps does not count
   * @param notes gets a sentence when a connection was lost, and when there is one again, from
   *     another thread
   * @throws Failure of the connector
   */
  public static Host connect(
      Supplier<Host> connector, Duration giveUpAfter, Consumer<String> notes) {
    return new ReconnectingHost(connector.get(), connector, giveUpAfter, notes);
  }

  @Override
  public String name() {
    return name;
  }

  /** Runs it on the connection that there is, or on a new one; blocks while one is made. */
  @Override
  public CommandResult run(Command command) {
    CommandResult result;
    try {
      result = ready().run(command);
    } catch (Gone gone) {
      return new CommandResult(new Ending.Lost(String.valueOf(gone.getMessage())), "", "", false);
    }
    if (result.ending() instanceof Ending.Lost) {
      awaitLoss();
    } else if (!(result.ending() instanceof Ending.TimedOut)) {
      answered();
    }
    return result;
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
      return !closed && !connecting && current.isConnected();
    } finally {
      lock.unlock();
    }
  }

  /** False once it was tried for long enough, or is not wanted any more. */
  @Override
  public boolean reconnects() {
    lock.lock();
    try {
      return !closed && !stopped && gone == null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void stopReconnecting() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
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
    Host last;
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      last = current;
    } finally {
      lock.unlock();
    }
    last.close();
  }

  /** The host of a connection that is there as far as is known, made again if need be. */
  Host ready() throws Gone {
    lock.lock();
    try {
      while (true) {
        if (closed) {
          throw new Gone("the connection is closed", null);
        }
        if (!connecting && current.isConnected()) {
          return current;
        }
        if (gone != null) {
          throw new Gone(String.valueOf(gone.getMessage()), gone);
        }
        if (stopped) {
          throw new Gone(NOT_WANTED, null);
        }
        if (!connecting) {
          begin();
        }
        changed.await();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new Gone("interrupted", interrupted);
    } finally {
      lock.unlock();
    }
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

  /** The host answered a question. */
  void answered() {
    lock.lock();
    try {
      if (!connecting) {
        patience.answered();
      }
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    connecting = true;
    Thread thread = new Thread(() -> reconnect(current), "reconnect");
    thread.setDaemon(true);
    thread.start();
  }

  /** The work of the thread that connects. */
  private void reconnect(Host lost) {
    Host next = null;
    Gone why = null;
    try {
      notes.accept("the connection to " + name + " was lost; connecting again");
      lost.close();
      next = again();
      notes.accept("connected to " + name + " again");
    } catch (Gone gaveUp) {
      why = gaveUp;
    } catch (RuntimeException bug) {
      why = new Gone(bug.toString(), bug);
    }
    if (!published(next, why) && next != null) {
      next.close();
    }
  }

  /** Tells all who wait; false when nobody wants the new connection any more. */
  private boolean published(@Nullable Host next, @Nullable Gone why) {
    lock.lock();
    try {
      connecting = false;
      gone = why;
      if (next != null && !closed) {
        current = next;
      }
      changed.signalAll();
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private Host again() throws Gone {
    Duration pause = patience.lost(AwakeTime.nanos());
    Optional<Failure> why = Optional.empty();
    while (!pause.isNegative()) {
      rest(pause);
      try {
        Host next = connector.get();
        patience.connected(AwakeTime.nanos());
        return next;
      } catch (Failure failure) {
        why = Optional.of(failure);
      }
      pause = patience.failed(AwakeTime.nanos());
    }
    String last = why.map(Failure::problem).orElse("it was lost again each time");
    throw new Gone(
        "it could not be restored within "
            + giveUpAfter.toSeconds()
            + " s: "
            + Printable.line(last, 200),
        why.orElse(null));
  }

  private void rest(Duration pause) throws Gone {
    long end = AwakeTime.nanos() + pause.toNanos();
    lock.lock();
    try {
      for (long left = pause.toNanos(); left > 0; left = end - AwakeTime.nanos()) {
        if (stopped || closed) {
          throw new Gone(NOT_WANTED, null);
        }
        changed.await(left, TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException interrupted) {
      throw new Gone("interrupted", interrupted);
    } finally {
      lock.unlock();
    }
  }
}
