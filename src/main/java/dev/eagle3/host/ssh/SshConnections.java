package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Failure;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;

/**
 * The connections to one host: one, and a few more where its server opens too few channels on one
 * (MaxSessions). OpenSSH counts a command until its process is gone, which is a moment after its
 * channel is closed, so a refusal is first met with a little patience.
 */
final class SshConnections implements Closeable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long KNOWN_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int MOST = 6;

  private final OpenHop first;
  private final Supplier<OpenHop> another;
  private final Consumer<String> notes;
  private final List<OpenHop> hops = new CopyOnWriteArrayList<>();
  private boolean enough;
  private boolean closed;

  /**
   * One connection.
   *
   * @param another makes a further one, logged in
   * @param notes gets a sentence when there is a second one
   */
  SshConnections(OpenHop first, Supplier<OpenHop> another, Consumer<String> notes) {
    this.first = first;
    this.another = another;
    this.notes = notes;
    hops.add(first);
  }

  /** Makes a channel and opens it; called again when the server refuses, so anew each time. */
  interface Opening<T> {
    T open(OpenHop on) throws IOException;
  }

  /** The first connection: with it the host is lost. */
  OpenHop first() {
    return first;
  }

  /**
   * Opens on the first connection where the server does; blocks for seconds at the most.
   *
   * @throws IOException that says whether the server refused or the connection is gone
   */
  <T> T open(Opening<T> opening) throws IOException {
    long patience = hops.size() > 1 ? KNOWN_PATIENCE_NANOS : PATIENCE_NANOS;
    long deadline = System.nanoTime() + patience;
    while (true) {
      int seen = hops.size();
      IOException refusal = new IOException("the connection is closed");
      for (OpenHop hop : hops) {
        try {
          return opening.open(hop);
        } catch (IllegalStateException closing) {
          // SSHD's word for a session that is going away.
          refusal = new IOException("the connection is closed", closing);
          forget(hop, refusal);
        } catch (IOException failed) {
          if (!isRefusal(failed) || !hop.session().isOpen()) {
            forget(hop, failed);
          }
          refusal = failed;
        }
      }
      if (System.nanoTime() - deadline > 0) {
        addOne(seen, refusal);
      } else {
        pause();
      }
    }
  }

  /** Whether the server answered that it opens no channel. */
  static boolean isRefusal(Throwable thrown) {
    for (Throwable at = thrown; at != null; at = at.getCause()) {
      if (at instanceof SshChannelOpenException) {
        return true;
      }
    }
    return false;
  }

  /** What a refusal means, and what to do. */
  static String words(IOException refusal) {
    String why =
        refusal.getSuppressed().length == 0
            ? ""
            : ", and a further connection failed: " + refusal.getSuppressed()[0].getMessage();
    return "the server opens no further channel: set MaxSessions in its sshd_config to 10, its"
        + " default"
        + why;
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    hops.forEach(OpenHop::close);
  }

  /** A further connection that is gone does not matter; the first does, and so does a failure. */
  private void forget(OpenHop hop, IOException failed) throws IOException {
    if (hop.equals(first) || hop.session().isOpen()) {
      throw failed;
    }
    hops.remove(hop);
    hop.close();
  }

  /** Makes a further connection, unless somebody else has meanwhile. */
  private synchronized void addOne(int seen, IOException refusal) throws IOException {
    if (hops.size() > seen) {
      return;
    }
    if (enough || closed || hops.size() >= MOST || !first.session().isOpen()) {
      throw refusal;
    }
    try {
      hops.add(another.get());
    } catch (Failure failure) {
      enough = true;
      refusal.addSuppressed(failure);
      throw refusal;
    }
    if (hops.size() == 2) {
      notes.accept(
          "the server opens few channels on one connection (MaxSessions in its sshd_config), so"
              + " there are several");
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
