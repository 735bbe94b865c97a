package dev.eagle3.verify.deep;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Buffers over arrays that files are read through, lent to one file after another. From many
 * threads.
 */
final class Windows {
  /** Half of what a core has to itself. */
  static final int BYTES = 512 << 10;

  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();

  /** An empty window of {@link #BYTES}, little-endian. */
  ByteBuffer take() {
    ByteBuffer window = free.poll();
    return window == null ? of(BYTES) : window;
  }

  /** Takes a window back that nobody uses any more. */
  void give(ByteBuffer window) {
    if (window.capacity() == BYTES) {
      free.add(window.clear());
    }
  }

  /** A window of another size. */
  static ByteBuffer of(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
