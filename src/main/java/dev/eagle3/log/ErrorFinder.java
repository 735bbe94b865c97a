package dev.eagle3.log;

import com.google.re2j.Pattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells which lines are errors and gathers them in blocks, one worker at a time, since the lines of
 * workers interleave. The first block with a traceback is the root cause of what follows in other
 * workers; errors that a program logs and survives have none.
 */
final class ErrorFinder {
  private static final String TRACEBACK = "Traceback (most recent call last):";

  /** Errors of programs that log nothing: an exception's line, a shell, argparse, the kernel. */
  private static final Pattern PLAIN_ERROR =
      Pattern.compile(
          "^(?:(?:[A-Za-z_][\\w.]*)?(?:Error|Exception|Interrupt)(?::|$)"
              + "|\\S+: error: |\\S+: can't open file "
              + "|(?:\\S+: )?(?:line \\d+: |\\d+: )?\\S+: (?:command )?not found$"
              + "|fatal(?: error)?: |terminate called "
              + "|(?:\\S+: line \\d+: +\\d+ )?(?:Killed|Segmentation fault|Bus error|Aborted)"
              + "(?: \\(core dumped\\))?(?:\\s\\s.*)?$"
              + "|[EF]\\d{4} \\d\\d:\\d\\d:\\d\\d|\\[[EF]\\d{3,4} \\d\\d:\\d\\d:\\d\\d)");

  /** More than the processes of any run; the memory of a hostile log stays bounded. */
  private static final int MOST_WORKERS = 128;

  private static final class Worker {
    @Nullable ErrorBlock block;
    boolean inTraceback;
  }

  private final Map<String, Worker> workers =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Worker> eldest) {
          return size() > MOST_WORKERS;
        }
      };

  private @Nullable ErrorBlock firstBlock;
  private @Nullable ErrorBlock firstTraceback;

  /**
   * Takes the next line.
   *
   * @param failed a rule of the extractor names this line a failure
   * @return the block that it belongs to, or null when it is no error
   */
  @Nullable ErrorBlock take(LogMessage message, boolean failed) {
    Worker worker = workers.computeIfAbsent(message.worker(), name -> new Worker());
    ErrorBlock block = worker.block;
    if (message.message().contains(TRACEBACK)) {
      ErrorBlock started = block == null || block.hasTraceback() ? new ErrorBlock() : block;
      worker.block = started;
      worker.inTraceback = true;
      started.markTraceback();
      return add(started, message);
    }
    if (message.isErrorLevel()) {
      return add(open(worker), message);
    }
    if (worker.inTraceback && block != null) {
      return inTraceback(worker, block, message);
    }
    if (failed || PLAIN_ERROR.matcher(message.message()).find()) {
      return add(open(worker), message);
    }
    worker.block = null;
    return null;
  }

  /** The lines of the error that came first, of {@code named} when that is not null. */
  List<String> shown(@Nullable ErrorBlock named) {
    ErrorBlock block = named != null ? named : firstTraceback != null ? firstTraceback : firstBlock;
    return block == null ? List.of() : block.shown();
  }

  /** A traceback was seen. */
  boolean sawTraceback() {
    return firstTraceback != null;
  }

  private static ErrorBlock open(Worker worker) {
    ErrorBlock block = worker.block == null ? new ErrorBlock() : worker.block;
    worker.block = block;
    return block;
  }

  /** Frames are indented; the exception is not, and ends the traceback. */
  private @Nullable ErrorBlock inTraceback(Worker worker, ErrorBlock block, LogMessage message) {
    String text = message.message();
    if (!message.level().isEmpty() || text.isBlank()) {
      return null;
    }
    if (!Character.isWhitespace(text.charAt(0))) {
      worker.inTraceback = false;
      worker.block = null;
    }
    return add(block, message);
  }

  private ErrorBlock add(ErrorBlock block, LogMessage message) {
    boolean first = block.isEmpty() && !message.worker().isEmpty();
    block.add(first ? message.worker() + " " + message.message() : message.message());
    if (firstBlock == null) {
      firstBlock = block;
    }
    if (firstTraceback == null && block.hasTraceback()) {
      firstTraceback = block;
    }
    return block;
  }
}
