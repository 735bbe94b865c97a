package dev.eagle3.verify.deep;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Buffers outside the heap that files are read through, lent to one file after another. From many
 * threads.
 */
final class Windows {
  /** Half of what a core has to itself. */
  static final int BYTES = 512 << 10;

  private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
  private final Queue<ByteBuffer> freeLarge = new ConcurrentLinkedQueue<>();

  /** An empty window of {@link #BYTES}, little-endian. */
  ByteBuffer take() {
    ByteBuffer window = free.poll();
    return window == null ? of(BYTES) : window;
  }

  /** An empty window of so many bytes or more. */
  ByteBuffer take(int bytes) {
    if (bytes <= BYTES) {
      return take();
    }
    // One that is too small is let go: those of one folder are mostly of one size.
    ByteBuffer window = freeLarge.poll();
    return window == null || window.capacity() < bytes ? of(bytes) : window;
  }

  /** Takes a window back that nobody uses any more. */
  void give(ByteBuffer window) {
    if (window.capacity() < BYTES) {
      return;
    }
    (window.capacity() == BYTES ? free : freeLarge).add(window.clear());
  }

  private static ByteBuffer of(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
