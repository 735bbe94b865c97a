package dev.eagle3.host;

import dev.eagle3.files.FileTree;
import java.io.Closeable;

/**
 * A machine that commands run on. Implementations: {@code host.local}, {@code host.ssh}; one
 * contract suite runs against each. Thread-safe.
 */
public interface Host extends Closeable {
  /** The host as the user named it, for messages: {@code root@gpu7}, {@code local}. */
  String name();

  /**
   * Runs a command to its end. Both streams are drained whatever happens. Never throws for what the
   * command or the connection does: the {@link Ending} says it.
   */
  CommandResult run(Command command);

  /**
   * Starts a command and leaves its streams to the caller, who closes it. The command's stdin text
   * is sent first; its input then stays open. Its time-out and output limit do not apply.
   */
  RunningCommand start(Command command);

  /** The files of the machine; one tree per host, closed with it. */
  FileTree files();

  /** Ends the connection; commands that run detached go on. */
  @Override
  void close();
}
