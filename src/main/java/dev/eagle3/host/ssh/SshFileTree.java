package dev.eagle3.host.ssh;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangesRead;
import dev.eagle3.host.shell.ShellFileTree;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The files of a host: over SFTP, or over a shell when it turns out that there is no SFTP. */
final class SshFileTree implements FileTree {
  private final SftpFileTree sftp;
  private final ShellFileTree shell;
  private final Consumer<String> notes;
  private @Nullable FileTree chosen;

  /**
   * Either of two trees, which are closed with this one.
   *
   * @param notes gets a sentence when it is the shell
   */
  SshFileTree(SftpFileTree sftp, ShellFileTree shell, Consumer<String> notes) {
    this.sftp = sftp;
    this.shell = shell;
    this.notes = notes;
  }

  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    return tree().stat(path);
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return tree().linkStat(path);
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    return tree().list(folder, most);
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    return tree().read(path, ranges);
  }

  @Override
  public RangesRead readThenStat(String path, List<ByteRange> ranges) throws IOException {
    return tree().readThenStat(path, ranges);
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    return tree().open(path, offset);
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    tree().write(path, content, permissions);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    tree().rename(from, to);
  }

  @Override
  public void close() throws IOException {
    shell.close();
    sftp.close();
  }

  private synchronized FileTree tree() throws IOException {
    if (chosen == null) {
      try {
        sftp.connect();
        chosen = sftp;
      } catch (NoSftpException none) {
        notes.accept(
            "the server offers no SFTP (Subsystem sftp in its sshd_config); files are read through"
                + " a shell, which is slower");
        chosen = shell;
      }
    }
    return chosen;
  }
}
