package dev.eagle3.log;

import com.google.re2j.Pattern;
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

  private static final int MOST_LOSSES = 32;

  /**
   * {@code file.py:63: FutureWarning: text}, C++'s {@code [rank0]:[W…] Warning: text}, and {@code
   * gpu7:4711:4899 [3] NCCL INFO text}.
   */
  private static final Pattern WARNING =
      Pattern.compile(
          "^\\S+:\\d+: \\w*Warning: |^\\[[WI](?:\\d{3,4})? |^[WI]\\d{4} |^\\w*Warning: "
              + "|^\\S+:\\d+:\\d+ \\[\\d+\\] NCCL (?:INFO|TRACE) ");

  private final EventSink sink;
  private final LineSplitter splitter;
  private final FailureFinder failures;
  private final ErrorFinder errors = new ErrorFinder();
  private final List<Awaited> awaited;

  /** A milestone that was not seen yet. */
  private record Awaited(String name, LinePattern pattern) {}

  private final Deque<String> lastLines = new ArrayDeque<>();

  private final Map<String, Event.Progress> bars =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Event.Progress> eldest) {
          return size() > MOST_BARS;
        }
      };

  private final Map<String, Loss> losses = new LinkedHashMap<>();

  /** The last line that a rule names though the program calls it no error. */
  private @Nullable FailureLine warned;

  /**
   * A reader that goes on at a byte of a log.
   *
   * @param offset byte offset in the log of the first byte that it will be given
   */
  public LogReader(LogRules rules, long offset, EventSink sink) {
    this.sink = sink;
    this.splitter = new LineSplitter(offset, this::piece);
    this.failures = new FailureFinder(rules);
    this.awaited = new ArrayList<>();
    for (LogMilestone milestone : rules.milestones()) {
      awaited.add(new Awaited(milestone.name(), LinePattern.of(milestone.pattern())));
    }
  }

  /** Takes the next {@code length} bytes of the log; emits what they complete. */
  public void accept(byte[] bytes, int length) {
    splitter.accept(bytes, length);
  }

  /** The log is over: what stands after its last line end is a line too. */
  public void finish() {
    splitter.finish();
  }

  /** Passes over bytes of the log that hold nothing. */
  public void skip(long count) {
    splitter.skip(count);
  }

  /** The log goes on at another byte than it was read to; what it said so far stays known. */
  public void goOnAt(long offset) {
    splitter.finish();
    splitter.goOnAt(offset);
  }

  /** How many bytes of the log were taken, counted from its start: where to go on reading. */
  public long offset() {
    return splitter.offset();
  }

  /**
   * The lines of the error that the run failed with, at most 12, each cut: those of {@link
   * #firstFailure} or {@link #uncaught} if there is one, else the first error of a worker that did
   * not go on. Of a long error the first line, the last frame and the exception. Empty when no line
   * is an error; then {@link #lastLines} says most.
   */
  public List<String> lastErrors() {
    return errors.blocks().shown();
  }

  /** The last lines of the log that are not blank, at most 5. */
  public List<String> lastLines() {
    return List.copyOf(lastLines);
  }

  /**
   * The line that names why the run failed: the first that a rule names, unless its worker went on
   * after it, or an exception that no rule names ended a worker before. A line that only reports
   * the failure of another process is none when a traceback or another failure says more.
   */
  public Optional<FailureLine> firstFailure() {
    return errors
        .blocks()
        .root()
        .filter(block -> block.isNamed() || block.isReport())
        .flatMap(ErrorBlock::failure);
  }

  /**
   * Whether the worker of {@link #firstFailure} went on after it: another process only reports that
   * something failed, and this may be what.
   */
  public boolean isFirstFailureSurvived() {
    return errors.blocks().root().filter(ErrorBlock::isSurvived).isPresent();
  }

  /**
   * The last line that a rule names a failure, though its program called it no error or went on
   * after it: a guess, for a run that failed and does not say more.
   */
  public Optional<FailureLine> lastSurvived() {
    return errors
        .blocks()
        .survived()
        .flatMap(ErrorBlock::failure)
        .or(() -> Optional.ofNullable(warned));
  }

  /** The exception that the run failed with, when no rule names it. */
  public Optional<PythonError> uncaught() {
    return errors
        .blocks()
        .root()
        .filter(block -> !block.isNamed() && !block.isReport())
        .flatMap(ErrorBlock::exception);
  }

  /** How many other processes ended with errors of their own after the first. */
  public int followers() {
    return errors.blocks().followers();
  }

  /** What the log says of samples that are missing, the first line of each code, and how many. */
  public List<Loss> losses() {
    return List.copyOf(losses.values());
  }

  private void piece(long offset, String raw, long cutBytes, boolean replaced) {
    String text = AnsiStripper.strip(raw);
    boolean sawProgress = false;
    LogMessage message = LogMessage.of(text);
    for (int count = 0; count < MOST_PROGRESS_OF_A_LINE; count++) {
      Optional<ProgressFinder.Found> found = ProgressFinder.find(message.message());
      if (found.isEmpty()) {
        break;
      }
      sawProgress = true;
      progress(found.get().progress());
      if (message.worker().isEmpty() && isWork(found.get().progress())) {
        errors.goesOn("");
      }
      text = message.message().substring(found.get().end());
      message = LogMessage.of(text);
    }
    if (cutBytes > 0) {
      text += "… (" + cutBytes + " more bytes)";
      message = LogMessage.of(text);
    }
    boolean blank = message.body().isBlank();
    if (blank && (sawProgress || replaced || !message.worker().isEmpty())) {
      return;
    }
    line(offset, text, message);
  }

  /** Batches and files are the script's own work; shards are loaded by workers side by side. */
  private static boolean isWork(Event.Progress progress) {
    return progress.done() > 0
        && (progress.what().equals("batches") || progress.what().equals("files"));
  }

  private void progress(Event.Progress progress) {
    if (!progress.equals(bars.put(progress.what(), progress))) {
      sink.emit(progress);
    }
  }

  private void line(long offset, String text, LogMessage read) {
    LogMessage message = errors.outdented(read);
    boolean follower = failures.isFollower(message);
    FailureLine found =
        follower || errors.isSource(message) ? null : failures.find(offset, message).orElse(null);
    if (found != null && isWarning(message)) {
      warned = found;
      found = null;
    }
    ErrorBlock block = errors.take(message, found, follower);
    failures.findLoss(offset, message).ifPresent(this::lose);
    if (!message.body().isBlank()) {
      lastLines.addLast(text);
      if (lastLines.size() > MOST_LAST_LINES) {
        lastLines.removeFirst();
      }
    }
    sink.emit(new Event.LogLine(offset, text, block == null ? "line" : "error"));
    boolean milestone = milestone(message);
    // The script itself has no prefix, and neither have workers that only begin.
    boolean working = message.worker().isEmpty() ? milestone : message.isOrdinary() && !follower;
    if (working) {
      errors.goesOn(message.worker());
    }
  }

  /** What a program logs below an error, or Python's own warnings, ended nothing by itself. */
  private static boolean isWarning(LogMessage message) {
    return message.isOrdinary() || WARNING.matcher(message.message()).find();
  }

  private void lose(FailureLine line) {
    Loss before = losses.get(line.code());
    if (before != null) {
      losses.put(line.code(), new Loss(before.line(), before.lines() + 1));
    } else if (losses.size() < MOST_LOSSES) {
      losses.put(line.code(), new Loss(line, 1));
    }
  }

  private boolean milestone(LogMessage message) {
    for (int index = 0; index < awaited.size(); index++) {
      Awaited milestone = awaited.get(index);
      if (milestone.pattern().find(message.body()).isPresent()) {
        awaited.remove(index);
        sink.emit(new Event.Milestone(milestone.name(), message.message().strip()));
        return true;
      }
    }
    return false;
  }
}
