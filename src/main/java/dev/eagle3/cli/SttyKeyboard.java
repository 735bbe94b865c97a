package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of the process, with its echo switched by {@code stty}: Java's own console is there
 * only while standard output is a terminal too, which it is not in {@code eagle3 ... --json | jq}.
 *
 * <p>The echo comes back whatever happens short of SIGKILL: a shutdown hook sees to it.
 */
final class SttyKeyboard implements Keyboard {
  private static final File TERMINAL = new File("/dev/tty");
  private static final int MOST_BYTES = 4096;
  private static final int LIMIT_SECONDS = 5;

  @Override
  public Optional<char[]> hiddenLine(Runnable ask) throws IOException {
    String before = stty("-g");
    Thread restorer = new Thread(() -> restore(before), "echo");
    Runtime.getRuntime().addShutdownHook(restorer);
    try (InputStream terminal = new FileInputStream(TERMINAL)) {
      stty("-echo");
      ask.run();
      return lineOf(terminal);
    } finally {
      restore(before);
      forget(restorer);
    }
  }

  /** Reads up to the end of the line; what it has read is nowhere else but in what it returns. */
  static Optional<char[]> lineOf(InputStream terminal) throws IOException {
    byte[] bytes = new byte[MOST_BYTES];
    try {
      int length = 0;
      while (length < MOST_BYTES) {
        int read = terminal.read(bytes, length, 1);
        if (read < 0 && length == 0) {
          return Optional.empty();
        }
        if (read < 0 || bytes[length] == '\n') {
          break;
        }
        length++;
      }
      CharBuffer decoded = UTF_8.decode(ByteBuffer.wrap(bytes, 0, length));
      char[] line = new char[decoded.remaining()];
      decoded.duplicate().get(line);
      while (decoded.hasRemaining()) {
        decoded.put('\0');
      }
      return Optional.of(line);
    } finally {
      Arrays.fill(bytes, (byte) 0);
    }
  }

  private static void restore(String settings) {
    try {
      stty(settings);
    } catch (IOException gone) {
      // Then there is no terminal to put right any more.
      return;
    }
  }

  private static void forget(Thread restorer) {
    try {
      Runtime.getRuntime().removeShutdownHook(restorer);
    } catch (IllegalStateException ending) {
      // The process ends, and the hook runs.
      return;
    }
  }

  /** Runs it on the terminal; returns its answer. */
  private static String stty(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(words));
    Process process =
        new ProcessBuilder(command)
            .redirectInput(TERMINAL)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String answer = new String(process.getInputStream().readNBytes(MOST_BYTES), UTF_8).strip();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("stty failed");
      }
      return answer;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      process.destroyForcibly();
    }
  }
}
