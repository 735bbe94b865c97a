package dev.eagle3.testing;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangesRead;
import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.Optional;

/**
 * A connection whose operations are counted. Where the connection was cut right after one, all of
 * it was done and nobody hears so: a command ends as lost, a question about files fails. A stream
 * that was opened breaks by itself.
 */
final class CountedHost implements Host {
  private final Host host;
  private final Operations operations;
  private final FileTree files;

  CountedHost(Host host, Operations operations) {
    this.host = host;
    this.operations = operations;
    this.files = new CountedFiles();
  }

  private interface Question<T> {
    T ask() throws IOException;
  }

  @Override
  public String name() {
    return host.name();
  }

  @Override
  public CommandResult run(Command command) {
    Operations.Operation operation = operations.begin(Operations.nameOf(command));
    CommandResult result = host.run(command);
    if (!operations.end(operation)) {
      return result;
    }
    awaitLoss();
    return new CommandResult(new Ending.Lost("the connection was cut"), "", "", true);
  }

  @Override
  public RunningCommand start(Command command) {
    Operations.Operation operation = operations.begin(Operations.nameOf(command));
    RunningCommand running = host.start(command);
    operations.end(operation);
    return running;
  }

  @Override
  public boolean isConnected() {
    return host.isConnected();
  }

  @Override
  public boolean reconnects() {
    return host.reconnects();
  }

  @Override
  public void stopReconnecting() {
    host.stopReconnecting();
  }

  @Override
  public FileTree files() {
    return files;
  }

  @Override
  public void close() {
    host.close();
  }

  /** A client hears of an answer that cannot come only by the end of its connection. */
  private void awaitLoss() {
    Await.until(() -> !host.isConnected());
  }

  private final class CountedFiles implements FileTree {
    @Override
    public Optional<FileStat> stat(String path) throws IOException {
      return ask("file stat", () -> host.files().stat(path));
    }

    @Override
    public Optional<FileStat> linkStat(String path) throws IOException {
      return ask("file link-stat", () -> host.files().linkStat(path));
    }

    @Override
    public List<FileStat> list(String folder, int most) throws IOException {
      return ask("file list", () -> host.files().list(folder, most));
    }

    @Override
    public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
      return ask("file read", () -> host.files().read(path, ranges));
    }

    @Override
    public RangesRead readThenStat(String path, List<ByteRange> ranges) throws IOException {
      return ask("file read-then-stat", () -> host.files().readThenStat(path, ranges));
    }

    @Override
    public InputStream open(String path, long offset) throws IOException {
      return opened("file open", () -> host.files().open(path, offset));
    }

    @Override
    public ReadableByteChannel openChannel(String path, long offset) throws IOException {
      return opened("file open", () -> host.files().openChannel(path, offset));
    }

    @Override
    public void write(String path, byte[] content, int permissions) throws IOException {
      ask(
          "file write",
          () -> {
            host.files().write(path, content, permissions);
            return path;
          });
    }

    @Override
    public void rename(String from, String to) throws IOException {
      ask(
          "file rename",
          () -> {
            host.files().rename(from, to);
            return to;
          });
    }

    @Override
    public void close() throws IOException {
      host.files().close();
    }

    private <T> T ask(String name, Question<T> question) throws IOException {
      Operations.Operation operation = operations.begin(name);
      T answer = question.ask();
      if (operations.end(operation)) {
        awaitLoss();
        throw new IOException("the connection was cut");
      }
      return answer;
    }

    private <T> T opened(String name, Question<T> question) throws IOException {
      Operations.Operation operation = operations.begin(name);
      T stream = question.ask();
      operations.end(operation);
      return stream;
    }
  }
}
