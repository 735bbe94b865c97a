package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a profile to a file of this machine. */
final class ProfileFile {
  private ProfileFile() {}

  /**
   * Writes it whole or not at all. A file that is there is replaced only by force; a link is
   * replaced and not followed.
   *
   * @param isPrivate for its owner only
   * @throws Failure {@code LOCAL_FILE}
   */
  static void write(Path file, String text, boolean isPrivate, boolean force) {
    if (Files.isDirectory(file)) {
      throw failure(file, "is a folder");
    }
    if (!force && Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw failure(file, "is there already").orTry("--force to replace it, or another --to FILE");
    }
    Path folder = file.toAbsolutePath().getParent();
    try {
      Path fresh = Files.createTempFile(folder, ".eagle3-", ".yaml");
      try {
        Files.write(fresh, text.getBytes(StandardCharsets.UTF_8));
        if (!isPrivate) {
          Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
        }
        if (force) {
          Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
        } else {
          Files.createLink(file, fresh);
        }
      } finally {
        Files.deleteIfExists(fresh);
      }
    } catch (FileAlreadyExistsException there) {
      throw failure(file, "is there already").orTry("--force to replace it").causedBy(there);
    } catch (NoSuchFileException missing) {
      throw failure(file, "there is no folder " + folder).causedBy(missing);
    } catch (IOException | UnsupportedOperationException unwritable) {
      throw failure(file, "cannot be written").causedBy(unwritable);
    }
  }

  private static Failure failure(Path file, String says) {
    return Failure.of(Exit.LOCAL_FILE, file.toString(), says);
  }
}
