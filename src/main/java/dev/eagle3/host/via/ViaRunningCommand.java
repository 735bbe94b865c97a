package dev.eagle3.host.via;

import dev.eagle3.host.Ending;
import dev.eagle3.host.RunningCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A command in a shell of its own, whose output is read ahead so that its end is noticed. */
final class ViaRunningCommand implements RunningCommand {
  private static final int READ_AHEAD = 256 << 10;

  private final ViaShell shell;
  private final ByteQueue output = new ByteQueue(READ_AHEAD);
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();

  private ViaRunningCommand(ViaShell shell) {
    this.shell = shell;
  }

  /** Around a shell that was told what to run. */
  static ViaRunningCommand of(ViaShell shell) {
    ViaRunningCommand running = new ViaRunningCommand(shell);
    Thread thread = new Thread(running::read, "via-output");
    thread.setDaemon(true);
    thread.start();
    return running;
  }

  @Override
  public InputStream stdout() {
    return output.source();
  }

  @Override
  public OutputStream stdin() {
    return shell.stdin();
  }

  @Override
  public Ending ending() {
    try {
      return ending.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Ending.Lost("interrupted");
    } catch (ExecutionException impossible) {
      return new Ending.Lost(String.valueOf(impossible.getMessage()));
    }
  }

  @Override
  public String stderr() {
    return shell.errors().text();
  }

  @Override
  public void close() {
    output.abandon();
    shell.release();
  }

  private void read() {
    try {
      ending.complete(shell.copyOutput(output.sink()));
    } finally {
      output.end();
      shell.release();
    }
  }
}
