package dev.eagle3.cli;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.report.JsonReport;
import dev.eagle3.report.Screen;
import dev.eagle3.report.TextReport;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What all commands have in common: they report, and how they fail is told in one place. */
abstract class ReportingCommand implements Callable<Integer> {
  @Mixin OutputOptions output = new OutputOptions();

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  CommandSpec spec;

  private final Surroundings surroundings;
  private final TextReport.About about;
  private boolean failed;
  private Runnable flusher = () -> {};
  private Runnable nobodyReads = () -> {};
  private final Object reporting = new Object();
  private boolean left;
  private @Nullable Interruptions interruptions;
  private volatile String connectingTo = "";

  ReportingCommand(Surroundings surroundings, TextReport.About about) {
    this.surroundings = surroundings;
    this.about = about;
  }

  /** The work; blocks. What it emits is printed. */
  abstract Exit run(EventSink sink);

  /**
   * Whether {@code --json} prints one object, made by {@link #run} itself, and no lines of events
   * unless the command fails.
   */
  boolean answersWithOneObject() {
    return false;
  }

  /** Whether text lists all files, however many: a list was asked for. */
  boolean listsAllFiles() {
    return false;
  }

  Surroundings surroundings() {
    return surroundings;
  }

  /**
   * Reaches hosts; questions on the way go to the terminal, below what was reported so far. From
   * now on Ctrl-C is listened to.
   */
  Hosts hosts(ConnectionOptions connection, EventSink sink) {
    interruptions(sink);
    return new Hosts(surroundings, connection, sink, this::flush, name -> connectingTo = name);
  }

  /** Ctrl-C; until a command says what to do then, it ends the process with a word. */
  Interruptions interruptions(EventSink sink) {
    if (interruptions == null) {
      interruptions = Interruptions.listen(() -> sayFarewell(sink));
    }
    return interruptions;
  }

  private void sayFarewell(EventSink sink) {
    String name = connectingTo;
    String problem =
        name.isEmpty()
            ? "a run on the host, if any, goes on"
            : "while connecting to " + name + "; nothing was done there";
    synchronized (reporting) {
      sink.emit(new Event.Failed(Exit.INTERRUPTED.code(), "interrupted", problem, ""));
      end(Exit.INTERRUPTED, sink);
      flush();
      left = true;
    }
  }

  /**
   * What becomes of a connection is told by another thread than that of the command; after the
   * farewell nothing more is said.
   */
  private EventSink oneByOne(EventSink sink) {
    return event -> {
      synchronized (reporting) {
        if (!left) {
          sink.emit(event);
        }
      }
    };
  }

  /** Prints what waits for more of its kind, before something else writes to the terminal. */
  void flush() {
    flusher.run();
  }

  /** What to do when nobody reads standard output any more ({@code | head}); may run often. */
  void whenNobodyReads(Runnable action) {
    nobodyReads = action;
  }

  @Override
  public final Integer call() {
    Logging.configure(output.verbose);
    if (output.json) {
      JsonReport report = new JsonReport(surroundings.out(), surroundings.clock());
      EventSink sink = oneByOne(event -> passOn(event, report));
      Exit exit = guarded(sink);
      return answersWithOneObject() && !failed ? exit.code() : end(exit, sink);
    }
    TextReport report = textReport();
    if (listsAllFiles()) {
      report.listAllFiles();
    }
    flusher = report::flush;
    EventSink sink =
        oneByOne(
            event -> {
              report.emit(event);
              noticeReader(report.isBroken());
            });
    int code = end(guarded(sink), sink);
    report.flush();
    return code;
  }

  /** Lines of a log are for those who asked for the log, as in text. */
  private void passOn(Event event, JsonReport report) {
    if (!(event instanceof Event.LogLine) || about == TextReport.About.LOG || output.verbose) {
      report.emit(event);
      noticeReader(report.isBroken());
    }
  }

  private void noticeReader(boolean gone) {
    if (gone) {
      nobodyReads.run();
    }
  }

  private TextReport textReport() {
    Surroundings.Terminal terminal = surroundings.terminal();
    boolean color = !output.noColor && surroundings.variable("NO_COLOR").isEmpty();
    return new TextReport(
        surroundings.out(),
        surroundings.err(),
        new Screen(terminal.output(), terminal.error(), terminal.columns(), color),
        about,
        output.verbose,
        System::nanoTime);
  }

  private Exit guarded(EventSink sink) {
    try {
      return run(sink);
    } catch (Failure failure) {
      return failed(sink, failure);
    } catch (Failures several) {
      several.failures().forEach(failure -> failed(sink, failure));
      return several.exit();
    } catch (RuntimeException bug) {
      return failed(
          sink,
          Failure.of(Exit.BUG, "internal error", bug + "; a run on the host, if any, goes on")
              .orTry("the same command with -v, and report what it prints")
              .causedBy(bug));
    }
  }

  private Exit failed(EventSink sink, Failure failure) {
    failed = true;
    sink.emit(
        new Event.Failed(
            failure.exit().code(),
            failure.subject(),
            failure.problem(),
            failure.tryNext().orElse("")));
    if (output.verbose && failure.getCause() != null) {
      failure.getCause().printStackTrace(surroundings.err());
    }
    return failure.exit();
  }

  private int end(Exit exit, EventSink sink) {
    synchronized (reporting) {
      if (left) {
        return Exit.INTERRUPTED.code();
      }
      sink.emit(new Event.End(exit.code(), exit.meaning()));
      return exit.code();
    }
  }
}
