package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * Reads values in the encoding of SSH (RFC 4251 section 5) from bytes that may be hostile: nothing
 * is taken that is not there, and no memory beyond their own size.
 */
final class WireReader {
  private final ByteBuffer bytes;

  WireReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  /** Whether everything was read. */
  boolean isAtEnd() {
    return !bytes.hasRemaining();
  }

  /** A byte. */
  int uint8() throws IOException {
    try {
      return Byte.toUnsignedInt(bytes.get());
    } catch (BufferUnderflowException ended) {
      throw cut();
    }
  }

  /** A number of 32 bits. */
  long uint32() throws IOException {
    try {
      return Integer.toUnsignedLong(bytes.getInt());
    } catch (BufferUnderflowException ended) {
      throw cut();
    }
  }

  /** A number of 64 bits; those of 2^63 and more are negative. */
  long uint64() throws IOException {
    try {
      return bytes.getLong();
    } catch (BufferUnderflowException ended) {
      throw cut();
    }
  }

  /** A string of bytes. */
  byte[] string() throws IOException {
    long length = uint32();
    if (length > bytes.remaining()) {
      throw cut();
    }
    byte[] value = new byte[(int) length];
    bytes.get(value);
    return value;
  }

  /** A string of text; what is no UTF-8 in it is replaced. */
  String text() throws IOException {
    return new String(string(), UTF_8);
  }

  private static IOException cut() {
    return new IOException("ends too early");
  }
}
