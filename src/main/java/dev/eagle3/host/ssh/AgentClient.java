package dev.eagle3.host.ssh;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Speaks to an ssh-agent over its Unix socket (draft-ietf-sshm-ssh-agent), one connection a
 * question. Whatever listens there may be anything: answers are bounded in time and size.
 */
final class AgentClient {
  private static final int FAILURE = 5;
  private static final int REQUEST_IDENTITIES = 11;
  private static final int IDENTITIES_ANSWER = 12;
  private static final int SIGN_REQUEST = 13;
  private static final int SIGN_RESPONSE = 14;

  /** OpenSSH's own bounds. */
  private static final int MOST_BYTES = 256 * 1024;

  private static final int MOST_KEYS = 2048;

  private final Path socket;

  AgentClient(Path socket) {
    this.socket = socket;
  }

  Path socket() {
    return socket;
  }

  /**
   * A key that an agent holds.
   *
   * @param blob public key or certificate
   * @param comment as it was added; not yet fit to print
   */
  record Held(KeyBlob blob, String comment) {}

  /**
   * The keys that it holds; blocks.
   *
   * @throws IOException with a clause for the user
   */
  List<Held> keys(Duration limit) throws IOException {
    WireReader answer = ask(new byte[] {REQUEST_IDENTITIES}, IDENTITIES_ANSWER, limit);
    try {
      long count = answer.uint32();
      if (count > MOST_KEYS) {
        throw new IOException("claims to hold " + count + " keys");
      }
      List<Held> held = new ArrayList<>();
      for (long number = 0; number < count; number++) {
        held.add(new Held(KeyBlob.of(answer.string()), answer.text()));
      }
      return held;
    } catch (IOException malformed) {
      throw garbage(malformed);
    }
  }

  /**
   * Has one of its keys sign; blocks, maybe until the user has confirmed it.
   *
   * @param flags 2 for RSA with SHA-256, 4 with SHA-512, else 0
   * @return the signature in the encoding of SSH
   * @throws IOException with a clause for the user
   */
  byte[] sign(KeyBlob blob, byte[] data, int flags, Duration limit) throws IOException {
    byte[] key = blob.bytes();
    ByteBuffer request = ByteBuffer.allocate(1 + 4 + key.length + 4 + data.length + 4);
    request.put((byte) SIGN_REQUEST);
    request.putInt(key.length).put(key);
    request.putInt(data.length).put(data);
    request.putInt(flags);
    WireReader answer = ask(request.array(), SIGN_RESPONSE, limit);
    try {
      return answer.string();
    } catch (IOException malformed) {
      throw garbage(malformed);
    }
  }

  private WireReader ask(byte[] request, int wanted, Duration limit) throws IOException {
    byte[] answer = answer(request, limit);
    int type = Byte.toUnsignedInt(answer[0]);
    if (type == FAILURE) {
      throw new IOException("refuses");
    }
    WireReader reader = new WireReader(answer);
    if (reader.uint8() != wanted) {
      throw garbage(new IOException("type " + type));
    }
    return reader;
  }

  /** On a thread of its own, since a channel that blocks knows no time limit. */
  private byte[] answer(byte[] request, Duration limit) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      CompletableFuture<byte[]> answer = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  answer.complete(exchange(channel, request));
                } catch (IOException | RuntimeException failed) {
                  answer.completeExceptionally(failed);
                }
              },
              "ssh-agent");
      thread.setDaemon(true);
      thread.start();
      return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new AgentTroubleException("gives no answer within " + ConnectFailures.seconds(limit));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof AgentTroubleException said
          ? said
          : new IOException("cannot be reached", failed.getCause());
    }
  }

  /** Something is there and is no good agent; worth a word even when the login works without it. */
  static final class AgentTroubleException extends IOException {
    private static final long serialVersionUID = 1L;

    AgentTroubleException(String clause) {
      super(clause);
    }
  }

  private byte[] exchange(SocketChannel channel, byte[] request) throws IOException {
    channel.connect(UnixDomainSocketAddress.of(socket));
    ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + request.length);
    out.putInt(request.length).put(request).flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
    int length = ByteBuffer.wrap(read(channel, Integer.BYTES)).getInt();
    if (length < 1 || length > MOST_BYTES) {
      throw garbage(new IOException("length " + length));
    }
    return read(channel, length);
  }

  private static byte[] read(SocketChannel channel, int bytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes);
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw garbage(new IOException("ends too early"));
      }
    }
    return in.array();
  }

  private static IOException garbage(IOException why) {
    AgentTroubleException garbage = new AgentTroubleException("does not speak as an agent does");
    garbage.initCause(why);
    return garbage;
  }
}
