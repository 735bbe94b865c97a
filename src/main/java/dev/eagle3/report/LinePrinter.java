package dev.eagle3.report;

import java.io.PrintStream;

/**
 * Whole lines to standard output and standard error, with one line of status below them where
 * standard error is a terminal. A stream whose reader is gone is written to no more.
 */
final class LinePrinter {
  private final PrintStream out;
  private final PrintStream err;
  private final Screen screen;
  private String status = "";
  private int drawn;
  private boolean outBroken;
  private boolean errBroken;

  LinePrinter(PrintStream out, PrintStream err, Screen screen) {
    this.out = out;
    this.err = err;
    this.screen = screen;
  }

  /** Prints a line of the result. */
  void out(String line) {
    if (outBroken) {
      return;
    }
    if (screen.out()) {
      clear();
    }
    out.print(line + "\n");
    outBroken = out.checkError();
    draw();
  }

  /** Prints a line about how it goes. */
  void err(String line) {
    if (errBroken) {
      return;
    }
    clear();
    err.print(line + "\n");
    errBroken = err.checkError();
    draw();
  }

  /** Shows a line below all others, in place of the one before; empty for none. */
  void status(String line) {
    statusLater(line);
    if (line.isEmpty()) {
      clear();
    } else if (screen.err() && !errBroken) {
      String blanks = " ".repeat(Math.max(0, drawn - line.length()));
      err.print("\r" + line + blanks);
      errBroken = err.checkError();
      drawn = line.length();
    }
  }

  /** As {@link #status}, but only when the status must be drawn again anyway. */
  void statusLater(String line) {
    status = line;
  }

  /** Nobody reads standard output any more. */
  boolean isBroken() {
    return outBroken;
  }

  private void draw() {
    if (!status.isEmpty() && drawn == 0) {
      status(status);
    }
  }

  private void clear() {
    if (drawn > 0 && !errBroken) {
      err.print("\r" + " ".repeat(drawn) + "\r");
      errBroken = err.checkError();
      drawn = 0;
    }
  }
}
