package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Events as text for people: results on standard output, how it goes on standard error. It closes
 * neither stream. When the reader of standard output goes away ({@code | head}), it stops writing
 * there without a word.
 */
public final class TextReport implements EventSink {
  /** What the command is about; decides which events are its result. */
  public enum About {
    /** A run from end to end: lines of the log are shown only when verbose. */
    RUN,
    /** The log: its lines are the result. */
    LOG,
    /** A question: holders and states of runs are the result too. */
    ANSWER
  }

  /** A hostile list of holders is printed in tables of this many rows. */
  private static final int MOST_HOLDERS = 500;

  /** Of findings of one code the first ones show what it looks like; then it is one story. */
  private static final int MOST_ALIKE = 2;

  private final LinePrinter printer;
  private final ProgressPrinter progress;
  private final TextLines outLines;
  private final TextLines errLines;
  private final Screen screen;
  private final About about;
  private final boolean verbose;
  private final List<Event.Holder> holders = new ArrayList<>();
  private final Tally files = new Tally("files", "bad", Tally.MOST);
  private final Tally transfers = new Tally("files", "failed", Tally.MOST);
  private final Map<String, Tally> findings = new LinkedHashMap<>();
  private String fileAbove = "";
  private boolean allFiles;

  /**
   * A report.
   *
   * @param verbose show everything: all files, lines of the log, names of checks
   * @param nanos a clock that never goes back, as {@link System#nanoTime}
   */
  public TextReport(
      PrintStream out,
      PrintStream err,
      Screen screen,
      About about,
      boolean verbose,
      LongSupplier nanos) {
    this.printer = new LinePrinter(out, err, screen);
    this.progress = new ProgressPrinter(printer, screen, nanos);
    this.outLines = new TextLines(new Paint(screen.color() && screen.out()));
    this.errLines = new TextLines(new Paint(screen.color() && screen.err()));
    this.screen = screen;
    this.about = about;
    this.verbose = verbose;
  }

  /** From now on shows every file, not only the first ones. */
  public void listAllFiles() {
    allFiles = true;
  }

  /** Nobody reads standard output any more; the command may as well end. */
  public boolean isBroken() {
    return printer.isBroken();
  }

  /**
   * Prints what waits for more of its kind and takes the progress bar away: to be called before
   * something else writes to the terminal, such as a question. The end of the events does it too.
   */
  public void flush() {
    printHolders();
    printRest();
    progress.clear();
  }

  @Override
  public void emit(Event event) {
    if (event instanceof Event.Holder holder) {
      take(holder);
      return;
    }
    printHolders();
    if (event instanceof Event.Progress shown) {
      progress.show(shown);
    } else if (event instanceof Event.Usage used) {
      progress.use(used);
    } else if (event instanceof Event.LogLine line) {
      print(line);
    } else if (event instanceof Event.FileChecked file) {
      print(file);
    } else if (event instanceof Event.Found found) {
      print(found.finding());
    } else if (event instanceof Event.Transfer transfer) {
      print(transfer);
    } else if (event instanceof Event.Check check) {
      printer.err(errLines.check(check, verbose));
    } else if (event instanceof Event.Launch launch) {
      printer.err(errLines.launch(launch));
    } else if (event instanceof Event.Milestone milestone) {
      print(milestone);
    } else if (event instanceof Event.Aside aside) {
      printer.out(outLines.aside(aside));
    } else if (event instanceof Event.Step step) {
      outLines.step(step, screen.out()).forEach(printer::out);
    } else {
      end(event);
    }
  }

  /** What comes when the work is over. */
  private void end(Event event) {
    flush();
    if (event instanceof Event.Named named) {
      outLines.cause(named.cause()).forEach(printer::out);
    } else if (event instanceof Event.State state) {
      if (about == About.ANSWER) {
        printer.out(outLines.state(state));
      } else {
        printer.err(errLines.state(state));
      }
    } else if (event instanceof Event.Summary summary) {
      printer.out(outLines.summary(summary));
    } else if (event instanceof Event.Failed failed) {
      errLines.failed(failed).forEach(printer::err);
    } else if (event instanceof Event.Hint hint) {
      printer.err(errLines.hint(hint));
    }
  }

  private void take(Event.Holder holder) {
    holders.add(holder);
    if (holders.size() >= MOST_HOLDERS) {
      printHolders();
    }
  }

  private void printHolders() {
    if (holders.isEmpty()) {
      return;
    }
    boolean result = about == About.ANSWER;
    boolean terminal = result ? screen.out() : screen.err();
    List<String> lines = HolderTable.lines(holders, terminal ? screen.columns() : 160);
    holders.clear();
    lines.forEach(line -> print(line, result));
  }

  private void print(String line, boolean result) {
    if (result) {
      printer.out(line);
    } else {
      printer.err(line);
    }
  }

  private void print(Event.LogLine line) {
    if (about == About.LOG) {
      printer.out(outLines.logLine(line));
    } else if (verbose) {
      printer.err(errLines.logLine(line));
    }
  }

  /** In a log that is shown whole, the line itself is there already. */
  private void print(Event.Milestone milestone) {
    if (about != About.LOG && !verbose) {
      printer.err(errLines.milestone(milestone));
    }
  }

  private void print(Event.FileChecked file) {
    if (about == About.LOG) {
      printBesideLog(file);
      return;
    }
    boolean show = allFiles || files.take(file.verdict().equals("bad")) || verbose;
    fileAbove = show ? file.path() : "";
    if (show) {
      printer.out(outLines.file(file));
    }
  }

  /** In a log only what is bad is worth a word, and none of it is the log. */
  private void printBesideLog(Event.FileChecked file) {
    boolean show = file.verdict().equals("bad") && files.take(true);
    fileAbove = show ? file.path() : "";
    if (show) {
      printer.err(errLines.file(file));
    }
  }

  private void print(Finding finding) {
    Tally tally =
        findings.computeIfAbsent(
            finding.code(), code -> new Tally(Printable.line(code), "", MOST_ALIKE));
    if (!tally.take(false) && !verbose) {
      return;
    }
    boolean besideLog =
        about == About.LOG && !fileAbove.isEmpty() && finding.subject().startsWith(fileAbove);
    if (besideLog) {
      errLines.finding(finding, fileAbove).forEach(printer::err);
    } else {
      outLines.finding(finding, fileAbove).forEach(printer::out);
    }
  }

  private void print(Event.Transfer transfer) {
    if (transfers.take(transfer.verdict().equals("failed")) || verbose) {
      printer.out(outLines.transfer(transfer));
    }
  }

  private void printRest() {
    List<Tally> tallies = new ArrayList<>(List.of(files, transfers));
    tallies.addAll(findings.values());
    for (Tally tally : tallies) {
      String rest = tally.rest();
      if (!rest.isEmpty() && !verbose) {
        print(Labels.NONE + rest, about != About.LOG);
      }
    }
    fileAbove = "";
  }
}
