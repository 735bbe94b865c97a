package dev.eagle3.tensor;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** Inflates the first member of gzip data (RFC 1952), no further than it is told to. */
final class GzipInflater {
  private static final int HEADER_BYTES = 10;
  private static final int TRAILER_BYTES = 8;
  private static final int DEFLATE = 8;
  private static final int HAS_HEADER_CRC = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int BLOCK_BYTES = 64 * 1024;

  /** Where an inflating ended. */
  enum End {
    /** The stream is whole, and its checksum and length are right. */
    WHOLE,
    /** The stream is whole, its checksum or length is not. */
    DAMAGED,
    /** The compressed bytes end too early. */
    INPUT,
    /** As much came out as was wanted. */
    LIMIT,
    /** What follows is no deflated data. */
    BROKEN
  }

  /**
   * What came out.
   *
   * @param consumed how many compressed bytes the member has; only with {@code WHOLE}
   */
  record Inflated(Slice content, End end, int consumed) {
    int length() {
      return content.length();
    }
  }

  private GzipInflater() {}

  /** Inflates at most so many bytes; null when the header is none of gzip, or is not all there. */
  static @Nullable Inflated inflate(Slice packed, int mostBytes) {
    int data = headerBytes(packed);
    if (data < 0) {
      return null;
    }
    Inflater inflater = new Inflater(true);
    byte[] out = new byte[Math.min(mostBytes, BLOCK_BYTES)];
    int length = 0;
    try {
      inflater.setInput(packed.array(), packed.start() + data, packed.length() - data);
      while (!inflater.finished() && length < mostBytes) {
        if (length == out.length) {
          out = Arrays.copyOf(out, (int) Math.min(mostBytes, out.length * 2L));
        }
        int more = inflater.inflate(out, length, out.length - length);
        length += more;
        if (more == 0 && !inflater.finished()) {
          End end = inflater.needsInput() ? End.INPUT : End.BROKEN;
          return new Inflated(new Slice(out, 0, length), end, 0);
        }
      }
      Slice content = new Slice(out, 0, length);
      return inflater.finished()
          ? checked(packed, packed.length() - inflater.getRemaining(), content)
          : new Inflated(content, End.LIMIT, 0);
    } catch (DataFormatException broken) {
      return new Inflated(new Slice(out, 0, length), End.BROKEN, 0);
    } finally {
      inflater.end();
    }
  }

  private static Inflated checked(Slice packed, int trailer, Slice content) {
    if (packed.length() - trailer < TRAILER_BYTES) {
      return new Inflated(content, End.INPUT, 0);
    }
    CRC32 crc = new CRC32();
    crc.update(content.array(), content.start(), content.length());
    boolean isRight =
        packed.u32(trailer) == crc.getValue() && packed.u32(trailer + 4) == content.length();
    return new Inflated(content, isRight ? End.WHOLE : End.DAMAGED, trailer + TRAILER_BYTES);
  }

  /** How long the header is; -1 when it is none, or is cut. */
  private static int headerBytes(Slice packed) {
    if (packed.length() < HEADER_BYTES || packed.u8(2) != DEFLATE) {
      return -1;
    }
    int flags = packed.u8(3);
    int at = HEADER_BYTES;
    if ((flags & HAS_EXTRA) != 0) {
      at = at + 2 > packed.length() ? -1 : at + 2 + packed.u16(at);
    }
    if ((flags & HAS_NAME) != 0) {
      at = afterZero(packed, at);
    }
    if ((flags & HAS_COMMENT) != 0) {
      at = afterZero(packed, at);
    }
    if ((flags & HAS_HEADER_CRC) != 0) {
      at = at < 0 ? -1 : at + 2;
    }
    return at > packed.length() ? -1 : at;
  }

  private static int afterZero(Slice packed, int from) {
    for (int at = from; at >= 0 && at < packed.length(); at++) {
      if (packed.u8(at) == 0) {
        return at + 1;
      }
    }
    return -1;
  }
}
