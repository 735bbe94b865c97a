package dev.eagle3.host.shell;

import dev.eagle3.host.HostScripts;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The shells of a host that serve files: a few, opened when they are needed, since opening one
 * takes as long as a command and each serves one request at a time. Thread-safe.
 */
final class FileShells implements Closeable {
  private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

  private final HostScripts scripts;
  private final Duration silence;
  private final Deque<FileShell> idle = new ArrayDeque<>();
  private final Set<FileShell> busy = new HashSet<>();
  private int most;
  private int opening;
  private boolean closed;
  private @Nullable Thread watch;

  /**
   * No shell yet.
   *
   * @param most how many at once
   * @param silence after which a shell that owes an answer is given up
   */
  FileShells(HostScripts scripts, int most, Duration silence) {
    this.scripts = scripts;
    this.most = most;
    this.silence = silence;
  }

  /** What is done with a shell. */
  interface Task<T> {
    T on(FileShell shell) throws IOException;
  }

  /** Does something that may be done twice: where the shell is lost, again with another one. */
  <T> T again(Task<T> task) throws IOException {
    try {
      return with(task);
    } catch (LostShellException lost) {
      return with(task);
    }
  }

  /** Does something that changes the host, with a shell that answered a moment ago. */
  <T> T once(Task<T> task) throws IOException {
    return again(
            shell -> {
              shell.ask("stat", "/");
              shell.answer(OutputStream.nullOutputStream(), "/");
              return keepingLoss(task, shell);
            })
        .get();
  }

  /** What a task gave, or how its shell was lost while it ran. */
  private interface Outcome<T> {
    T get() throws IOException;
  }

  private static <T> Outcome<T> keepingLoss(Task<T> task, FileShell shell) throws IOException {
    try {
      T result = task.on(shell);
      return () -> result;
    } catch (LostShellException lost) {
      return () -> {
        throw lost;
      };
    }
  }

  private <T> T with(Task<T> task) throws IOException {
    FileShell shell = take();
    boolean usable = false;
    try {
      T result = task.on(shell);
      usable = true;
      return result;
    } catch (FileSystemException answered) {
      usable = true;
      throw answered;
    } finally {
      giveBack(shell, usable);
    }
  }

  /** Closes those that nobody uses; more are opened when they are needed. */
  void closeIdle() {
    Deque<FileShell> unused;
    synchronized (this) {
      unused = new ArrayDeque<>(idle);
      idle.clear();
    }
    unused.forEach(FileShell::close);
  }

  @Override
  public void close() {
    Set<FileShell> all;
    synchronized (this) {
      closed = true;
      all = new HashSet<>(idle);
      all.addAll(busy);
      idle.clear();
      notifyAll();
    }
    all.forEach(FileShell::close);
  }

  private FileShell take() throws IOException {
    synchronized (this) {
      awaitTurn();
      if (closed) {
        throw new IOException(scripts.host().name() + ": is closed");
      }
      FileShell shell = idle.poll();
      if (shell != null) {
        shell.touch();
        busy.add(shell);
        return shell;
      }
      opening++;
    }
    return open();
  }

  private FileShell open() throws IOException {
    FileShell shell = null;
    try {
      shell = FileShell.open(scripts);
      return shell;
    } catch (LostShellException refused) {
      if (!others()) {
        throw refused;
      }
    } finally {
      opened(shell);
    }
    // The host gives no more than there are: wait for one of them.
    return take();
  }

  private synchronized boolean others() {
    most = Math.max(1, busy.size() + idle.size());
    return busy.size() + idle.size() > 0;
  }

  private synchronized void opened(@Nullable FileShell shell) {
    opening--;
    if (shell != null) {
      busy.add(shell);
      watch();
    }
    notifyAll();
  }

  private void giveBack(FileShell shell, boolean usable) {
    boolean keep;
    synchronized (this) {
      busy.remove(shell);
      keep = usable && !closed && !shell.isClosed();
      if (keep) {
        idle.push(shell);
      }
      notifyAll();
    }
    if (!keep) {
      shell.close();
    }
  }

  private synchronized void awaitTurn() throws InterruptedIOException {
    try {
      while (!closed && idle.isEmpty() && busy.size() + opening >= most) {
        wait();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** A read of a pipe cannot be interrupted; closing its shell from here ends it. */
  private void watch() {
    if (watch == null) {
      Thread thread = new Thread(this::closeSilent, "file-shells");
      thread.setDaemon(true);
      thread.start();
      watch = thread;
    }
  }

  private void closeSilent() {
    try {
      while (true) {
        Set<FileShell> silent = new HashSet<>();
        TimeUnit.NANOSECONDS.sleep(Math.min(LOOK_EVERY.toNanos(), silence.toNanos() / 2));
        synchronized (this) {
          if (closed) {
            return;
          }
          for (FileShell shell : busy) {
            if (System.nanoTime() - shell.heardNanos() > silence.toNanos()) {
              silent.add(shell);
            }
          }
        }
        silent.forEach(FileShell::close);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
