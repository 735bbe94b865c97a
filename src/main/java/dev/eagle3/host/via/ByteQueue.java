package dev.eagle3.host.via;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Objects;

/** Bytes between the thread that reads a command's output and whoever wants it; bounded. */
final class ByteQueue {
  private final byte[] ring;
  private int from;
  private int count;
  private boolean ended;
  private boolean abandoned;

  ByteQueue(int mostBytes) {
    ring = new byte[mostBytes];
  }

  /** The end that is written; writing waits for room. */
  OutputStream sink() {
    return new OutputStream() {
      @Override
      public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        put(bytes, offset, length);
      }
    };
  }

  /** The end that is read; reading waits for bytes. */
  InputStream source() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] single = new byte[1];
        return take(single, 0, 1) < 0 ? -1 : single[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return take(bytes, offset, length);
      }

      @Override
      public int available() {
        return waiting();
      }
    };
  }

  /** Nothing more will be written. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Nobody reads any more: what is written is let go. */
  synchronized void abandon() {
    abandoned = true;
    notifyAll();
  }

  private synchronized int waiting() {
    return count;
  }

  private synchronized void put(byte[] bytes, int offset, int length) throws IOException {
    int put = 0;
    while (put < length && awaitRoom()) {
      int at = (from + count) % ring.length;
      int room = Math.min(Math.min(ring.length - count, ring.length - at), length - put);
      System.arraycopy(bytes, offset + put, ring, at, room);
      count += room;
      put += room;
      notifyAll();
    }
  }

  private synchronized int take(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    if (!awaitBytes()) {
      return -1;
    }
    int taken = Math.min(Math.min(count, ring.length - from), length);
    System.arraycopy(ring, from, bytes, offset, taken);
    from = (from + taken) % ring.length;
    count -= taken;
    notifyAll();
    return taken;
  }

  /** False when nobody wants what is written. */
  private synchronized boolean awaitRoom() throws InterruptedIOException {
    try {
      while (count == ring.length && !abandoned) {
        wait();
      }
      return !abandoned;
    } catch (InterruptedException interrupted) {
      throw interrupted();
    }
  }

  /** False when there will be none. */
  private synchronized boolean awaitBytes() throws InterruptedIOException {
    try {
      while (count == 0 && !ended) {
        wait();
      }
      return count > 0;
    } catch (InterruptedException interrupted) {
      throw interrupted();
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted");
  }
}
