package dev.eagle3.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The files of this machine. */
public final class LocalFileTree implements FileTree {
  private static final List<PosixFilePermission> IN_ORDER_OF_BITS =
      List.of(PosixFilePermission.values());

  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    return statOf(pathOf(path));
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return statOf(pathOf(path), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    List<FileStat> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(pathOf(folder))) {
      for (Path entry : stream) {
        if (entries.size() >= most) {
          throw new IOException(folder + ": more than " + most + " entries");
        }
        // An entry may vanish between listing and asking.
        statOf(entry, LinkOption.NOFOLLOW_LINKS).ifPresent(entries::add);
      }
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
    entries.sort(Comparator.comparing(FileStat::path));
    return entries;
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    try (FileChannel channel = openFile(path)) {
      List<byte[]> answers = new ArrayList<>(ranges.size());
      long size = channel.size();
      for (ByteRange range : ranges) {
        answers.add(read(channel, size, range));
      }
      return answers;
    }
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    return Channels.newInputStream(openChannel(path, offset));
  }

  @Override
  public FileChannel openChannel(String path, long offset) throws IOException {
    FileChannel channel = openFile(path);
    try {
      return channel.position(offset);
    } catch (IOException | RuntimeException unusable) {
      channel.close();
      throw unusable;
    }
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    Path target = pathOf(path);
    Path temporary =
        Files.createTempFile(
            target.toAbsolutePath().getParent(),
            ".eagle3-",
            ".tmp",
            PosixFilePermissions.asFileAttribute(
                EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
    try {
      try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.setPosixFilePermissions(temporary, permissionsOf(permissions));
      Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Path target = pathOf(to);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(to);
    }
    Files.move(pathOf(from), target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    // Holds nothing open between calls.
  }

  /** Opens a regular file; a pipe without a writer would block for ever. */
  private static FileChannel openFile(String path) throws IOException {
    Path file = pathOf(path);
    if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
      throw new FileSystemException(path, null, "not a regular file");
    }
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  private static Path pathOf(String path) throws IOException {
    try {
      return Path.of(path);
    } catch (InvalidPathException impossible) {
      throw new FileSystemException(path, null, "no file can have this name here");
    }
  }

  private static byte[] read(FileChannel channel, long size, ByteRange range) throws IOException {
    byte[] bytes = new byte[(int) Math.max(0, Math.min(range.length(), size - range.offset()))];
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, range.offset() + buffer.position()) < 0) {
        return Arrays.copyOf(bytes, buffer.position());
      }
    }
    return bytes;
  }

  private static Optional<FileStat> statOf(Path file, LinkOption... options) throws IOException {
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, options);
      return Optional.of(
          new FileStat(
              file.toString(),
              kindOf(attributes),
              attributes.size(),
              attributes.lastModifiedTime().to(TimeUnit.SECONDS),
              bitsOf(attributes.permissions())));
    } catch (NoSuchFileException nothing) {
      return Optional.empty();
    } catch (FileSystemException trouble) {
      if (trouble instanceof AccessDeniedException || !leadsNowhere(file)) {
        throw trouble;
      }
      return Optional.empty();
    }
  }

  /** A path below something that is no folder, or a link that leads to itself. */
  private static boolean leadsNowhere(Path file) {
    if (Files.isSymbolicLink(file)) {
      return true;
    }
    for (Path above = file.getParent(); above != null; above = above.getParent()) {
      if (Files.exists(above)) {
        return !Files.isDirectory(above);
      }
    }
    return false;
  }

  private static FileKind kindOf(PosixFileAttributes attributes) {
    if (attributes.isRegularFile()) {
      return FileKind.FILE;
    }
    if (attributes.isDirectory()) {
      return FileKind.FOLDER;
    }
    return attributes.isSymbolicLink() ? FileKind.LINK : FileKind.OTHER;
  }

  private static int bitsOf(Set<PosixFilePermission> permissions) {
    int bits = 0;
    for (PosixFilePermission permission : IN_ORDER_OF_BITS) {
      bits = (bits << 1) | (permissions.contains(permission) ? 1 : 0);
    }
    return bits;
  }

  private static Set<PosixFilePermission> permissionsOf(int bits) {
    StringBuilder text = new StringBuilder("rwxrwxrwx");
    for (int bit = 0; bit < 9; bit++) {
      if ((bits >> (8 - bit) & 1) == 0) {
        text.setCharAt(bit, '-');
      }
    }
    return PosixFilePermissions.fromString(text.toString());
  }
}
