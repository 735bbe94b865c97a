package dev.eagle3.tensor;

import dev.eagle3.files.ByteRange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the contents of ZIP entries start. That depends on the local header, which stands before
 * each content, all over the file. A file that torch wrote needs none of them: the start follows
 * from the layout, and the directory proves it, as the next entry stands where this one must end.
 */
final class LocalHeaders {
  /** Of a file with another layout, so many local headers are fetched, in one call. */
  private static final int MOST_FETCHED = 1024;

  private static final long UNKNOWN = -1;
  private static final long NOT_SEEN = -2;
  private static final byte[] SIGNATURE = {'P', 'K', 3, 4};

  private final FileWindow window;
  private final ZipDirectory directory;
  private final long directoryOffset;
  private final long[] dataOffsets;
  private final Cases faults = new Cases();

  LocalHeaders(FileWindow window, ZipDirectory directory, long directoryOffset) {
    this.window = window;
    this.directory = directory;
    this.directoryOffset = directoryOffset;
    this.dataOffsets = new long[directory.records().size()];
    Arrays.fill(dataOffsets, NOT_SEEN);
  }

  /** Reads those that were fetched already. */
  void readFetched() {
    for (ZipRecord record : directory.records()) {
      if (dataOffsets[record.place()] == NOT_SEEN && isHere(record)) {
        read(record);
      }
    }
  }

  /** Finds the other starts: by the layout, or by fetching local headers. */
  void locateOthers(int alignment) throws IOException, FileFault {
    List<ZipRecord> records = directory.inFileOrder();
    List<ZipRecord> unknown = new ArrayList<>();
    for (int index = 0; index < records.size(); index++) {
      ZipRecord record = records.get(index);
      if (dataOffsets[record.place()] != NOT_SEEN) {
        continue;
      }
      long end =
          index + 1 < records.size() ? records.get(index + 1).headerOffset() : directoryOffset;
      long data =
          TorchLayout.dataOffset(
              record.headerOffset(), record.nameBytes(), record.bytes(), alignment);
      if (record.isStored()
          && TorchLayout.next(record.headerOffset(), data, record.bytes()) == end) {
        dataOffsets[record.place()] = data;
      } else if (unknown.size() < MOST_FETCHED) {
        unknown.add(record);
      }
    }
    window.ensure(unknown.stream().map(LocalHeaders::range).toList());
    unknown.forEach(this::read);
  }

  /** Where the content of an entry starts; -1 when unknown. */
  long dataOffset(ZipRecord record) {
    return Math.max(-1, dataOffsets[record.place()]);
  }

  /** Local headers that say something else than the directory. */
  Cases faults() {
    return faults;
  }

  private boolean isHere(ZipRecord record) {
    ByteRange range = range(record);
    return window.has(range.offset(), range.length());
  }

  /** The header up to the end of the name; the directory reader has checked that it fits. */
  private static ByteRange range(ZipRecord record) {
    return new ByteRange(record.headerOffset(), ZipRecord.LOCAL_HEADER_BYTES + record.nameBytes());
  }

  private void read(ZipRecord record) {
    Slice header = window.slice(range(record));
    dataOffsets[record.place()] = UNKNOWN;
    if (!header.has(0, SIGNATURE)) {
      faults.add(
          record.shortName()
              + ": no local header at byte "
              + Findings.grouped(record.headerOffset()));
      return;
    }
    int nameBytes = header.u16(26);
    long data = record.headerOffset() + ZipRecord.LOCAL_HEADER_BYTES + nameBytes + header.u16(28);
    if (data > directoryOffset - record.packedBytes()) {
      faults.add(record.shortName() + ": its local header reaches into the directory");
      return;
    }
    dataOffsets[record.place()] = data;
    if (nameBytes != record.nameBytes()
        || !header
            .text(ZipRecord.LOCAL_HEADER_BYTES, nameBytes, StandardCharsets.UTF_8)
            .equals(record.name())) {
      faults.add(record.shortName() + ": its local header has another name");
    } else if (header.u16(6) != record.flags()) {
      faults.add(
          String.format(
              "%s: flags 0x%04x in its local header, 0x%04x in the directory",
              record.shortName(), header.u16(6), record.flags()));
    } else if (header.u16(8) != record.method()) {
      faults.add(record.shortName() + ": its local header has another compression");
    }
  }
}
