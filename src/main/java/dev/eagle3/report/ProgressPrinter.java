package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Printable;
import java.util.Set;
import java.util.function.LongSupplier;

/** Progress as one bar that is drawn over on a terminal, and as occasional lines elsewhere. */
final class ProgressPrinter {
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final long LINE_NANOS = 10_000_000_000L;
  private static final int LINE_STEP_PERCENT = 10;
  private static final int MOST_BAR = 30;
  private static final int LEAST_BAR = 5;
  private static final int MOST_WHAT = 40;
  private static final int MIB_PER_GIB = 1024;
  private static final String SAMPLES = "samples";

  /** What the log counts of the samples. */
  private static final Set<String> IN_THE_LOG = Set.of("batches", "files", "steps");

  private final LinePrinter printer;
  private final Screen screen;
  private final ProgressThrottle throttle;
  private String used = "";
  private boolean samplesAreCounted;

  ProgressPrinter(LinePrinter printer, Screen screen, LongSupplier nanos) {
    this.printer = printer;
    this.screen = screen;
    this.throttle =
        screen.err()
            ? new ProgressThrottle(nanos, REDRAW_NANOS, 0)
            : new ProgressThrottle(nanos, LINE_NANOS, LINE_STEP_PERCENT);
  }

  void show(Event.Progress progress) {
    samplesAreCounted |= progress.what().equals(SAMPLES);
    if (screen.err() && samplesAreCounted && IN_THE_LOG.contains(progress.what())) {
      // Of one line only: what is on the disk says more than what the log says of the same.
      return;
    }
    boolean due = throttle.isDue(progress);
    if (!screen.err()) {
      if (due) {
        printer.err(line(progress, 0));
      }
    } else if (due && progress.done() == progress.total()) {
      printer.status("");
      printer.err(line(progress, 0));
    } else if (due) {
      printer.status(line(progress, screen.columns() - 1));
    } else if (progress.done() != progress.total()) {
      printer.statusLater(line(progress, screen.columns() - 1));
    }
  }

  /** What is used of the host, shown behind the progress of a run from now on. */
  void use(Event.Usage usage) {
    StringBuilder text = new StringBuilder();
    if (usage.diskFreeBytes() >= 0) {
      text.append("  disk ").append(Units.bytes(usage.diskFreeBytes())).append(" free");
    }
    if (usage.gpus() > 0 && usage.gpuUsedMiB() >= 0 && usage.gpuTotalMiB() > 0) {
      text.append(usage.gpus() == 1 ? "  GPU " : "  GPUs ")
          .append(usage.gpuUsedMiB() / MIB_PER_GIB)
          .append('/')
          .append(usage.gpuTotalMiB() / MIB_PER_GIB)
          .append(" GiB");
    }
    used = text.toString();
  }

  /** Takes the bar away. */
  void clear() {
    printer.status("");
  }

  /**
   * The progress as one line.
   *
   * @param columns room for it and a bar; 0 for no bar and all the room that it needs
   */
  private String line(Event.Progress progress, int columns) {
    String head = Labels.of(phase(progress.what())) + counted(progress);
    StringBuilder tail = new StringBuilder();
    boolean ended = progress.done() == progress.total();
    if (progress.rate() > 0 && !Double.isInfinite(progress.rate())) {
      tail.append("  ").append(Units.rate(what(progress), progress.rate()));
    }
    if (progress.etaSeconds() >= 0 && !ended) {
      tail.append("  ETA ").append(Units.duration(progress.etaSeconds()));
    }
    if (!progress.what().equals("bytes") && !ended) {
      tail.append(used);
    }
    if (columns == 0) {
      return head + tail;
    }
    int room = Math.min(MOST_BAR, columns - head.length() - tail.length() - 4);
    String whole = head + (progress.total() > 0 && room >= LEAST_BAR ? bar(progress, room) : "");
    whole += tail;
    return whole.length() > columns ? whole.substring(0, columns) : whole;
  }

  private static String counted(Event.Progress progress) {
    boolean bytes = progress.what().equals("bytes");
    String counted = bytes ? Units.bytes(progress.done()) : what(progress) + " " + progress.done();
    if (progress.total() <= 0) {
      return counted;
    }
    String total = bytes ? " of " + Units.bytes(progress.total()) : "/" + progress.total();
    return counted + total + "  " + (int) (share(progress) * 100) + "%";
  }

  private static String bar(Event.Progress progress, int width) {
    int full = (int) (share(progress) * width);
    return "  [" + "#".repeat(full) + ".".repeat(width - full) + "]";
  }

  private static double share(Event.Progress progress) {
    return Math.max(0, Math.min(1, (double) progress.done() / progress.total()));
  }

  private static String what(Event.Progress progress) {
    return Printable.line(progress.what(), MOST_WHAT);
  }

  private static String phase(String what) {
    return switch (what) {
      case "shards" -> "load";
      case "bytes" -> "pull";
      default -> "samples";
    };
  }
}
