package dev.eagle3.transfer;

import dev.eagle3.files.FileStat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;

/**
 * A local file while it is being pulled: {@code .NAME.eagle3-part}, and beside it {@code
 * .NAME.eagle3-from}, which says what of the host it is a part of. A part is only continued when
 * the host's file still has that path, size and time; otherwise it begins anew.
 */
final class PartFile {
  private static final int LONGEST_NOTE = 16 << 10;

  private final Path target;
  private final Path part;
  private final Path note;
  private final String origin;
  private final FileStat remote;

  PartFile(Path target, String host, FileStat remote) {
    this.target = target;
    this.part = target.resolveSibling("." + target.getFileName() + ".eagle3-part");
    this.note = target.resolveSibling("." + target.getFileName() + ".eagle3-from");
    this.remote = remote;
    this.origin =
        host
            + "\n"
            + remote.path()
            + "\n"
            + remote.bytes()
            + "\n"
            + remote.modifiedSeconds()
            + "\n";
  }

  /** Where the part lies. */
  Path path() {
    return part;
  }

  /** How many bytes of the host's file the part already has; 0 when it must begin anew. */
  long resumeOffset() throws IOException {
    if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)
        || !Files.isRegularFile(note, LinkOption.NOFOLLOW_LINKS)
        || Files.size(note) > LONGEST_NOTE
        || !Files.readString(note).equals(origin)) {
      return 0;
    }
    long there = Files.size(part);
    return there <= remote.bytes() ? there : 0;
  }

  /** Opens the part for writing from {@code offset} on; what stood after it is cut off. */
  FileChannel openAt(long offset) throws IOException {
    Files.deleteIfExists(note);
    if (offset == 0) {
      Files.deleteIfExists(part);
    }
    FileChannel channel =
        FileChannel.open(
            part,
            StandardOpenOption.WRITE,
            offset == 0 ? StandardOpenOption.CREATE_NEW : StandardOpenOption.CREATE,
            LinkOption.NOFOLLOW_LINKS);
    channel.truncate(offset);
    channel.position(offset);
    // Written only now: the note never vouches for bytes of another file.
    Files.write(
        note,
        origin.getBytes(StandardCharsets.UTF_8),
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.WRITE);
    return channel;
  }

  /** Gives the whole part its name and the host's time. */
  void finish() throws IOException {
    Files.setLastModifiedTime(part, FileTime.from(remote.modifiedSeconds(), TimeUnit.SECONDS));
    Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    Files.deleteIfExists(note);
  }

  static void writeFully(FileChannel channel, byte[] bytes, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }
}
