package dev.eagle3.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;

/**
 * Ctrl-C. The first one asks the command to stop by itself (the run on the host goes on); a second
 * one ends the process at once. Without a command that can stop by itself, the first ends it, after
 * a word. What comes at once with the first is part of it: {@code timeout -s INT} sends the signal
 * to the process and to its group.
 *
 * <p>{@code sun.misc.Signal} is reached by reflection: there is no other way to handle SIGINT, and
 * naming it is a warning that no compiler option turns off. Where it is missing, Ctrl-C ends the
 * process as the JVM does by itself, also with 130.
 */
final class Interruptions {
  private static final int INTERRUPTED = 130;
  private static final long LONGEST_MILLISECONDS = 1000;
  private static final int MOST_SECONDS_TO_END = 5;

  /** Nobody presses Ctrl-C twice as fast. */
  private static final long ECHO_NANOS = 200_000_000;

  private final Runnable farewell;
  private volatile Runnable stopper = this::leaveWithAWord;
  private volatile boolean interrupted;
  private volatile long interruptedAt;

  /** Hears nothing by itself. */
  Interruptions(Runnable farewell) {
    this.farewell = farewell;
  }

  /**
   * Begins to listen.
   *
   * @param farewell says that the process ends; runs on a thread of its own, for a moment at most
   */
  static Interruptions listen(Runnable farewell) {
    Interruptions interruptions = new Interruptions(farewell);
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              Interruptions.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  interruptions.interrupt(System.nanoTime());
                }
                return null;
              });
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      signal.getMethod("handle", signal, handler).invoke(null, interrupt, ours);
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | IllegalAccessException
        | InstantiationException
        | InvocationTargetException unavailable) {
      return interruptions;
    }
    return interruptions;
  }

  /** From now on the first Ctrl-C runs {@code action}, once, on a thread of the JVM. */
  void stopWith(Runnable action) {
    stopper = action;
    if (interrupted) {
      action.run();
    }
  }

  /** Ends the process at once. */
  void leaveNow() {
    leave();
  }

  /**
   * From now on the first Ctrl-C interrupts the thread that calls this, which has a few seconds to
   * end what it does.
   *
   * @param before runs first
   */
  void interruptThisThread(Runnable before) {
    Thread worker = Thread.currentThread();
    stopWith(
        () -> {
          before.run();
          worker.interrupt();
          leaveAfter(MOST_SECONDS_TO_END);
        });
  }

  /** From now on the first Ctrl-C does nothing: what is going on is short, and must not be cut. */
  void holdOn() {
    stopper = () -> {};
  }

  /** While {@code work} waits for a person, nothing has been touched: Ctrl-C ends the process. */
  boolean whileAsking(BooleanSupplier work) {
    Runnable before = stopper;
    stopper = this::leaveWithAWord;
    try {
      return work.getAsBoolean();
    } finally {
      stopper = before;
    }
  }

  /** Somebody pressed Ctrl-C, at this time of {@link System#nanoTime}. */
  void interrupt(long now) {
    synchronized (this) {
      if (interrupted && now - interruptedAt < ECHO_NANOS) {
        return;
      }
      if (interrupted) {
        leave();
        return;
      }
      interruptedAt = now;
      interrupted = true;
    }
    stopper.run();
  }

  /** Whoever writes just now may be blocked for ever: that does not keep the process. */
  private void leaveWithAWord() {
    Thread word = new Thread(farewell, "farewell");
    word.setDaemon(true);
    word.start();
    try {
      word.join(LONGEST_MILLISECONDS);
    } catch (InterruptedException early) {
      Thread.currentThread().interrupt();
    }
    leave();
  }

  private static void leaveAfter(int seconds) {
    Thread end =
        new Thread(
            () -> {
              try {
                Thread.sleep(1000L * seconds);
                leave();
              } catch (InterruptedException early) {
                Thread.currentThread().interrupt();
              }
            },
            "leave-after");
    end.setDaemon(true);
    end.start();
  }

  /**
   * Ends the process, with a moment for the hooks: one of them gives the terminal its echo back.
   */
  private static void leave() {
    Thread end =
        new Thread(
            () -> {
              try {
                Thread.sleep(LONGEST_MILLISECONDS);
              } catch (InterruptedException early) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(INTERRUPTED);
            },
            "leave");
    end.setDaemon(true);
    end.start();
    System.exit(INTERRUPTED);
  }
}
