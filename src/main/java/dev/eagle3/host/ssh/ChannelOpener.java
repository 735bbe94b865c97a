package dev.eagle3.host.ssh;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.channel.exception.SshChannelOpenException;

/**
 * Opens channels with a little patience: OpenSSH counts a command until its process is gone, which
 * is a moment after its channel is closed, and refuses to open more than MaxSessions.
 */
final class ChannelOpener {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final ClientSession session;

  ChannelOpener(ClientSession session) {
    this.session = session;
  }

  /** Makes a channel and opens it; called again when the server refuses, so anew each time. */
  interface Opening<T> {
    T open() throws IOException;
  }

  /**
   * Opens, again and again while the server refuses, for two seconds at most.
   *
   * @throws IOException that says whether the server refused or the connection is gone
   */
  <T> T open(Opening<T> opening) throws IOException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return opening.open();
      } catch (IllegalStateException closing) {
        // SSHD's word for a session that is going away.
        throw new IOException("the connection is closed", closing);
      } catch (IOException failed) {
        if (!isRefusal(failed) || System.nanoTime() - deadline > 0 || !session.isOpen()) {
          throw failed;
        }
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

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }
}
