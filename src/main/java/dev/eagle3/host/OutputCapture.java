package dev.eagle3.host;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The beginning of an output, up to a limit; what comes after it is counted and let go. Written and
 * read from different threads.
 */
public final class OutputCapture extends OutputStream {
  private final int mostBytes;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private long bytes;

  /** Keeps so many bytes. */
  public OutputCapture(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  @Override
  public synchronized void write(int single) {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] buffer, int offset, int length) {
    bytes += length;
    kept.write(buffer, offset, Math.max(0, Math.min(length, mostBytes - kept.size())));
  }

  /** How many bytes came, kept or not. */
  public synchronized long bytes() {
    return bytes;
  }

  /** Whether more came than was kept. */
  public synchronized boolean isCut() {
    return bytes > kept.size();
  }

  /**
   * What was kept, as UTF-8; malformed bytes become replacement characters, and a character that
   * the limit cut in two is left out.
   */
  public synchronized String text() {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    CharBuffer characters = CharBuffer.allocate(kept.size());
    decoder.decode(ByteBuffer.wrap(kept.toByteArray()), characters, !isCut());
    return characters.flip().toString();
  }
}
