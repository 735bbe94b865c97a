package dev.eagle3.host.via;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** What a command prints before its shell answers; too much of it is an error. */
final class NoiseSink extends OutputStream {
  private static final int MOST_BYTES = 1 << 20;

  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final String echo;
  private final Runnable onEcho;
  private boolean echoed;

  /**
   * Nothing came yet.
   *
   * @param echo what only something that is no shell would give back
   * @param onEcho run once when it did
   */
  NoiseSink(String echo, Runnable onEcho) {
    this.echo = echo;
    this.onEcho = onEcho;
  }

  @Override
  public void write(int single) throws IOException {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (kept.size() + length > MOST_BYTES) {
      throw new IOException("too much");
    }
    kept.write(bytes, offset, length);
    if (!echoed && kept.size() < MOST_BYTES / 16 && text().contains(echo)) {
      echoed = true;
      onEcho.run();
    }
  }

  /** Whether what was sent came back. */
  boolean echoed() {
    return echoed;
  }

  /** What came. */
  String text() {
    return kept.toString(UTF_8);
  }
}
