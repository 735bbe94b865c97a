package dev.eagle3.host.shell;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.outcome.Printable;
import java.io.IOException;

/** What {@code stat -c '%f %s %Y'} prints: mode in hexadecimal, size, seconds since the epoch. */
record ShellStat(int mode, long bytes, long modifiedSeconds) {
  private static final int TYPE = 0170000;
  private static final int FOLDER = 0040000;
  private static final int FILE = 0100000;
  private static final int LINK = 0120000;
  private static final int PERMISSIONS = 0777;

  /** Reads an answer that begins with {@code word}. */
  static ShellStat read(String answer, String word) throws IOException {
    String[] words = answer.split(" ", -1);
    try {
      if (words.length == 4 && words[0].equals(word)) {
        long bytes = Long.parseLong(words[2]);
        // Of a file system with a broken clock, a time may have a fraction or be negative.
        long seconds = (long) Double.parseDouble(words[3]);
        if (bytes >= 0) {
          return new ShellStat(Integer.parseInt(words[1], 16), bytes, seconds);
        }
      }
    } catch (NumberFormatException other) {
      throw new LostShellException("malformed answer: " + Printable.line(answer, 100), other);
    }
    throw new LostShellException("malformed answer: " + Printable.line(answer, 100));
  }

  /** As the stat of a path. */
  FileStat named(String path) {
    return new FileStat(path, kind(), bytes, modifiedSeconds, mode & PERMISSIONS);
  }

  private FileKind kind() {
    return switch (mode & TYPE) {
      case FILE -> FileKind.FILE;
      case FOLDER -> FileKind.FOLDER;
      case LINK -> FileKind.LINK;
      default -> FileKind.OTHER;
    };
  }
}
