package dev.eagle3.host;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangesRead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Optional;

/**
 * The files of a {@link ReconnectingHost}: a question that the connection was lost under is asked
 * again, on a new one if need be. What changes files is not.
 */
final class ReconnectingFileTree implements FileTree {
  private static final int MOST_WITHOUT_A_LOSS = 3;

  /** A question that loses its connection each time will not be answered. */
  private static final int MOST_ROUNDS = 100;

  private final ReconnectingHost host;

  ReconnectingFileTree(ReconnectingHost host) {
    this.host = host;
  }

  private interface Question<T> {
    T ask(FileTree files) throws IOException;
  }

  @Override
  public Optional<FileStat> stat(String path) throws IOException {
    return ask(files -> files.stat(path));
  }

  @Override
  public Optional<FileStat> linkStat(String path) throws IOException {
    return ask(files -> files.linkStat(path));
  }

  @Override
  public List<FileStat> list(String folder, int most) throws IOException {
    return ask(files -> files.list(folder, most));
  }

  @Override
  public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
    return ask(files -> files.read(path, ranges));
  }

  @Override
  public RangesRead readThenStat(String path, List<ByteRange> ranges) throws IOException {
    return ask(files -> files.readThenStat(path, ranges));
  }

  @Override
  public InputStream open(String path, long offset) throws IOException {
    return new ReconnectingInputStream(
        from -> ask(files -> files.open(path, from)), offset, host::awaitLoss);
  }

  @Override
  public void write(String path, byte[] content, int permissions) throws IOException {
    files().write(path, content, permissions);
  }

  @Override
  public void rename(String from, String to) throws IOException {
    files().rename(from, to);
  }

  /** Nothing: the files end with the host. */
  @Override
  public void close() {}

  private <T> T ask(Question<T> question) throws IOException {
    for (int round = 1; ; round++) {
      FileTree asked = files();
      try {
        T answer = question.ask(asked);
        host.answered();
        return answer;
      } catch (FileSystemException answer) {
        host.answered();
        throw answer;
      } catch (IOException lost) {
        host.awaitLoss();
        // Also of a channel that is gone alone.
        boolean again = round < MOST_WITHOUT_A_LOSS || !host.isConnected();
        if (!again || !host.reconnects() || round == MOST_ROUNDS) {
          throw lost;
        }
      }
    }
  }

  private FileTree files() throws IOException {
    try {
      return host.ready().files();
    } catch (ReconnectingHost.Gone gone) {
      throw new IOException("the connection was lost; " + gone.getMessage(), gone);
    }
  }
}
