package dev.eagle3.tensor;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names files of other kinds by their first bytes. */
final class ForeignFormat {
  private record Magic(String bytes, String name) {}

  /** Bytes as Latin-1 text. */
  private static final Magic[] MAGICS = {
    new Magic("\u001f\u008b", "gzip data"),
    new Magic("\u0093NUMPY", "a NumPy array (.npy)"),
    new Magic("\u0089HDF\r\n\u001a\n", "an HDF5 file"),
    new Magic("GGUF", "a GGUF model file"),
    new Magic("7z\u00bc\u00af'\u001c", "a 7-Zip archive"),
    new Magic("\u00fd7zXZ\u0000", "xz data"),
    new Magic("(\u00b5/\u00fd", "Zstandard data"),
    new Magic("BZh", "bzip2 data"),
    new Magic("PK\u0005\u0006", "an empty zip archive"),
    new Magic("PAR1", "a Parquet file"),
    new Magic("ARROW1", "an Arrow file"),
    new Magic("%PDF-", "a PDF file"),
    new Magic("\u007fELF", "a program"),
    new Magic("#!", "a script"),
  };

  private static final int TAR_MAGIC_OFFSET = 257;

  private ForeignFormat() {}

  /** What a file is, by its head (and, for blank ones, its tail); never null. */
  static String name(Slice head, Slice tail) {
    String text = head.text(0, Math.min(head.length(), 512), StandardCharsets.ISO_8859_1);
    for (Magic magic : MAGICS) {
      if (text.startsWith(magic.bytes())) {
        return magic.name();
      }
    }
    if (head.has(TAR_MAGIC_OFFSET, (byte) 'u', (byte) 's', (byte) 't', (byte) 'a', (byte) 'r')) {
      return "a tar archive (torch before 0.1.10 saved such files; torch.load refuses them)";
    }
    if (head.zerosAtEnd() == head.length()) {
      return tail.zerosAtEnd() == tail.length()
          ? "zero bytes at its start and end: never written, or blocks were lost"
          : "zero bytes at its start: blocks were lost";
    }
    String named = nameOfText(text);
    return named != null ? named : unknown(head, tail);
  }

  private static @Nullable String nameOfText(String text) {
    String start = text.stripLeading().toLowerCase(Locale.ROOT);
    if (start.startsWith("version https://git-lfs")) {
      return "a Git LFS pointer: the file itself was never fetched (git lfs pull)";
    }
    if (start.startsWith("<!doctype html") || start.startsWith("<html")) {
      return "an HTML page, perhaps the error page of a download";
    }
    if (start.startsWith("<")) {
      return "an XML or HTML text, perhaps the error page of a download";
    }
    if (start.startsWith("{") || start.startsWith("[")) {
      return "a JSON text";
    }
    return null;
  }

  private static String unknown(Slice head, Slice tail) {
    for (int at = tail.length() - ZipTrailer.END_BYTES; at >= 0; at--) {
      if (tail.has(at, (byte) 'P', (byte) 'K', (byte) 5, (byte) 6)) {
        return "a zip archive with a damaged start, or with other bytes in front of it";
      }
    }
    StringBuilder hex = new StringBuilder();
    for (int index = 0; index < Math.min(8, head.length()); index++) {
      hex.append(String.format(" %02x", head.u8(index)));
    }
    return "something unknown, its first bytes are" + hex;
  }
}
