package dev.eagle3.host.via;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.NeverStarted;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.shell.ShellFileTree;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A host behind a command that gives a shell on its standard input: that command is run once for
 * each command of ours, and a few times for files. What its own exit code means is its own affair:
 * how a command of ours ended, the shell says.
 */
final class ViaHost implements Host {
  private static final int STDERR_LIMIT = 64 << 10;

  private final String name;
  private final ViaShells shells;
  private final ShellFileTree files;
  private volatile boolean lost;

  ViaHost(String name, ViaShells shells) {
    this.name = name;
    this.shells = shells;
    this.files = new ShellFileTree(new HostScripts(this));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public CommandResult run(Command command) {
    long deadline = System.nanoTime() + command.timeout().toNanos();
    OutputCapture out = new OutputCapture(command.mostOutput());
    ViaShell shell;
    try {
      shell = shells.take(command.timeout());
    } catch (NoShellException none) {
      Ending ending = System.nanoTime() - deadline >= 0 ? new Ending.TimedOut() : lost(none.why());
      return new CommandResult(ending, "", "", true);
    }
    try {
      Ending ending = ending(shell, command, out, deadline);
      if (ending instanceof Ending.Lost) {
        lost = true;
      }
      boolean whole = !(ending instanceof Ending.TimedOut) && shell.awaitErrors();
      OutputCapture err = shell.errors();
      return new CommandResult(
          ending, out.text(), err.text(), !whole || out.isCut() || err.isCut());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new CommandResult(new Ending.Lost("interrupted"), out.text(), "", true);
    } finally {
      shells.release(shell);
    }
  }

  private static Ending ending(ViaShell shell, Command command, OutputCapture out, long deadline)
      throws InterruptedException {
    byte[] input = command.stdin().getBytes(UTF_8);
    shell.follow(out, () -> {});
    daemon(
        "via-input",
        () -> {
          shell.begin(command.line(), input.length, command.mostOutput());
          send(shell, input);
        });
    try {
      return shell.ending().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      shell.kill();
      return new Ending.TimedOut();
    } catch (ExecutionException impossible) {
      return new Ending.Lost(String.valueOf(impossible.getMessage()));
    }
  }

  @Override
  public RunningCommand start(Command command) {
    try {
      ViaShell shell = shells.take(ViaShells.SHELL_LIMIT);
      shell.begin(command.line(), -1, STDERR_LIMIT);
      ViaRunningCommand running = ViaRunningCommand.of(shell, this::lost);
      send(shell, command.stdin().getBytes(UTF_8));
      return running;
    } catch (NoShellException none) {
      return new NeverStarted(lost(none.why()));
    }
  }

  /** False once a shell was lost: whether there are others is then to be tried anew. */
  @Override
  public boolean isConnected() {
    return !lost;
  }

  @Override
  public FileTree files() {
    return files;
  }

  @Override
  public void close() {
    files.close();
    shells.close();
  }

  private Ending.Lost lost(String why) {
    lost = true;
    return new Ending.Lost(why);
  }

  private static void send(ViaShell shell, byte[] input) {
    try {
      shell.stdin().write(input);
      shell.stdin().flush();
    } catch (IOException ended) {
      // It ended before it had read its input; its ending says how.
      return;
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}
