package dev.eagle3.host.shell;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * Names of files as texts and back. A name is bytes, of which most are UTF-8; a byte that is not
 * becomes the lone surrogate U+DC00 + byte, as in Python, so that every file can be named again.
 */
final class PathBytes {
  private static final int ESCAPE = 0xdc00;

  private PathBytes() {}

  /** The text of a name. */
  static String decode(byte[] name) {
    CharsetDecoder decoder =
        UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.wrap(name);
    CharBuffer text = CharBuffer.allocate(name.length);
    while (true) {
      CoderResult result = decoder.decode(bytes, text, true);
      if (result.isUnderflow()) {
        return text.flip().toString();
      }
      for (int wrong = 0; wrong < result.length(); wrong++) {
        text.put((char) (ESCAPE + (bytes.get() & 0xff)));
      }
      decoder.reset();
    }
  }

  /** The bytes of a name. */
  static byte[] encode(String name) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(name.length());
    name.codePoints()
        .forEach(
            point -> {
              if (point >= ESCAPE + 0x80 && point <= ESCAPE + 0xff) {
                bytes.write(point - ESCAPE);
              } else {
                bytes.writeBytes(Character.toString(point).getBytes(UTF_8));
              }
            });
    return bytes.toByteArray();
  }

  /**
   * A path as a field of a request: printable ASCII, all else and the backslash as {@code \0ooo}.
   */
  static String field(String path) {
    ByteArrayOutputStream field = new ByteArrayOutputStream(path.length());
    for (byte each : encode(path)) {
      if (each >= ' ' && each < 0x7f && each != '\\') {
        field.write(each);
      } else {
        field.writeBytes(String.format("\\0%03o", each & 0xff).getBytes(US_ASCII));
      }
    }
    return field.toString(US_ASCII);
  }
}
