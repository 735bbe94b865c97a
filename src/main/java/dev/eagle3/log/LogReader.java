package dev.eagle3.log;

import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of a run's log in, events out: a {@link Event.LogLine} for every line (also for one that is
 * a milestone), a {@link Event.Milestone} the first time that each is seen, and {@link
 * Event.Progress} in place of the lines that tqdm writes, never the same one twice in a row. How
 * the bytes are cut into chunks does not matter. Memory is bounded whatever the log holds. Not for
 * several threads at once.
 */
public final class LogReader {
  private static final int MOST_LAST_LINES = 5;
  private static final int MOST_PROGRESS_OF_A_LINE = 32;
  private static final int MOST_BARS = 32;

  private final EventSink sink;
  private final LineSplitter splitter;
  private final FailureFinder failures;
  private final ErrorFinder errors = new ErrorFinder();
  private final List<LogMilestone> awaited;
  private final Deque<String> lastLines = new ArrayDeque<>();

  private final Map<String, Event.Progress> bars =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Event.Progress> eldest) {
          return size() > MOST_BARS;
        }
      };

  private @Nullable FailureLine failure;
  private @Nullable ErrorBlock failureBlock;

  /** The failure is only the report of another one, which may still come. */
  private boolean failureIsReport;

  /**
   * A reader that goes on at a byte of a log.
   *
   * @param offset byte offset in the log of the first byte that it will be given
   */
  public LogReader(LogRules rules, long offset, EventSink sink) {
    this.sink = sink;
    this.splitter = new LineSplitter(offset, this::piece);
    this.failures = new FailureFinder(rules.failures());
    this.awaited = new ArrayList<>(rules.milestones());
  }

  /** Takes the next {@code length} bytes of the log; emits what they complete. */
  public void accept(byte[] bytes, int length) {
    splitter.accept(bytes, length);
  }

  /** The log is over: what stands after its last line end is a line too. */
  public void finish() {
    splitter.finish();
  }

  /** How many bytes of the log were taken, counted from its start: where to go on reading. */
  public long offset() {
    return splitter.offset();
  }

  /**
   * The lines of the error that the run failed with, at most 12, each cut: the block of {@link
   * #firstFailure} if there is one, else the first traceback of any worker, else the first line
   * that is an error. Of a long block the first line, the last frame and the exception. Empty when
   * no line is an error; then {@link #lastLines} says most.
   */
  public List<String> lastErrors() {
    boolean named = firstFailure().isPresent();
    return errors.shown(named ? failureBlock : null);
  }

  /** The last lines of the log that are not blank, at most 5. */
  public List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  /**
   * The first line that a rule names as a failure. A line that only reports the failure of another
   * process is none when a traceback or another failure says more.
   */
  public Optional<FailureLine> firstFailure() {
    return isReportOfTraceback() ? Optional.empty() : Optional.ofNullable(failure);
  }

  private boolean isReportOfTraceback() {
    return failureIsReport
        && errors.sawTraceback()
        && (failureBlock == null || !failureBlock.hasTraceback());
  }

  private void piece(long offset, String raw, long cutBytes, boolean replaced) {
    String text = AnsiStripper.strip(raw);
    boolean sawProgress = false;
    for (int count = 0; count < MOST_PROGRESS_OF_A_LINE; count++) {
      LogMessage message = LogMessage.of(text);
      Optional<ProgressFinder.Found> found = ProgressFinder.find(message.message());
      if (found.isEmpty()) {
        break;
      }
      sawProgress = true;
      progress(found.get().progress());
      text = message.message().substring(found.get().end());
    }
    if (cutBytes > 0) {
      text += "… (" + cutBytes + " more bytes)";
    }
    LogMessage message = LogMessage.of(text);
    boolean blank = message.body().isBlank();
    if (blank && (sawProgress || replaced || !message.worker().isEmpty())) {
      return;
    }
    line(offset, text, message);
  }

  private void progress(Event.Progress progress) {
    if (!progress.equals(bars.put(progress.what(), progress))) {
      sink.emit(progress);
    }
  }

  private void line(long offset, String text, LogMessage message) {
    Optional<FailureLine> found =
        failure == null || failureIsReport ? failures.find(offset, message) : Optional.empty();
    ErrorBlock block = errors.take(message, found.isPresent());
    found.ifPresent(line -> remember(line, block));
    if (!message.body().isBlank()) {
      lastLines.addLast(text);
      if (lastLines.size() > MOST_LAST_LINES) {
        lastLines.removeFirst();
      }
    }
    sink.emit(new Event.LogLine(offset, text, block == null ? "line" : "error"));
    milestone(message);
  }

  private void remember(FailureLine found, @Nullable ErrorBlock block) {
    boolean explained = FailureFinder.isDeath(found) && errors.sawTraceback();
    boolean report = FailureFinder.isReport(found);
    if (!explained && (failure == null || !report)) {
      failure = found;
      failureIsReport = report;
      failureBlock = block;
    }
  }

  private void milestone(LogMessage message) {
    for (int index = 0; index < awaited.size(); index++) {
      LogMilestone milestone = awaited.get(index);
      if (milestone.pattern().matcher(message.body()).find()) {
        awaited.remove(index);
        sink.emit(new Event.Milestone(milestone.name(), message.message().strip()));
        return;
      }
    }
  }
}
