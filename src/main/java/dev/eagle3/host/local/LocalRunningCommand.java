package dev.eagle3.host.local;

import dev.eagle3.host.Ending;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.RunningCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A process of this machine whose output is read as it comes. */
record LocalRunningCommand(Process process, OutputCapture errors) implements RunningCommand {
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
      return Endings.of(process.waitFor());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Ending.Lost("interrupted");
    }
  }

  @Override
  public String stderr() {
    return errors.text();
  }

  @Override
  public void close() {
    ProcessTree tree = ProcessTree.of(process.toHandle());
    try {
      process.getOutputStream().close();
    } catch (IOException gone) {
      // Its end of the pipe is closed already, which is all that closing is for.
      tree.end();
      return;
    }
    tree.end();
  }
}
