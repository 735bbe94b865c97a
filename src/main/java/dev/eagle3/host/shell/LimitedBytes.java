package dev.eagle3.host.shell;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;

/** Keeps the bytes from a certain one on, up to a limit; lets go of all others. */
final class LimitedBytes extends OutputStream {
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final int most;
  private long leftOut;
  private boolean exceeded;

  /**
   * Keeps nothing yet.
   *
   * @param leftOut how many bytes at the beginning are not wanted
   * @param most how many bytes after them are kept
   */
  LimitedBytes(long leftOut, int most) {
    this.leftOut = leftOut;
    this.most = most;
  }

  @Override
  public void write(int single) {
    write(new byte[] {(byte) single}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int skipped = (int) Math.min(leftOut, length);
    leftOut -= skipped;
    int count = Math.min(length - skipped, most - kept.size());
    exceeded |= count < length - skipped;
    kept.write(bytes, offset + skipped, count);
  }

  /** What was kept. */
  byte[] bytes() {
    return kept.toByteArray();
  }

  /** Whether more came than was kept. */
  boolean exceeded() {
    return exceeded;
  }
}
