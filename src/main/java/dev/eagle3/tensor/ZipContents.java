package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/** The contents of ZIP entries, as far as they were fetched. */
final class ZipContents {
  /** Padding and extra fields of a local header that has not been seen yet: 4096 for alignment. */
  private static final int MOST_PADDING_BYTES = 4096 + 64;

  private final FileWindow window;
  private final LocalHeaders headers;
  private final long directoryOffset;

  ZipContents(FileWindow window, LocalHeaders headers, long directoryOffset) {
    this.window = window;
    this.headers = headers;
    this.directoryOffset = directoryOffset;
  }

  /** What to fetch so that an entry is here with its local header. */
  ByteRange range(ZipRecord record) {
    long data = headers.dataOffset(record);
    long most =
        data >= 0
            ? data + record.packedBytes()
            : Math.min(record.earliestEnd() + MOST_PADDING_BYTES, directoryOffset);
    return new ByteRange(record.headerOffset(), Math.toIntExact(most - record.headerOffset()));
  }

  /** A short text, such as a version; null when it is not here, compressed or long. */
  @Nullable String text(@Nullable ZipRecord record, int mostBytes) {
    if (record == null || record.bytes() > mostBytes || !isHere(record) || !record.isStored()) {
      return null;
    }
    return packed(record).text(0, (int) record.packedBytes(), StandardCharsets.UTF_8).strip();
  }

  /** The content of an entry that is here, inflated where it is compressed. */
  Slice content(ZipRecord record, int mostInflatedBytes) throws FileFault {
    if (record.isEncrypted() || !isHere(record)) {
      throw unreadable(record, record.isEncrypted() ? "is encrypted" : "cannot be found");
    }
    if (record.isStored()) {
      return packed(record);
    }
    if (record.method() != ZipRecord.DEFLATED) {
      throw unreadable(record, "has compression " + record.method());
    }
    if (record.bytes() > mostInflatedBytes) {
      throw new FileFault(
          "file.limit",
          "at most " + Findings.grouped(mostInflatedBytes) + " bytes to inflate",
          record.name() + " inflates to " + Findings.grouped(record.bytes()) + " bytes");
    }
    return inflate(record);
  }

  /**
   * Entries that are here and do not have the CRC-32 that the directory says. torch itself never
   * looks at it.
   */
  Cases damaged(Iterable<ZipRecord> records) {
    Cases damaged = new Cases();
    for (ZipRecord record : records) {
      if (record.isStored() && record.crc() != 0 && record.bytes() > 0 && isHere(record)) {
        Slice bytes = packed(record);
        CRC32 crc = new CRC32();
        crc.update(bytes.array(), bytes.start(), bytes.length());
        if (crc.getValue() != record.crc()) {
          damaged.add(
              String.format(
                  "%s has checksum %08x, the directory says %08x",
                  record.shortName(), crc.getValue(), record.crc()));
        }
      }
    }
    return damaged;
  }

  private boolean isHere(ZipRecord record) {
    long data = headers.dataOffset(record);
    return data >= 0 && window.has(data, record.packedBytes());
  }

  private Slice packed(ZipRecord record) {
    return window.slice(headers.dataOffset(record), (int) record.packedBytes());
  }

  /** The size is checked by the caller; the stream may still hold more or less. */
  private Slice inflate(ZipRecord record) throws FileFault {
    Slice packed = packed(record);
    byte[] bytes = new byte[(int) record.bytes()];
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(packed.array(), packed.start(), packed.length());
      int length = 0;
      while (length < bytes.length) {
        int more = inflater.inflate(bytes, length, bytes.length - length);
        if (more == 0) {
          throw unreadable(record, "inflates to fewer bytes than the directory says");
        }
        length += more;
      }
      return Slice.of(bytes);
    } catch (DataFormatException broken) {
      throw unreadable(record, "cannot be inflated");
    } finally {
      inflater.end();
    }
  }

  private static FileFault unreadable(ZipRecord record, String why) {
    String name = record.shortName();
    return new FileFault("file.pickle-invalid", name + ", readable", name + " " + why);
  }
}
