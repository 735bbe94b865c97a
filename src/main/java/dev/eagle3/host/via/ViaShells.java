package dev.eagle3.host.via;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Gives shells of one command. They are opened one after another, so that what the command may ask
 * on the terminal (a password, a touch) is asked once at a time.
 */
final class ViaShells implements AutoCloseable {
  /** Within which a shell must answer; a person may have to be asked. */
  static final Duration SHELL_LIMIT = Duration.ofSeconds(60);

  /** Ctrl-C is for this program, which says what goes on; it must not cut the connection. */
  private static final String IGNORING_INTERRUPTS = "trap '' INT; exec /bin/sh -c \"$1\"";

  private final String command;
  private final Map<String, String> environment;
  private final Duration limit;
  private final ReentrantLock opening = new ReentrantLock();
  private final Set<ViaShell> alive = ConcurrentHashMap.newKeySet();
  private @Nullable ViaShell spare;
  private volatile boolean closed;

  /**
   * Of a command.
   *
   * @param environment of the command, whole
   * @param limit how long a shell may take to answer
   */
  ViaShells(String command, Map<String, String> environment, Duration limit) {
    this.command = command;
    this.environment = Map.copyOf(environment);
    this.limit = limit;
  }

  /** Opens the first shell, which the first {@link #take} then gets. */
  void open() throws NoShellException {
    ViaShell first = take(limit);
    synchronized (this) {
      spare = first;
    }
  }

  /** A shell that has answered; for the caller to {@link #release}. */
  ViaShell take(Duration within) throws NoShellException {
    ViaShell kept = spare();
    if (kept != null && kept.isAlive()) {
      return kept;
    }
    long deadline = System.nanoTime() + within.toNanos();
    boolean locked = false;
    try {
      locked = opening.tryLock(within.toNanos(), TimeUnit.NANOSECONDS);
      long left = Math.min(deadline - System.nanoTime(), limit.toNanos());
      if (!locked || left <= 0) {
        throw new NoShellException("gave no shell in time");
      }
      return opened(Duration.ofNanos(left));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new NoShellException("was interrupted");
    } finally {
      if (locked) {
        opening.unlock();
      }
    }
  }

  /** Takes a shell back when its command has ended or is wanted no more. */
  void release(ViaShell shell) {
    alive.remove(shell);
    shell.release();
  }

  @Override
  public void close() {
    closed = true;
    alive.forEach(ViaShell::release);
    alive.clear();
    spare();
  }

  private synchronized @Nullable ViaShell spare() {
    ViaShell kept = spare;
    spare = null;
    return kept;
  }

  private ViaShell opened(Duration within) throws NoShellException {
    if (closed) {
      throw new NoShellException("is closed");
    }
    ViaShell shell;
    try {
      ProcessBuilder builder =
          new ProcessBuilder("/bin/sh", "-c", IGNORING_INTERRUPTS, "sh", command);
      builder.environment().clear();
      builder.environment().putAll(environment);
      shell = new ViaShell(builder.start());
    } catch (IOException impossible) {
      throw new NoShellException("cannot be run: " + impossible.getMessage());
    }
    alive.add(shell);
    boolean answered = false;
    try {
      shell.greet(within);
      answered = true;
      return shell;
    } finally {
      if (!answered) {
        alive.remove(shell);
      }
    }
  }
}
