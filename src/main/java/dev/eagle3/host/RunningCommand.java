package dev.eagle3.host;

import java.io.Closeable;
import java.io.InputStream;
import java.io.OutputStream;

/** A command whose output is read as it comes. */
public interface RunningCommand extends Closeable {
  /**
   * Its standard output; ends when the command ends, is closed, or the connection is lost ({@link
   * #ending} tells which). Reading blocks. Standard error is drained and kept, cut.
   */
  InputStream stdout();

  /** Its standard input; closing it gives the command end of file. */
  OutputStream stdin();

  /** How it ended; blocks until it has. */
  Ending ending();

  /** The start of its standard error so far. */
  String stderr();

  /** Ends the conversation with it; a command that watches its input ends by that. */
  @Override
  void close();
}
