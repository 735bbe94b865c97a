package dev.eagle3.tensor;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * Writes a ZIP as torch's own writer does: stored entries with aligned contents, sizes after the
 * contents, zip64 where needed, zip64 end records always.
 */
final class TorchZipWriter {
  private static final long MAX_32 = 0xffff_ffffL;

  private final ZipOutput out;
  private final String root;
  private final int alignment;
  private final boolean checksums;
  private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
  private long position;
  private long entries;

  TorchZipWriter(ZipOutput out, String root, int alignment, boolean checksums) {
    this.out = out;
    this.root = root;
    this.alignment = alignment;
    this.checksums = checksums;
  }

  void entry(String name, String content) throws IOException {
    entry(name, content.getBytes(StandardCharsets.UTF_8));
  }

  void entry(String name, byte[] content) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(content);
    entry(name, content.length, crc.getValue(), content);
  }

  void zeros(String name, long bytes) throws IOException {
    entry(name, bytes, checksums ? crcOfZeros(bytes) : 0, new byte[0]);
  }

  void finish() throws IOException {
    long directoryOffset = position;
    byte[] bytes = directory.toByteArray();
    write(bytes);
    long zip64 = position;
    long count = Math.min(entries, 0xffff);
    write(
        new LittleEndian()
            .i32(0x06064b50)
            .i64(44)
            .i16(0x031e, 0x002d)
            .i32(0, 0)
            .i64(entries, entries, bytes.length, directoryOffset)
            .i32(0x07064b50, 0)
            .i64(zip64)
            .i32(1)
            .i32(0x06054b50, 0)
            .i16(count, count)
            .i32(Math.min(bytes.length, MAX_32), Math.min(directoryOffset, MAX_32))
            .i16(0)
            .toBytes());
  }

  /** An entry of this content, or of zeros where it is shorter than the size. */
  private void entry(String name, long size, long checksum, byte[] content) throws IOException {
    long header = position;
    long crc = checksums ? checksum : 0;
    byte[] nameBytes = (root + "/" + name).getBytes(StandardCharsets.UTF_8);
    byte[] zip64 = zip64(size, header);
    int flags = size == 0 ? 0x0800 : 0x0808;
    localHeader(nameBytes, zip64, flags);
    write(content);
    out.zeros(size - content.length);
    position += size - content.length;
    if (size > 0) {
      LittleEndian descriptor = new LittleEndian().i32(0x08074b50, crc);
      boolean wide = size >= MAX_32 || header >= MAX_32;
      write((wide ? descriptor.i64(size, size) : descriptor.i32(size, size)).toBytes());
    }
    directoryHeader(nameBytes, zip64, flags, crc, size, header);
  }

  private void localHeader(byte[] name, byte[] zip64, int flags) throws IOException {
    long unpadded = position + 30 + name.length + zip64.length + 4;
    int padding = (int) ((alignment - unpadded % alignment) % alignment);
    write(
        new LittleEndian()
            .i32(0x04034b50)
            .i16(0, flags, 0)
            .i32(0, 0, 0, 0)
            .i16(name.length, zip64.length + 4L + padding)
            .bytes(name)
            .bytes(zip64)
            .i16(0x4246, padding)
            .bytes("Z".repeat(padding).getBytes(StandardCharsets.US_ASCII))
            .toBytes());
  }

  private void directoryHeader(
      byte[] name, byte[] zip64, int flags, long crc, long size, long header) {
    long small = Math.min(size, MAX_32);
    directory.writeBytes(
        new LittleEndian()
            .i32(0x02014b50)
            .i16(0, 0, flags, 0)
            .i32(0, crc, small, small)
            .i16(name.length, zip64.length, 0, 0, 0)
            .i32(0, Math.min(header, MAX_32))
            .bytes(name)
            .bytes(zip64)
            .toBytes());
    entries++;
  }

  private static byte[] zip64(long size, long header) {
    int length = (size >= MAX_32 ? 16 : 0) + (header >= MAX_32 ? 8 : 0);
    LittleEndian field = new LittleEndian();
    if (length > 0) {
      field.i16(1, length);
    }
    if (size >= MAX_32) {
      field.i64(size, size);
    }
    if (header >= MAX_32) {
      field.i64(header);
    }
    return field.toBytes();
  }

  private static long crcOfZeros(long bytes) {
    CRC32 crc = new CRC32();
    byte[] block = new byte[64 * 1024];
    for (long left = bytes; left > 0; left -= block.length) {
      crc.update(block, 0, (int) Math.min(left, block.length));
    }
    return crc.getValue();
  }

  private void write(byte[] bytes) throws IOException {
    out.write(bytes);
    position += bytes.length;
  }
}
