package dev.eagle3.testing;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real host whose connection goes away at one chosen command: right before the command, which
 * then never runs, or right after it, when all of it was done and nobody has heard so.
 *
 * @param host the connection
 * @param commands counts the commands over all connections, from 1
 * @param at the command to drop at; 0 for never
 * @param before whether it is dropped before the command
 * @param cut ends the connection
 */
public record DroppingHost(Host host, AtomicInteger commands, int at, boolean before, Runnable cut)
    implements Host {

  @Override
  public String name() {
    return host.name();
  }

  @Override
  public CommandResult run(Command command) {
    boolean drop = commands.incrementAndGet() == at;
    if (!drop) {
      return host.run(command);
    }
    if (!before) {
      host.run(command);
    }
    cut.run();
    return new CommandResult(new Ending.Lost("dropped"), "", "", true);
  }

  @Override
  public RunningCommand start(Command command) {
    return host.start(command);
  }

  @Override
  public boolean isConnected() {
    return host.isConnected();
  }

  @Override
  public FileTree files() {
    return host.files();
  }

  @Override
  public void close() {
    host.close();
  }
}
