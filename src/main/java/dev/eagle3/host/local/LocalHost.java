package dev.eagle3.host.local;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** This machine as a host: commands run under {@code /bin/sh -c}, files are its own. */
public final class LocalHost implements Host {
  private static final int EXIT_BY_SIGNAL = 128;
  private static final int STDERR_LIMIT = 64 << 10;

  private final String name;
  private final Map<String, String> environment;
  private final LocalFileTree files = new LocalFileTree();

  /**
   * This machine.
   *
   * @param name how messages name it
   * @param environment the environment of every command, whole
   */
  public LocalHost(String name, Map<String, String> environment) {
    this.name = name;
    this.environment = Map.copyOf(environment);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CommandResult run(Command command) {
    Process process;
    try {
      process = spawn(command);
    } catch (IOException impossible) {
      return new CommandResult(
          new Ending.Lost(String.valueOf(impossible.getMessage())), "", "", false);
    }
    CompletableFuture<Captured> out = capture(process.getInputStream(), command.mostOutput());
    CompletableFuture<Captured> err = capture(process.getErrorStream(), command.mostOutput());
    CompletableFuture<Void> in = CompletableFuture.runAsync(() -> send(process, command, true));
    try {
      if (!process.waitFor(command.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        return new CommandResult(new Ending.TimedOut(), "", "", false);
      }
      in.join();
      Captured stdout = out.join();
      Captured stderr = err.join();
      return new CommandResult(
          ending(process.exitValue()), stdout.text, stderr.text, stdout.cut || stderr.cut);
    } catch (InterruptedException interrupted) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      return new CommandResult(new Ending.Lost("interrupted"), "", "", false);
    }
  }

  @Override
  public RunningCommand start(Command command) {
    try {
      Process process = spawn(command);
      CompletableFuture<Captured> err = capture(process.getErrorStream(), STDERR_LIMIT);
      send(process, command, false);
      return new Running(process, err);
    } catch (IOException impossible) {
      throw new IllegalStateException("cannot start sh", impossible);
    }
  }

  @Override
  public FileTree files() {
    return files;
  }

  @Override
  public void close() {
    files.close();
  }

  private Process spawn(Command command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", command.line());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  private static void send(Process process, Command command, boolean close) {
    OutputStream stdin = process.getOutputStream();
    try {
      stdin.write(command.stdin().getBytes(StandardCharsets.UTF_8));
      stdin.flush();
      if (close) {
        stdin.close();
      }
    } catch (IOException ended) {
      // The command ended without reading all of its input: its exit code says why.
      return;
    }
  }

  private static Ending ending(int exitValue) {
    // The JDK reports a signal as 128 + n, as shells do: the two cannot be told apart here.
    return switch (exitValue - EXIT_BY_SIGNAL) {
      case 1 -> new Ending.Signalled("HUP");
      case 2 -> new Ending.Signalled("INT");
      case 9 -> new Ending.Signalled("KILL");
      case 15 -> new Ending.Signalled("TERM");
      default -> new Ending.Exited(exitValue);
    };
  }

  private static CompletableFuture<Captured> capture(InputStream stream, int most) {
    CompletableFuture<Captured> done = new CompletableFuture<>();
    Thread reader = new Thread(() -> done.complete(drain(stream, most)), "local-output");
    reader.setDaemon(true);
    reader.start();
    return done;
  }

  private static Captured drain(InputStream stream, int most) {
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    boolean cut = false;
    try (stream) {
      for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
        int room = Math.min(count, most - kept.size());
        kept.write(buffer, 0, room);
        cut |= room < count;
      }
    } catch (IOException closed) {
      cut = true;
    }
    return new Captured(kept.toString(StandardCharsets.UTF_8), cut);
  }

  private record Captured(String text, boolean cut) {}

  private record Running(Process process, CompletableFuture<Captured> err)
      implements RunningCommand {
    @Override
    public InputStream stdout() {
      return process.getInputStream();
    }

    @Override
    public OutputStream stdin() {
      return process.getOutputStream();
    }

    @Override
    public Ending ending() {
      try {
        return LocalHost.ending(process.waitFor());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new Ending.Lost("interrupted");
      }
    }

    @Override
    public String stderr() {
      return err.isDone() ? err.join().text : "";
    }

    @Override
    public void close() {
      try {
        process.getOutputStream().close();
      } catch (IOException gone) {
        // Its end of the pipe is closed already, which is all that closing is for.
        process.destroy();
        return;
      }
      process.destroy();
    }
  }
}
