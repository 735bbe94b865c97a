package dev.eagle3.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Optional;

/**
 * The files of one machine. Paths are absolute, with {@code /}, as that machine spells them; they
 * are never local paths unless the tree is local. All methods block; all may be called from many
 * threads at once. One contract suite runs against every implementation.
 *
 * <p>A file that is not there is {@link java.nio.file.NoSuchFileException}; one that may not be
 * read or written is {@link java.nio.file.AccessDeniedException}; both name the path. A connection
 * that is gone is another {@link IOException}.
 */
public interface FileTree extends Closeable {
  /** What the path leads to, links followed; empty when nothing is there. */
  Optional<FileStat> stat(String path) throws IOException;

  /** What stands at the path itself, links not followed; empty when nothing is there. */
  Optional<FileStat> linkStat(String path) throws IOException;

  /**
   * The entries of a folder, links not followed, without {@code .} and {@code ..}, sorted by name.
   *
   * @param most refuse a folder of more entries with an {@link IOException}, so that a hostile
   *     folder cannot exhaust memory
   */
  List<FileStat> list(String folder, int most) throws IOException;

  /**
   * Reads ranges of one file, all requests in flight together. The answers stand in the order of
   * the ranges; one is shorter than asked only where the file ends. Only regular files: a pipe may
   * block for ever, so {@link #stat} what a stranger named.
   */
  List<byte[]> read(String path, List<ByteRange> ranges) throws IOException;

  /**
   * As {@link #read}, and then as {@link #stat}, which tells whether the file changed meanwhile.
   * Over a network it takes no longer than the reading alone where the implementation can do so.
   */
  default RangesRead readThenStat(String path, List<ByteRange> ranges) throws IOException {
    List<byte[]> read = read(path, ranges);
    return new RangesRead(read, stat(path));
  }

  /**
   * The file as a stream from {@code offset} on, read ahead; ends where the file ends at the time
   * of reading, and goes on if it is read again after the file has grown. For one thread. The
   * caller closes it.
   */
  InputStream open(String path, long offset) throws IOException;

  /**
   * As {@link #open}, for those who read gigabytes: a local file is read straight into a direct
   * buffer. One read may give fewer bytes than there is room for.
   */
  default ReadableByteChannel openChannel(String path, long offset) throws IOException {
    return Channels.newChannel(open(path, offset));
  }

  /**
   * Writes a whole file so that a reader sees the old content or the new, never half: under a
   * temporary name beside it, then renamed over it. A link that stands there is replaced, not
   * followed.
   *
   * @param permissions for example {@code 0600}
   */
  void write(String path, byte[] content, int permissions) throws IOException;

  /**
   * Renames; refuses with {@link java.nio.file.FileAlreadyExistsException} if {@code to} exists.
   */
  void rename(String from, String to) throws IOException;

  /** Frees what the tree holds; the machine's files are unaffected. */
  @Override
  void close() throws IOException;
}
