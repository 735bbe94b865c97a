package dev.eagle3.yaml;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The text of a YAML file on this machine. */
public final class YamlFile {
  private YamlFile() {}

  /**
   * Reads a whole file as UTF-8, a byte order mark taken off. Never reads more than the limit, even
   * of a device or a pipe.
   *
   * @throws Failure {@code LOCAL_FILE} when it cannot be read, {@code PROFILE} when it is longer
   *     than {@link YamlReader#MOST_CHARACTERS} bytes or not UTF-8
   */
  public static String text(Path file) {
    byte[] bytes = bytes(file);
    if (bytes.length > YamlReader.MOST_CHARACTERS) {
      throw Failure.of(Exit.PROFILE, file.toString(), "is longer than 1 MiB; this is no profile");
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException other) {
      throw Failure.of(Exit.PROFILE, file.toString(), "is not UTF-8 text").causedBy(other);
    }
  }

  private static byte[] bytes(Path file) {
    if (Files.isDirectory(file)) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "is a folder");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return in.readNBytes(YamlReader.MOST_CHARACTERS + 1);
    } catch (NoSuchFileException missing) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "no such file").causedBy(missing);
    } catch (AccessDeniedException denied) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "permission denied").causedBy(denied);
    } catch (IOException unreadable) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "cannot be read").causedBy(unreadable);
    }
  }
}
