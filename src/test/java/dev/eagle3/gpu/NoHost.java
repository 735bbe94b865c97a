package dev.eagle3.gpu;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;

/** A host that nothing may be asked of. */
final class NoHost implements Host {
  @Override
  public String name() {
    return "nobody";
  }

  @Override
  public CommandResult run(Command command) {
    throw new AssertionError("asked: " + command.line());
  }

  @Override
  public RunningCommand start(Command command) {
    throw new AssertionError("asked: " + command.line());
  }

  @Override
  public FileTree files() {
    throw new AssertionError("asked for files");
  }

  @Override
  public void close() {}
}
