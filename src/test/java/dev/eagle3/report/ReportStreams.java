package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import dev.eagle3.report.TextReport.About;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Text reports to memory, with a clock that the test moves. */
final class ReportStreams {
  final AtomicLong nanos = new AtomicLong();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  TextReport report(Screen screen, About about, boolean verbose) {
    return new TextReport(stream(out), errStream(), screen, about, verbose, nanos::get);
  }

  /** One terminal shows both streams: {@link #out} has it. */
  TextReport onTerminal(Screen screen, About about) {
    PrintStream both = stream(out);
    return new TextReport(both, both, screen, about, false, nanos::get);
  }

  PrintStream errStream() {
    return stream(err);
  }

  private static PrintStream stream(OutputStream to) {
    return new PrintStream(to, false, StandardCharsets.UTF_8);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  void reset() {
    out.reset();
    err.reset();
  }

  static void emit(TextReport report, Event... events) {
    List.of(events).forEach(report::emit);
  }
}
