package dev.eagle3.log;

import java.nio.charset.StandardCharsets;

/**
 * Bytes of a log in any chunks in, pieces of text out: each ends at {@code \n}, {@code \r} or
 * {@code \r\n}. Holds {@link #MOST_BYTES} of one piece at the most, however long it is, so that a
 * log of one endless line is as harmless as any other. Bytes that are no UTF-8 become U+FFFD; the
 * decoding happens a whole piece at a time, so where the chunks were cut cannot matter.
 */
final class LineSplitter {
  /** What is kept of one piece; the rest is counted. */
  static final int MOST_BYTES = 8 * 1024;

  /** Takes the pieces. */
  interface PieceSink {
    /**
     * One piece.
     *
     * @param offset byte offset of its start in the log
     * @param text its text without its end
     * @param cutBytes how many bytes are missing at its end, because it is longer than {@link
     *     #MOST_BYTES}
     * @param replaced it ends at a carriage return: a terminal would write over it
     */
    void take(long offset, String text, long cutBytes, boolean replaced);
  }

  private final PieceSink sink;
  private final byte[] kept = new byte[MOST_BYTES];
  private int keptBytes;
  private long cutBytes;
  private long offset;
  private long pieceStart;

  /** A carriage return was read and what follows it is not known yet. */
  private boolean afterReturn;

  LineSplitter(long offset, PieceSink sink) {
    this.offset = offset;
    this.pieceStart = offset;
    this.sink = sink;
  }

  /** How many bytes of the log were taken, from its start. */
  long offset() {
    return offset;
  }

  void accept(byte[] bytes, int length) {
    int from = 0;
    for (int index = 0; index < length; index++) {
      byte value = bytes[index];
      if (afterReturn) {
        afterReturn = false;
        if (value == '\n') {
          end(offset + index + 1, false);
          from = index + 1;
          continue;
        }
        end(offset + index, true);
      }
      if (value == '\n') {
        keep(bytes, from, index);
        end(offset + index + 1, false);
        from = index + 1;
      } else if (value == '\r') {
        keep(bytes, from, index);
        from = index + 1;
        afterReturn = true;
      }
    }
    keep(bytes, from, length);
    offset += length;
  }

  /** Gives what stands after the last line end, if anything does. */
  void finish() {
    if (keptBytes > 0 || afterReturn) {
      end(offset, afterReturn);
      afterReturn = false;
    }
  }

  /** Passes over bytes of the log that are none of its text. */
  void skip(long count) {
    finish();
    goOnAt(offset + count);
  }

  /** What comes next stands at another byte; a piece that was begun is to be finished before. */
  void goOnAt(long next) {
    offset = next;
    pieceStart = next;
  }

  private void keep(byte[] bytes, int from, int to) {
    int room = Math.min(to - from, MOST_BYTES - keptBytes);
    System.arraycopy(bytes, from, kept, keptBytes, room);
    keptBytes += room;
    cutBytes += to - from - room;
  }

  private void end(long nextStart, boolean replaced) {
    int whole = cutBytes > 0 ? wholeCharacters() : keptBytes;
    String text = new String(kept, 0, whole, StandardCharsets.UTF_8);
    long missing = cutBytes + keptBytes - whole;
    long start = pieceStart;
    keptBytes = 0;
    cutBytes = 0;
    pieceStart = nextStart;
    sink.take(start, text, missing, replaced);
  }

  /** Where to cut so that no character is cut in two: before the last lead byte if incomplete. */
  private int wholeCharacters() {
    for (int back = 1; back <= 3 && back <= keptBytes; back++) {
      int value = kept[keptBytes - back] & 0xff;
      if (value < 0x80) {
        return keptBytes;
      }
      if (value >= 0xc0) {
        int wanted = value >= 0xf0 ? 4 : value >= 0xe0 ? 3 : 2;
        return wanted > back ? keptBytes - back : keptBytes;
      }
    }
    return keptBytes;
  }
}
