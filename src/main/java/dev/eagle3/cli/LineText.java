package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.shell.ShellReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Fetches the text that {@code --from} names; never more of it than a launch line can be long. */
final class LineText {
  /** UTF-8 takes at most four bytes a character. */
  private static final int MOST_BYTES = 4 * ShellReader.MOST_CHARACTERS;

  private LineText() {}

  static String of(String from, InputStream in) {
    if (from.equals("-")) {
      return text(in, "standard input");
    }
    if (!from.startsWith("@")) {
      return from;
    }
    Path file = Path.of(from.substring(1));
    if (Files.isDirectory(file)) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "is a folder");
    }
    try (InputStream opened = Files.newInputStream(file)) {
      return text(opened, file.toString());
    } catch (NoSuchFileException missing) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "no such file").causedBy(missing);
    } catch (IOException unreadable) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "cannot be read").causedBy(unreadable);
    }
  }

  private static String text(InputStream in, String name) {
    try {
      byte[] bytes = in.readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw Failure.of(
            Exit.USAGE,
            "launch line",
            "is longer than " + ShellReader.MOST_CHARACTERS + " characters; no launch line is");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException other) {
      throw Failure.of(Exit.USAGE, name, "is not UTF-8 text").causedBy(other);
    } catch (IOException unreadable) {
      throw Failure.of(Exit.LOCAL_FILE, name, "cannot be read").causedBy(unreadable);
    }
  }
}
