package dev.eagle3.cli;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;

/**
 * Ctrl-C. The first one asks the command to stop by itself (the run on the host goes on); a second
 * one ends the process at once. Without a command that can stop by itself, the first ends it.
 *
 * <p>{@code sun.misc.Signal} is reached by reflection: there is no other way to handle SIGINT, and
 * naming it is a warning that no compiler option turns off. Where it is missing, Ctrl-C ends the
 * process as the JVM does by itself, also with 130.
 */
final class Interruptions {
  private static final int INTERRUPTED = 130;
  private static final long LONGEST_MILLISECONDS = 1000;
  private static final int MOST_SECONDS_TO_END = 5;

  private volatile Runnable stopper = Interruptions::leave;
  private volatile boolean interrupted;

  /** Begins to listen. */
  static Interruptions listen() {
    Interruptions interruptions = new Interruptions();
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              Interruptions.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  interruptions.interrupt();
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
    stopper = Interruptions::leave;
    try {
      return work.getAsBoolean();
    } finally {
      stopper = before;
    }
  }

  private void interrupt() {
    if (interrupted) {
      leave();
    }
    interrupted = true;
    stopper.run();
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
