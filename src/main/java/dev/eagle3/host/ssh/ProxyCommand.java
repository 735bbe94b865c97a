package dev.eagle3.host.ssh;

import dev.eagle3.host.OutputCapture;
import dev.eagle3.outcome.Printable;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A running ProxyCommand of ssh_config: its standard input and output are the way to the server.
 * What it says on standard error is kept, as far as fits, for the message when it fails.
 */
final class ProxyCommand implements Carrier {
  private static final int KEPT_BYTES = 16 << 10;
  private static final int MOST_SHOWN = 300;
  private static final long LAST_WORDS_MILLIS = 2_000;
  private static final long SELF_MILLIS = 1_000;
  private static final long TERM_MILLIS = 200;

  private final String line;
  private final Process process;
  private final OutputCapture errors;
  private final Thread listener;
  private final InputStream input;
  private final OutputStream output;

  /** It hung up by itself: its output is over, or it takes no input. */
  private volatile boolean atEnd;

  private volatile boolean ended;

  private ProxyCommand(String line, Process process, OutputCapture errors, Thread listener) {
    this.line = line;
    this.process = process;
    this.errors = errors;
    this.listener = listener;
    this.input =
        new FilterInputStream(process.getInputStream()) {
          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            atEnd |= count < 0;
            return count;
          }
        };
    this.output =
        new FilterOutputStream(process.getOutputStream()) {
          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            try {
              out.write(bytes, offset, length);
              out.flush();
            } catch (IOException taken) {
              atEnd = true;
              throw taken;
            }
          }

          @Override
          public void flush() throws IOException {
            try {
              out.flush();
            } catch (IOException taken) {
              atEnd = true;
              throw taken;
            }
          }
        };
  }

  /**
   * Starts it, as OpenSSH does: {@code exec} of a shell, so that no shell stands in between.
   *
   * @param line the command, with its tokens filled in
   * @param home the user's home folder, for its {@code HOME}
   * @throws dev.eagle3.outcome.Failure {@code UNREACHABLE} when there is no shell
   */
  static ProxyCommand start(String line, Path home, ConnectFailures failures) {
    ProcessBuilder builder = new ProcessBuilder(List.of("/bin/sh", "-c", "exec " + line));
    builder.environment().put("HOME", home.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException noShell) {
      throw failures
          .failure(shown(line) + " cannot be run: this machine has no /bin/sh")
          .orTry(failures.viaSsh())
          .causedBy(noShell);
    }
    OutputCapture errors = new OutputCapture(KEPT_BYTES);
    Thread listener =
        new Thread(
            () -> {
              try (InputStream stream = process.getErrorStream()) {
                stream.transferTo(errors);
              } catch (IOException ended) {
                errors.write(new byte[0], 0, 0);
              }
            },
            "ssh-proxy-command-errors");
    listener.setDaemon(true);
    listener.start();
    return new ProxyCommand(line, process, errors, listener);
  }

  /** The command, for messages. */
  static String shown(String line) {
    return "ProxyCommand `" + Printable.line(line, MOST_SHOWN) + "`";
  }

  @Override
  public InputStream input() {
    return input;
  }

  @Override
  public OutputStream output() {
    return output;
  }

  @Override
  public String lastWords() {
    try {
      long patience = atEnd || ended ? LAST_WORDS_MILLIS : 0;
      boolean over = process.waitFor(patience, TimeUnit.MILLISECONDS);
      if (over) {
        listener.join(LAST_WORDS_MILLIS);
      }
      String said = lastLine(errors.text());
      // Its code says nothing once it was ended from here.
      String end = over && !ended ? " ended with code " + process.exitValue() : "";
      if (end.isEmpty() && said.isEmpty()) {
        return "";
      }
      return shown(line) + end + (said.isEmpty() ? "" : (end.isEmpty() ? " says: " : ": ") + said);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static String lastLine(String text) {
    String last = text.lines().reduce("", (before, one) -> one.isBlank() ? before : one.strip());
    return Printable.line(last, MOST_SHOWN);
  }

  /** Ends it with everything that it started. */
  @Override
  public void close() {
    try {
      // When it hung up by itself, it ends by itself, and its code is worth knowing.
      ended |= !process.waitFor(atEnd ? SELF_MILLIS : 0, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      ended = true;
      Thread.currentThread().interrupt();
    }
    List<ProcessHandle> below = process.descendants().toList();
    process.destroy();
    below.forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(TERM_MILLIS, TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    below.forEach(ProcessHandle::destroyForcibly);
  }
}
