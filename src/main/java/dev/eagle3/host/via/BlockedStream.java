package dev.eagle3.host.via;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** Knows for how long its reader has been waiting for bytes. */
final class BlockedStream extends FilterInputStream {
  private static final long NOT = Long.MIN_VALUE;

  private volatile long since = NOT;

  BlockedStream(InputStream in) {
    super(in);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    since = System.nanoTime();
    try {
      return super.read(buffer, offset, length);
    } finally {
      since = NOT;
    }
  }

  /** Whether somebody has been waiting for so long. */
  boolean isBlockedFor(Duration limit) {
    long started = since;
    return started != NOT && System.nanoTime() - started > limit.toNanos();
  }
}
