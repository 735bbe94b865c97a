package dev.eagle3.cli;

import java.io.IOException;
import java.util.Optional;

/** What a person types at the terminal, unseen. */
interface Keyboard {
  /**
   * Reads a line that is not shown while it is typed; blocks.
   *
   * @param ask prints the question; runs when nothing that is typed shows any more
   * @return the line, for the caller to wipe; empty at the end of input (Ctrl-D)
   * @throws IOException when nothing can be hidden, or read
   */
  Optional<char[]> hiddenLine(Runnable ask) throws IOException;
}
