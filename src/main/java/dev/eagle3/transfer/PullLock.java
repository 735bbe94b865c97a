package dev.eagle3.transfer;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Keeps two pulls from writing one local file at once: else one would give a name to what the other
 * has half written. A file {@code .NAME.eagle3-lock} beside it, locked as long as it is pulled; a
 * process that dies leaves only that file, which locks nothing.
 */
final class PullLock implements Closeable {
  private final Path path;
  private final FileChannel channel;

  private PullLock(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Takes the lock of a local file.
   *
   * @throws IOException when another pull has it, or the folder cannot be written
   */
  static PullLock take(Path target) throws IOException {
    Path path = target.resolveSibling("." + target.getFileName() + ".eagle3-lock");
    Optional<Object> before = make(path);
    FileChannel channel =
        FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    boolean taken = false;
    try {
      taken = isLocked(channel) && identity(path).equals(before);
    } finally {
      if (!taken) {
        channel.close();
      }
    }
    if (!taken) {
      throw new IOException("another eagle3 is pulling " + target + " at this moment");
    }
    return new PullLock(path, channel);
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException ours) {
      return false;
    } catch (IOException unsupported) {
      // A file system without locks: pulling one at a time is all that one can do there.
      return true;
    }
  }

  private static Optional<Object> make(Path path) throws IOException {
    try {
      Files.createFile(path);
    } catch (FileAlreadyExistsException left) {
      // By another pull, which has it or has died. It is locked and never written.
    }
    return identity(path);
  }

  /** Which file has the name now: the last owner may just have removed the one that was opened. */
  private static Optional<Object> identity(Path path) throws IOException {
    try {
      return Optional.ofNullable(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey());
    } catch (NoSuchFileException removed) {
      return Optional.empty();
    }
  }

  /** Gives it back, and removes the file first, while nobody else can have it. */
  @Override
  public void close() throws IOException {
    try (channel) {
      Files.deleteIfExists(path);
    }
  }
}
