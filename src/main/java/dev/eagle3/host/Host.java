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
   * is sent first; its input then stays open. Its time-out does not apply.
   */
  RunningCommand start(Command command);

  /** Whether further commands can reach it, as far as is known here. */
  default boolean isConnected() {
    return true;
  }

  /**
   * Whether a command that comes after a lost connection makes a new one, and so is worth trying.
   */
  default boolean reconnects() {
    return false;
  }

  /**
   * Makes no further connection from now on, and ends the waiting for one soon: whoever uses this
   * host is about to be done with it.
   */
  default void stopReconnecting() {}

  /** The files of the machine; one tree per host, closed with it. */
  FileTree files();

  /** Ends the connection; commands that run detached go on. */
  @Override
  void close();
}
