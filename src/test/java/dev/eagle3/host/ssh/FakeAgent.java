package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Something that listens where an agent should be, and says what a test wants. */
final class FakeAgent implements Closeable {
  private final List<SocketChannel> open = new ArrayList<>();
  private final ServerSocketChannel listening;
  private final Path socket;

  FakeAgent(Path socket) throws IOException {
    this.socket = socket;
    this.listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  }

  /** Listens, and never accepts. */
  void listenOnly() throws IOException {
    listening.bind(UnixDomainSocketAddress.of(socket), 1);
  }

  /** Listens, and answers each request (without its length) in this way; null is silence. */
  void answer(Function<byte[], byte @Nullable []> answers) throws IOException {
    listening.bind(UnixDomainSocketAddress.of(socket));
    Thread thread = new Thread(() -> serve(answers), "fake-agent");
    thread.setDaemon(true);
    thread.start();
  }

  /** The answer to a request for keys, with one key. */
  static byte[] keys(byte[] blob, String comment) {
    ByteBuffer answer = ByteBuffer.allocate(13 + blob.length + comment.length());
    answer.put((byte) 12).putInt(1).putInt(blob.length).put(blob).putInt(comment.length());
    answer.put(comment.getBytes(US_ASCII));
    return answer.array();
  }

  /** A message with its length before it. */
  static byte[] framed(byte[] body) {
    return ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
  }

  private void serve(Function<byte[], byte @Nullable []> answers) {
    try {
      while (true) {
        SocketChannel channel = listening.accept();
        synchronized (open) {
          open.add(channel);
        }
        int length = read(channel, 4).getInt(0);
        byte[] said = answers.apply(read(channel, length).array());
        if (said != null) {
          channel.write(ByteBuffer.wrap(said));
          channel.close();
        }
      }
    } catch (IOException over) {
      return;
    }
  }

  private static ByteBuffer read(SocketChannel channel, int bytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes);
    while (in.hasRemaining() && channel.read(in) >= 0) {
      // until it is full
    }
    return in;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    synchronized (open) {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }
}
