package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangesRead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.sftp.common.SftpConstants;
import org.jspecify.annotations.Nullable;

/** The files of a host over SFTP. Its channel is opened when a file is first asked for. */
final class SftpFileTree implements FileTree {
  /** Requests for further names that are under way together; a server sends about 100 names. */
  private static final int LISTING_AHEAD = 8;

  private final String host;
  private final SshConnections connections;
  private @Nullable SftpConnection connection;

  SftpFileTree(String host, SshConnections connections) {
    this.host = host;
    this.connections = connections;
  }

  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    return stat(SftpConstants.SSH_FXP_STAT, path);
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return stat(SftpConstants.SSH_FXP_LSTAT, path);
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    SftpConnection sftp = sftp();
    byte[] handle =
        sftp.ask(SftpConstants.SSH_FXP_OPENDIR, SftpConnection.body(folder))
            .expect(SftpConstants.SSH_FXP_HANDLE, folder)
            .body()
            .getBytes();
    List<FileStat> entries = new ArrayList<>();
    Deque<Integer> asked = new ArrayDeque<>();
    try {
      asked.add(sftp.send(SftpConstants.SSH_FXP_READDIR, SftpConnection.body(handle)));
      boolean more = true;
      while (!asked.isEmpty()) {
        SftpConnection.Answer answer = sftp.receive(asked.remove());
        if (answer.isEnd()) {
          more = false;
          continue;
        }
        addNames(entries, answer.expect(SftpConstants.SSH_FXP_NAME, folder).body(), folder);
        if (entries.size() > most) {
          throw new IOException(folder + ": more than " + most + " entries");
        }
        while (more && asked.size() < LISTING_AHEAD) {
          asked.add(sftp.send(SftpConstants.SSH_FXP_READDIR, SftpConnection.body(handle)));
        }
      }
    } finally {
      asked.add(sftp.send(SftpConstants.SSH_FXP_CLOSE, SftpConnection.body(handle)));
      sftp.forget(asked);
    }
    entries.sort(Comparator.comparing(FileStat::path));
    return entries;
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    return new SftpRangeReader(sftp(), path, ranges, false).read();
  }

  @Override
  public RangesRead readThenStat(String path, List<ByteRange> ranges) throws IOException {
    SftpRangeReader reader = new SftpRangeReader(sftp(), path, ranges, true);
    List<byte[]> read = reader.read();
    return new RangesRead(read, statOf(reader.after(), path));
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    return SftpInputStream.open(sftp(), path, offset);
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    new SftpFileWriter(sftp(), path).write(content, permissions);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    SftpConnection sftp = sftp();
    if (linkStat(to).isPresent()) {
      throw new FileAlreadyExistsException(to);
    }
    Buffer body = SftpConnection.body(from);
    body.putString(to, UTF_8);
    SftpConnection.Answer answer = sftp.ask(SftpConstants.SSH_FXP_RENAME, body);
    try {
      answer.expectDone(from);
    } catch (FileSystemException refused) {
      // Version 3 has no word for "is there already": somebody may have been quicker.
      if (linkStat(to).isPresent() && linkStat(from).isPresent()) {
        throw new FileAlreadyExistsException(to);
      }
      throw refused;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
  }

  /**
   * Opens the channel if it is not open.
   *
   * @throws NoSftpException where the server offers none
   */
  void connect() throws IOException {
    sftp();
  }

  private synchronized SftpConnection sftp() throws IOException {
    SftpConnection open = connection;
    if (open == null || (!open.isOpen() && connections.first().session().isOpen())) {
      open = SftpConnection.open(host, connections);
      connection = open;
    }
    return open;
  }

  private Optional<FileStat> stat(int request, String path) throws IOException {
    return statOf(sftp().ask(request, SftpConnection.body(path)), path);
  }

  private static Optional<FileStat> statOf(SftpConnection.Answer answer, String path)
      throws IOException {
    if (answer.isNothing()) {
      return Optional.empty();
    }
    Buffer body = answer.expect(SftpConstants.SSH_FXP_ATTRS, path).body();
    SftpAttributes attributes = SftpAttributes.read(body, path);
    return attributes.areEmpty() ? Optional.empty() : Optional.of(attributes.stat(path));
  }

  private static void addNames(List<FileStat> entries, Buffer names, String folder)
      throws IOException {
    String prefix = folder.endsWith("/") ? folder : folder + "/";
    int count = names.getInt();
    for (int entry = 0; entry < count; entry++) {
      String name = names.getString(UTF_8);
      names.getBytes(); // the line that `ls -l` would print
      SftpAttributes attributes = SftpAttributes.read(names, folder);
      if (name.equals(".") || name.equals("..")) {
        continue;
      }
      if (name.isEmpty() || name.indexOf('/') >= 0) {
        throw new FileSystemException(folder, null, "the server lists a name that cannot be one");
      }
      entries.add(attributes.stat(prefix + name));
    }
  }
}
