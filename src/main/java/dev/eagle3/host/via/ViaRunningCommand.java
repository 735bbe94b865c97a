package dev.eagle3.host.via;

import dev.eagle3.host.Ending;
import dev.eagle3.host.RunningCommand;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** A command in a shell of its own, whose output is read ahead so that its end is noticed. */
final class ViaRunningCommand implements RunningCommand {
  private static final int READ_AHEAD = 256 << 10;

  private final ViaShell shell;
  private final ByteQueue output = new ByteQueue(READ_AHEAD);
  private final Consumer<String> onLoss;
  private volatile boolean closed;

  private ViaRunningCommand(ViaShell shell, Consumer<String> onLoss) {
    this.shell = shell;
    this.onLoss = onLoss;
  }

  /**
   * Around a shell that was told what to run.
   *
   * @param onLoss told the reason if the shell is lost before it is closed
   */
  static ViaRunningCommand of(ViaShell shell, Consumer<String> onLoss) {
    ViaRunningCommand running = new ViaRunningCommand(shell, onLoss);
    shell.follow(running.output.sink(), running::end);
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
      return shell.ending().get();
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
    closed = true;
    output.abandon();
    shell.release();
  }

  private void end() {
    output.end();
    shell.release();
    if (!closed && ending() instanceof Ending.Lost lost) {
      onLoss.accept(lost.why());
    }
  }
}
