package dev.eagle3.tensor;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a test file is written to. */
interface ZipOutput extends Closeable {
  void write(byte[] bytes) throws IOException;

  /** Writes zeros, or a hole that reads as zeros. */
  void zeros(long count) throws IOException;

  /** Into memory. */
  final class InMemory implements ZipOutput {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @Override
    public void write(byte[] bytes) {
      out.writeBytes(bytes);
    }

    @Override
    public void zeros(long count) {
      out.writeBytes(new byte[Math.toIntExact(count)]);
    }

    byte[] bytes() {
      return out.toByteArray();
    }

    @Override
    public void close() {
      // Memory only.
    }
  }

  /** Onto disk; zeros take no room there. */
  final class OnDisk implements ZipOutput {
    private final FileChannel channel;

    OnDisk(Path file) throws IOException {
      channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.WRITE,
              StandardOpenOption.SPARSE);
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    }

    @Override
    public void zeros(long count) throws IOException {
      // The end records always follow, so the hole is never at the end of the file.
      channel.position(channel.position() + count);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
