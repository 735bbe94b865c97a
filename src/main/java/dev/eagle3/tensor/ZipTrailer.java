package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The end of a ZIP file: where its directory is. Formats: APPNOTE.TXT 4.3.14 to 4.3.16. torch
 * always writes the three records that make 98 bytes: zip64 end (56), its locator (20), end (22).
 *
 * @param directoryOffset where the directory starts
 * @param entries how many it has
 * @param recordsOffset where the first of the end records stands
 * @param end where the last of them ends
 * @param follows whether the records follow the directory without a gap
 */
record ZipTrailer(
    long directoryOffset,
    long directoryBytes,
    long entries,
    long recordsOffset,
    long end,
    boolean follows) {

  static final int END_BYTES = 22;
  static final int LOCATOR_BYTES = 20;
  static final int ZIP64_END_BYTES = 56;

  private static final byte[] END = {'P', 'K', 5, 6};
  private static final byte[] LOCATOR = {'P', 'K', 6, 7};
  private static final byte[] ZIP64_END = {'P', 'K', 6, 6};
  private static final int MOST_COMMENT_BYTES = 65_535;
  private static final long MAX_32 = 0xffff_ffffL;

  /** Finds it, fetching more of the tail where needed; null when the file has none. */
  static @Nullable ZipTrailer find(FileWindow window) throws IOException, FileFault {
    ByteRange near = window.tail(FileWindow.EDGE_BYTES);
    int at = lastEnd(window.slice(near));
    if (at >= 0) {
      return read(window, near.offset() + at);
    }
    ByteRange far = window.tail(END_BYTES + MOST_COMMENT_BYTES);
    at = lastEnd(window.fetch(far));
    return at < 0 ? null : read(window, far.offset() + at);
  }

  /** The range of the directory, checked against the limit. */
  ByteRange directory(int mostBytes) throws FileFault {
    if (directoryBytes > mostBytes) {
      throw new FileFault(
          "file.limit",
          "a zip directory of at most " + Findings.grouped(mostBytes) + " bytes",
          Findings.grouped(directoryBytes) + " bytes");
    }
    return new ByteRange(directoryOffset, (int) directoryBytes);
  }

  private static int lastEnd(Slice tail) {
    for (int at = tail.length() - END_BYTES; at >= 0; at--) {
      if (tail.has(at, END)) {
        return at;
      }
    }
    return -1;
  }

  private static ZipTrailer read(FileWindow window, long offset) throws IOException, FileFault {
    Slice end = window.slice(offset, END_BYTES);
    long rest = window.size() - offset - END_BYTES;
    long after = offset + END_BYTES + Math.min(end.u16(20), rest);
    long entries = end.u16(10);
    long bytes = end.u32(12);
    long start = end.u32(16);
    long records = offset;
    boolean follows = true;
    if (offset >= LOCATOR_BYTES) {
      Slice locator = window.fetch(new ByteRange(offset - LOCATOR_BYTES, LOCATOR_BYTES));
      if (locator.has(0, LOCATOR)) {
        records = locator.i64(8);
        Slice zip64 = zip64End(window, records, offset - LOCATOR_BYTES);
        follows = records + ZIP64_END_BYTES == offset - LOCATOR_BYTES;
        entries = entries == 0xffff ? zip64.i64(32) : entries;
        bytes = bytes == MAX_32 ? zip64.i64(40) : bytes;
        start = start == MAX_32 ? zip64.i64(48) : start;
        follows &= entries == zip64.i64(32) && bytes == zip64.i64(40) && start == zip64.i64(48);
      }
    }
    if (entries < 0 || start < 0 || bytes < 0 || start > records || bytes > records - start) {
      throw invalid(
          "it says that "
              + Findings.grouped(bytes)
              + " bytes from byte "
              + Findings.grouped(start)
              + " on are the directory");
    }
    follows &= start + bytes == records;
    return new ZipTrailer(start, bytes, entries, records, after, follows);
  }

  private static Slice zip64End(FileWindow window, long offset, long before)
      throws IOException, FileFault {
    if (offset < 0 || offset > before - ZIP64_END_BYTES) {
      throw invalid("the zip64 locator points outside the file");
    }
    Slice zip64 = window.fetch(new ByteRange(offset, ZIP64_END_BYTES));
    if (!zip64.has(0, ZIP64_END)) {
      throw invalid("the zip64 locator points at something else");
    }
    return zip64;
  }

  private static FileFault invalid(String what) {
    return new FileFault("file.directory-invalid", "a zip directory that can be read", what);
  }
}
