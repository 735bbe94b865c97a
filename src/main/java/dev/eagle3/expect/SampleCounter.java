package dev.eagle3.expect;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Counts the samples of prepared data: the lines of a JSON Lines file that are not blank. Reads the
 * whole file over the connection, 4 MiB at a time, and therefore only files up to {@link
 * #MOST_BYTES}.
 */
final class SampleCounter {
  /** 64 MiB: 2,000 to 3,000 samples of 2,048 tokens; a minute at 10 Mbit/s. */
  static final long MOST_BYTES = 64L << 20;

  private static final int CHUNK_BYTES = 1 << 20;
  private static final int CHUNKS_IN_FLIGHT = 4;

  private final FileTree files;

  SampleCounter(FileTree files) {
    this.files = files;
  }

  /** Whether the file is one whose samples {@link #count} counts. */
  static boolean counts(FileStat file) {
    return file.kind() == FileKind.FILE
        && file.bytes() <= MOST_BYTES
        && (file.path().endsWith(".jsonl") || file.path().endsWith(".json"));
  }

  /** How many samples the file holds; empty when it is no JSON Lines of objects. */
  OptionalLong count(FileStat file) throws IOException {
    long lines = 0;
    boolean inLine = false;
    long offset = 0;
    while (offset < file.bytes()) {
      List<ByteRange> chunks = chunksFrom(offset, file.bytes());
      for (byte[] chunk : files.read(file.path(), chunks)) {
        for (byte letter : chunk) {
          if (letter == '\n') {
            inLine = false;
          } else if (!inLine && !isBlank(letter)) {
            if (letter != '{') {
              return OptionalLong.empty();
            }
            inLine = true;
            lines++;
          }
        }
      }
      offset += chunks.stream().mapToLong(ByteRange::length).sum();
    }
    return OptionalLong.of(lines);
  }

  private static boolean isBlank(byte letter) {
    return letter == ' ' || letter == '\t' || letter == '\r';
  }

  private static List<ByteRange> chunksFrom(long offset, long end) {
    List<ByteRange> chunks = new ArrayList<>();
    long at = offset;
    while (chunks.size() < CHUNKS_IN_FLIGHT && at < end) {
      int length = (int) Math.min(CHUNK_BYTES, end - at);
      chunks.add(new ByteRange(at, length));
      at += length;
    }
    return chunks;
  }
}
