package dev.eagle3.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The files of this machine. */
public final class LocalFileTree implements FileTree {
  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    return statOf(path);
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return statOf(path, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    List<FileStat> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(Path.of(folder))) {
      for (Path entry : stream) {
        if (entries.size() >= most) {
          throw new IOException(folder + ": more than " + most + " entries");
        }
        // An entry may vanish between listing and asking.
        linkStat(entry.toString()).ifPresent(entries::add);
      }
    }
    entries.sort(Comparator.comparing(FileStat::path));
    return entries;
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    try (FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.READ)) {
      List<byte[]> answers = new ArrayList<>(ranges.size());
      for (ByteRange range : ranges) {
        answers.add(read(channel, range));
      }
      return answers;
    }
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    SeekableByteChannel channel = Files.newByteChannel(Path.of(path));
    channel.position(offset);
    return Channels.newInputStream(channel);
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    Path target = Path.of(path);
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
    Path target = Path.of(to);
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(to);
    }
    Files.move(Path.of(from), target, StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void close() {
    // Holds nothing open between calls.
  }

  private static byte[] read(FileChannel channel, ByteRange range) throws IOException {
    long there = Math.max(0, Math.min(range.length(), channel.size() - range.offset()));
    ByteBuffer buffer = ByteBuffer.allocate((int) there);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, range.offset() + buffer.position()) < 0) {
        break;
      }
    }
    byte[] bytes = new byte[buffer.flip().remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private static Optional<FileStat> statOf(String path, LinkOption... options) throws IOException {
    Path file = Path.of(path);
    try {
      PosixFileAttributes attributes =
          Files.readAttributes(file, PosixFileAttributes.class, options);
      return Optional.of(
          new FileStat(
              path,
              kindOf(attributes),
              attributes.size(),
              attributes.lastModifiedTime().to(TimeUnit.SECONDS),
              bitsOf(attributes.permissions())));
    } catch (NoSuchFileException nothing) {
      return Optional.empty();
    }
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
    String text = PosixFilePermissions.toString(permissions);
    int bits = 0;
    for (int bit = 0; bit < text.length(); bit++) {
      bits = (bits << 1) | (text.charAt(bit) == '-' ? 0 : 1);
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
