package dev.eagle3.host.shell;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.eagle3.host.Ending;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.MarkedStream;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One shell of a host that serves files ({@code serve-files.sh}): one request, then its answers.
 * For one thread at a time; {@link #close} may come from another.
 */
final class FileShell implements Closeable {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int MOST_SAID = 200;

  private final String host;
  private final RunningCommand running;
  private final HeardStream heard;
  private final MarkedStream answers;
  private final byte[] mark;
  private volatile boolean closed;

  private FileShell(String host, RunningCommand running, HeardStream heard, byte[] mark) {
    this.host = host;
    this.running = running;
    this.heard = heard;
    this.answers = new MarkedStream(heard);
    this.mark = mark;
  }

  /** Starts one; blocks until it is ready. */
  static FileShell open(HostScripts scripts) throws IOException {
    String word = "eagle3-" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    String host = scripts.host().name();
    try {
      RunningCommand running = scripts.start(ScriptCall.of("serve-files", word));
      byte[] mark = ("\036" + word + " ").getBytes(US_ASCII);
      return new FileShell(host, running, new HeardStream(running.stdout()), mark);
    } catch (Failure failure) {
      throw new LostShellException(host + ": no shell for files: " + failure.problem(), failure);
    }
  }

  /** Sends a request; its fields are joined by tabs. */
  void ask(String... fields) throws IOException {
    send((String.join("\t", fields) + "\n").getBytes(US_ASCII));
  }

  /** Sends bytes. */
  void send(byte[] bytes) throws IOException {
    heard.touch();
    try {
      OutputStream stdin = running.stdin();
      stdin.write(bytes);
      stdin.flush();
    } catch (IOException gone) {
      throw lost(gone);
    }
  }

  /**
   * Sends what a request said would follow. Where it cannot be sent, the answer may still say why.
   */
  void sendContent(byte[] content) {
    heard.touch();
    try {
      OutputStream stdin = running.stdin();
      stdin.write(content);
      stdin.flush();
    } catch (IOException gone) {
      heard.touch();
    }
  }

  /**
   * Waits for the next answer.
   *
   * @param sink gets the bytes before it
   * @param path which path the request was about
   * @throws NoSuchFileException and its like when the answer is a refusal; the shell goes on
   * @throws LostShellException when there is no answer
   */
  String answer(OutputStream sink, String path) throws IOException {
    String line = next(sink);
    if (!line.startsWith("no\t")) {
      return line;
    }
    String[] fields = line.split("\t", 3);
    throw refusal(path, fields[1], fields.length > 2 ? fields[2] : "");
  }

  private String next(OutputStream sink) throws LostShellException {
    try {
      Optional<String> line = answers.copyTo(sink, mark);
      if (line.isPresent()) {
        return line.get();
      }
    } catch (IOException broken) {
      throw lost(broken);
    }
    throw lost(null);
  }

  /** Since when nothing was heard of it while it was asked, in {@link System#nanoTime}. */
  long heardNanos() {
    return heard.nanos;
  }

  /** Notes that it is asked something now. */
  void touch() {
    heard.touch();
  }

  /** Whether it was closed. */
  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    running.close();
  }

  private LostShellException lost(@Nullable IOException cause) {
    close();
    String why =
        running.ending() instanceof Ending.Lost lost ? Printable.line(lost.why(), MOST_SAID) : "";
    String said = Printable.line(running.stderr().strip(), MOST_SAID);
    String message =
        host
            + ": the connection was lost"
            + (why.isEmpty() ? "" : ": " + why)
            + (why.isEmpty() && !said.isEmpty() ? ": " + said : "");
    return cause == null ? new LostShellException(message) : new LostShellException(message, cause);
  }

  private static FileSystemException refusal(String path, String kind, String said) {
    return switch (kind) {
      case "missing" -> new NoSuchFileException(path);
      case "denied" -> new AccessDeniedException(path);
      case "exists" -> new FileAlreadyExistsException(path);
      default ->
          new FileSystemException(
              path, null, said.isEmpty() ? "the host refused" : Printable.line(said, MOST_SAID));
    };
  }

  /** Notes when bytes came. */
  private static final class HeardStream extends FilterInputStream {
    private volatile long nanos = System.nanoTime();

    HeardStream(InputStream in) {
      super(in);
    }

    void touch() {
      nanos = System.nanoTime();
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = super.read(buffer, offset, length);
      touch();
      return count;
    }
  }
}
