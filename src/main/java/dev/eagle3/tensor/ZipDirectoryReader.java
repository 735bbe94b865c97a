package dev.eagle3.tensor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads the directory of a ZIP file (APPNOTE.TXT 4.3.12, zip64 fields 4.5.3). */
final class ZipDirectoryReader {
  private static final int HEADER_BYTES = 46;
  private static final byte[] HEADER = {'P', 'K', 1, 2};
  private static final long MAX_32 = 0xffff_ffffL;
  private static final int ZIP64_FIELD = 1;

  private final ReadLimits limits;

  ZipDirectoryReader(ReadLimits limits) {
    this.limits = limits;
  }

  /**
   * @param bytes the directory, all of it
   */
  ZipDirectory read(Slice bytes, ZipTrailer trailer, Findings findings) throws FileFault {
    if (trailer.entries() > limits.entries()) {
      throw new FileFault(
          "file.limit",
          "at most " + Findings.grouped(limits.entries()) + " zip entries",
          Findings.grouped(trailer.entries()) + " entries");
    }
    List<ZipRecord> records = new ArrayList<>();
    int at = 0;
    while (records.size() < trailer.entries()) {
      if (!bytes.has(at, HEADER) || bytes.length() - at < HEADER_BYTES) {
        throw broken(
            "entry "
                + (records.size() + 1)
                + " of "
                + Findings.grouped(trailer.entries())
                + " is no entry");
      }
      int nameBytes = bytes.u16(at + 28);
      int extraBytes = bytes.u16(at + 30);
      int length = HEADER_BYTES + nameBytes + extraBytes + bytes.u16(at + 32);
      if (length > bytes.length() - at) {
        throw broken("entry " + (records.size() + 1) + " reaches over the end of the directory");
      }
      records.add(record(records.size(), bytes.part(at, length), nameBytes, extraBytes, trailer));
      at += length;
    }
    if (at < bytes.length()) {
      findings.error(
          "file.directory-invalid",
          Findings.grouped(trailer.entries()) + " zip entries and no more",
          Findings.grouped(bytes.length() - (long) at) + " bytes after the last entry");
    }
    return new ZipDirectory(records, trailer.directoryOffset());
  }

  private static ZipRecord record(
      int place, Slice header, int nameBytes, int extraBytes, ZipTrailer trailer) throws FileFault {
    String name = header.text(HEADER_BYTES, nameBytes, StandardCharsets.UTF_8);
    long packed = header.u32(20);
    long bytes = header.u32(24);
    long offset = header.u32(42);
    if (packed == MAX_32 || bytes == MAX_32 || offset == MAX_32) {
      // Only the fields that did not fit are there, in this order.
      Slice big = zip64Field(header.part(HEADER_BYTES + nameBytes, extraBytes), name);
      int at = 0;
      if (bytes == MAX_32) {
        bytes = big64(big, at, name);
        at += 8;
      }
      if (packed == MAX_32) {
        packed = big64(big, at, name);
        at += 8;
      }
      if (offset == MAX_32) {
        offset = big64(big, at, name);
      }
    }
    long room = trailer.directoryOffset() - ZipRecord.LOCAL_HEADER_BYTES - nameBytes;
    if (offset > room || packed > room - offset) {
      throw broken(
          Findings.shortened(name)
              + " should stand at byte "
              + Findings.grouped(offset)
              + " with "
              + Findings.grouped(packed)
              + " bytes, and the directory begins at byte "
              + Findings.grouped(trailer.directoryOffset()));
    }
    if (header.u16(10) == ZipRecord.STORED && packed != bytes) {
      throw broken(
          "%s is stored as it is, and has two sizes: %s and %s bytes"
              .formatted(
                  Findings.shortened(name), Findings.grouped(packed), Findings.grouped(bytes)));
    }
    return new ZipRecord(
        place,
        name,
        nameBytes,
        header.u16(8),
        header.u16(10),
        header.u32(16),
        packed,
        bytes,
        offset);
  }

  private static Slice zip64Field(Slice extra, String name) throws FileFault {
    int at = 0;
    while (extra.length() - at >= 4) {
      int length = extra.u16(at + 2);
      if (length > extra.length() - at - 4) {
        break;
      }
      if (extra.u16(at) == ZIP64_FIELD) {
        return extra.part(at + 4, length);
      }
      at += 4 + length;
    }
    throw broken(Findings.shortened(name) + " has no zip64 sizes");
  }

  private static long big64(Slice field, int at, String name) throws FileFault {
    long value = at + 8 <= field.length() ? field.i64(at) : -1;
    if (value < 0) {
      throw broken(Findings.shortened(name) + " has impossible zip64 sizes");
    }
    return value;
  }

  private static FileFault broken(String what) {
    return new FileFault("file.directory-invalid", "a zip directory that can be read", what);
  }
}
