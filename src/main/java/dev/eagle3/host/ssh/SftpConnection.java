package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.outcome.Printable;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.sftp.client.RawSftpClient;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.common.SftpConstants;

/**
 * One SFTP channel (version 3), by requests and answers, so that many requests can be under way
 * together. Thread-safe. Whoever sends a request receives its answer, whatever happens.
 */
final class SftpConnection implements Closeable {
  /** What every server must take; more only where the server says so. */
  private static final int USUAL_READ_BYTES = 32 << 10;

  /** SSHD's client takes no larger packet than 256 KiB, and it has a head. */
  private static final int MOST_READ_BYTES = 255 << 10;

  private static final String LIMITS = "limits@openssh.com";

  private final String host;
  private final SftpClient client;
  private final RawSftpClient raw;
  private volatile int readBytes = USUAL_READ_BYTES;

  private SftpConnection(String host, SftpClient client) {
    this.host = host;
    this.client = client;
    this.raw = (RawSftpClient) client;
  }

  /** Opens a channel and asks for the server's limits: three round trips. */
  static SftpConnection open(String host, SshConnections connections) throws IOException {
    SftpClient client;
    try {
      client = connections.open(on -> new NoiseProofSftpClient(on.session()));
    } catch (IOException refused) {
      throw notOpened(host, connections.first().session(), refused);
    }
    SftpConnection connection = new SftpConnection(host, client);
    try {
      connection.askLimits();
    } catch (IOException | RuntimeException unanswered) {
      client.close();
      throw unanswered;
    }
    return connection;
  }

  private static IOException notOpened(String host, ClientSession session, IOException refused) {
    if (!session.isOpen()) {
      return new IOException(host + ": the connection was lost", refused);
    }
    return SshConnections.isRefusal(refused)
        ? new IOException(host + ": " + SshConnections.words(refused), refused)
        : new NoSftpException(
            host + ": the server offers no SFTP (Subsystem sftp in its sshd_config)", refused);
  }

  /** limits@openssh.com answers four numbers: most bytes of a packet, a read, a write; handles. */
  private void askLimits() throws IOException {
    if (!offers(LIMITS)) {
      return;
    }
    Answer answer = ask(SftpConstants.SSH_FXP_EXTENDED, body(LIMITS));
    if (answer.type() == SftpConstants.SSH_FXP_EXTENDED_REPLY
        && answer.body().available() >= 2 * Long.BYTES) {
      answer.body().getLong();
      long most = answer.body().getLong();
      readBytes = most <= 0 ? USUAL_READ_BYTES : (int) Math.min(most, MOST_READ_BYTES);
    }
  }

  /** How many bytes one read may ask for. */
  int readBytes() {
    return readBytes;
  }

  /** Whether the server named an extension. */
  boolean offers(String extension) {
    return client.getServerExtensions().containsKey(extension);
  }

  boolean isOpen() {
    return client.isOpen();
  }

  /** Sends a request; the number under which to {@link #receive} its answer. */
  int send(int type, Buffer body) throws IOException {
    try {
      return raw.send(type, body);
    } catch (IOException gone) {
      throw lost(gone);
    }
  }

  /** Waits for the answer to a request. */
  Answer receive(int id) throws IOException {
    Buffer packet;
    try {
      packet = raw.receive(id);
    } catch (IOException gone) {
      throw lost(gone);
    }
    packet.getInt(); // length
    int type = packet.getUByte();
    packet.getInt(); // the id again
    return new Answer(type, packet);
  }

  /** Sends a request and waits for its answer: one round trip. */
  Answer ask(int type, Buffer body) throws IOException {
    return receive(send(type, body));
  }

  /** Receives answers that nobody wants any more. */
  void forget(Collection<Integer> ids) {
    for (int id : ids) {
      try {
        raw.receive(id);
      } catch (IOException gone) {
        return;
      }
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }

  private IOException lost(IOException thrown) {
    return isOpen() ? thrown : new IOException(host + ": the connection was lost", thrown);
  }

  /** A body that begins with a text or a handle. */
  static Buffer body(String first) {
    Buffer body = new ByteArrayBuffer();
    body.putString(first, UTF_8);
    return body;
  }

  /** As {@link #body(String)}, for a handle. */
  static Buffer body(byte[] handle) {
    Buffer body = new ByteArrayBuffer();
    body.putBytes(handle);
    return body;
  }

  /** An answer: its type, and a buffer that stands at what belongs to it. */
  record Answer(int type, Buffer body) {
    private static final Map<Integer, String> MEANINGS =
        Map.of(
            SftpConstants.SSH_FX_FAILURE, "the server refused",
            SftpConstants.SSH_FX_BAD_MESSAGE, "the server did not understand",
            SftpConstants.SSH_FX_OP_UNSUPPORTED, "the server cannot do that");

    /** Whether it says that a file or folder is at its end. */
    boolean isEnd() {
      return type == SftpConstants.SSH_FXP_STATUS && status() == SftpConstants.SSH_FX_EOF;
    }

    /** Whether it says that nothing is there. */
    boolean isNothing() {
      return type == SftpConstants.SSH_FXP_STATUS && status() == SftpConstants.SSH_FX_NO_SUCH_FILE;
    }

    /** Itself, if of a type. */
    Answer expect(int wanted, String path) throws IOException {
      if (type == wanted) {
        return this;
      }
      throw trouble(path);
    }

    /** For requests that are answered by a status alone: passes if that is fine. */
    void expectDone(String path) throws IOException {
      if (type != SftpConstants.SSH_FXP_STATUS || status() != SftpConstants.SSH_FX_OK) {
        throw trouble(path);
      }
    }

    /** What it says went wrong, as an exception about a path. */
    IOException trouble(String path) {
      if (type != SftpConstants.SSH_FXP_STATUS) {
        return new FileSystemException(path, null, "unexpected answer of type " + type);
      }
      int status = status();
      return switch (status) {
        case SftpConstants.SSH_FX_NO_SUCH_FILE -> new NoSuchFileException(path);
        case SftpConstants.SSH_FX_PERMISSION_DENIED -> new AccessDeniedException(path);
        default -> new FileSystemException(path, null, words(status));
      };
    }

    private int status() {
      Buffer copy = new ByteArrayBuffer(body.array(), body.rpos(), body.available());
      return copy.getInt();
    }

    private String words(int status) {
      Buffer copy = new ByteArrayBuffer(body.array(), body.rpos(), body.available());
      copy.getInt();
      String said = copy.available() > 0 ? copy.getString(UTF_8) : "";
      String meaning = MEANINGS.getOrDefault(status, "status " + status);
      return said.isBlank() ? meaning : meaning + ": " + Printable.line(said, 200);
    }
  }
}
