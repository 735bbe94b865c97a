package dev.eagle3.host.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.NeverStarted;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.RunningCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** This machine as a host: commands run under {@code /bin/sh -c}, files are its own. */
public final class LocalHost implements Host {
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
    long deadline = System.nanoTime() + command.timeout().toNanos();
    OutputCapture out = new OutputCapture(command.mostOutput());
    OutputCapture err = new OutputCapture(command.mostOutput());
    Ending ending;
    boolean whole = false;
    try {
      Process process = spawn(command);
      PipeReader output = PipeReader.start(process.getInputStream(), out);
      PipeReader errors = PipeReader.start(process.getErrorStream(), err);
      sendAside(process, command);
      try {
        if (process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          ending = Endings.of(process.exitValue());
          boolean outputWhole = output.awaitEnd(deadline);
          whole = errors.awaitEnd(deadline) && outputWhole;
        } else {
          ending = new Ending.TimedOut();
          ProcessTree.of(process.toHandle()).kill();
        }
      } catch (InterruptedException interrupted) {
        ProcessTree.of(process.toHandle()).kill();
        Thread.currentThread().interrupt();
        ending = new Ending.Lost("interrupted");
      }
    } catch (IOException impossible) {
      ending = notStarted(impossible);
    }
    return new CommandResult(ending, out.text(), err.text(), !whole || out.isCut() || err.isCut());
  }

  @Override
  public RunningCommand start(Command command) {
    Process process;
    try {
      process = spawn(command);
    } catch (IOException impossible) {
      return new NeverStarted(notStarted(impossible));
    }
    OutputCapture errors = new OutputCapture(STDERR_LIMIT);
    PipeReader.start(process.getErrorStream(), errors);
    try {
      OutputStream stdin = process.getOutputStream();
      stdin.write(command.stdin().getBytes(UTF_8));
      stdin.flush();
    } catch (IOException ended) {
      // It ended before it had read its input; its ending says how.
      return new LocalRunningCommand(process, errors);
    }
    return new LocalRunningCommand(process, errors);
  }

  @Override
  public boolean isConnected() {
    return true;
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

  private static Ending.Lost notStarted(IOException thrown) {
    return new Ending.Lost(String.valueOf(thrown.getMessage()));
  }

  /** On a thread of its own, since the command may never read it. */
  private static void sendAside(Process process, Command command) {
    Thread sender =
        new Thread(
            () -> {
              try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(command.stdin().getBytes(UTF_8));
              } catch (IOException ended) {
                // The command ended without reading all of its input: its exit code says why.
                return;
              }
            },
            "local-input");
    sender.setDaemon(true);
    sender.start();
  }
}
