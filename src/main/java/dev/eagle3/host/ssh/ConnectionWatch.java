package dev.eagle3.host.ssh;

import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.jspecify.annotations.Nullable;

/** Keeps what a connection said when it ended, which its futures do not tell. */
final class ConnectionWatch implements SessionListener {
  /** When nothing is known of the reason. */
  static final String CLOSED = "the connection was closed";

  private volatile @Nullable Throwable trouble;
  private volatile @Nullable String farewell;
  private volatile @Nullable String preamble;
  private volatile boolean identified;

  /** Whether the other side spoke SSH at all. */
  boolean identified() {
    return identified;
  }

  /** The first line that came before it did, if one came; not yet fit to print. */
  Optional<String> preamble() {
    return Optional.ofNullable(preamble);
  }

  /** The first exception of the connection. */
  Optional<Throwable> trouble() {
    return Optional.ofNullable(trouble);
  }

  /** What the server said when it disconnected; its own words, so not yet fit to print. */
  Optional<String> farewell() {
    return Optional.ofNullable(farewell);
  }

  /** Why the connection is gone. */
  String lossReason() {
    if (farewell != null) {
      return "the server said " + farewell;
    }
    Throwable seen = trouble;
    if (seen == null || seen.getMessage() == null) {
      return CLOSED;
    }
    return seen.getMessage().contains("heartbeat")
        ? "the host gave no sign of life any more"
        : seen.getMessage();
  }

  @Override
  public void sessionPeerIdentificationLine(Session session, String line, List<String> before) {
    if (preamble == null) {
      preamble = line;
    }
  }

  @Override
  public void sessionPeerIdentificationReceived(
      Session session, String version, List<String> lines) {
    identified = true;
  }

  @Override
  public void sessionException(Session session, Throwable thrown) {
    if (trouble == null) {
      trouble = thrown;
    }
  }

  @Override
  public void sessionDisconnect(
      Session session, int reason, String message, String language, boolean initiator) {
    if (farewell == null && !initiator) {
      farewell =
          message == null || message.isBlank()
              ? SshConstants.getDisconnectReasonName(reason)
              : message;
    }
  }
}
