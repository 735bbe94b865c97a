package dev.eagle3.log;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells which lines are errors and gathers them in blocks, one worker at a time, since the lines of
 * workers interleave.
 */
final class ErrorFinder {
  private static final String TRACEBACK = "Traceback (most recent call last):";
  private static final String DIRECT_CAUSE =
      "The above exception was the direct cause of the following exception";
  private static final String WHILE_HANDLING =
      "During handling of the above exception, another exception occurred";

  /** Time and level of rich take 20 columns; Python itself indents less. */
  private static final int LEAST_INDENTATION = 12;

  /** More than the processes of any run; the memory of a hostile log stays bounded. */
  private static final int MOST_WORKERS = 128;

  private static final class Worker {
    @Nullable ErrorBlock block;

    /** The last block, which a chained exception goes on with. */
    @Nullable ErrorBlock ended;

    boolean inTraceback;

    /** The traceback is written line by line by a logger, each with the level of an error. */
    boolean logged;

    boolean chained;
    boolean nextIsNoise;
    boolean failing;

    /** The last line was that of an exception; pydantic says why in the lines below, indented. */
    boolean behindException;

    /** Lines below name fields. */
    boolean namesFields;

    /** How far the lines below an error are indented by its logger. */
    int indentation;
  }

  private final ErrorBlocks blocks = new ErrorBlocks();

  private final Map<String, Worker> workers =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Worker> eldest) {
          return size() > MOST_WORKERS;
        }
      };

  /** What was found so far. */
  ErrorBlocks blocks() {
    return blocks;
  }

  /**
   * The line as Python wrote it: rich indents what stands below the first line of a message to the
   * column of that message, so that no line of a traceback would begin at the left.
   */
  LogMessage outdented(LogMessage message) {
    Worker worker = workers.get(message.worker());
    if (worker == null || message.message().isBlank()) {
      return message;
    }
    int blanks = message.level().isEmpty() ? message.leadingBlanks() : 0;
    if (worker.indentation == 0 && worker.block != null && !worker.inTraceback) {
      worker.indentation = blanks >= LEAST_INDENTATION ? blanks : 0;
    } else if (blanks < worker.indentation) {
      worker.indentation = 0;
    }
    return worker.indentation == 0 ? message : message.outdented(worker.indentation);
  }

  /**
   * Takes the next line.
   *
   * @param failure what a rule of the extractor says of this line, if any does
   * @param follower the line is no error by a rule of the extractor
   * @return the block that it belongs to, or null when it is no error
   */
  @Nullable ErrorBlock take(LogMessage message, @Nullable FailureLine failure, boolean follower) {
    Worker worker = workers.computeIfAbsent(message.worker(), name -> new Worker());
    boolean more = worker.behindException && isMore(worker, message);
    worker.behindException = more;
    if (message.message().contains(TRACEBACK)) {
      return add(beginTraceback(worker, message), message, failure);
    }
    if (isChain(worker, message)) {
      return worker.block;
    }
    ErrorBlock block = worker.block;
    ErrorBlock latest = block == null ? worker.ended : block;
    if (more && latest != null) {
      return add(latest, message, failure);
    }
    if (worker.logged && !message.isErrorLevel()) {
      // A traceback that is logged has the level on every line.
      end(worker);
      block = null;
    }
    if (follower) {
      boolean child = ErrorLines.isEndOfChild(message.message());
      if (child || block == null || !worker.inTraceback || message.isOrdinary()) {
        // A child of vLLM has logged its error already; one of plain multiprocessing has not.
        worker.nextIsNoise =
            child ? blocks.hasCause() : ErrorLines.isBeforeNoise(message.message());
        return null;
      }
      block.markNoise();
    }
    if (message.isErrorLevel()) {
      ErrorBlock opened = open(worker, message);
      if (opened.hasTraceback() && !ErrorLines.isIndented(message.message())) {
        beginException(worker, message);
      }
      return add(opened, message, failure);
    }
    if (worker.inTraceback && block != null) {
      return inTraceback(worker, block, message, failure);
    }
    boolean plain = ErrorLines.isPlainError(message.message());
    if (failure != null || plain) {
      if (plain) {
        beginException(worker, message);
      }
      return add(open(worker, message), message, failure);
    }
    if (!message.body().isBlank()) {
      worker.nextIsNoise = false;
    }
    end(worker);
    return null;
  }

  private static void beginException(Worker worker, LogMessage message) {
    worker.behindException = !message.message().isBlank();
    worker.namesFields = ErrorLines.isBeforeFields(message.message());
  }

  /** Whether a line goes on with the exception that stands in the line before. */
  private static boolean isMore(Worker worker, LogMessage message) {
    String text = message.message();
    boolean logged = worker.logged && message.isErrorLevel();
    return (logged || message.level().isEmpty())
        && !text.isBlank()
        && (ErrorLines.isIndented(text) || (worker.namesFields && ErrorLines.isField(text)));
  }

  private static void end(Worker worker) {
    worker.ended = worker.block == null ? worker.ended : worker.block;
    worker.block = null;
    worker.inTraceback = false;
    worker.logged = false;
  }

  /** Whether a line of this worker stands in the middle of a traceback: it quotes source text. */
  boolean isSource(LogMessage message) {
    Worker worker = workers.get(message.worker());
    return worker != null
        && worker.block != null
        && worker.block.hasTraceback()
        && (worker.inTraceback || message.isErrorLevel())
        && !worker.behindException
        && ErrorLines.isIndented(message.message());
  }

  /** The worker does its work: what it said before was not its end. */
  void goesOn(String name) {
    Worker worker = workers.get(name);
    if (worker != null && worker.failing) {
      worker.failing = false;
      worker.ended = null;
      blocks.survive(name);
    }
  }

  private ErrorBlock beginTraceback(Worker worker, LogMessage message) {
    ErrorBlock block = worker.block;
    ErrorBlock ended = worker.ended;
    if (worker.chained && block == null && ended != null) {
      block = ended;
    } else if (block == null || (block.hasTraceback() && !worker.chained)) {
      block = begin(worker, message);
    }
    if (worker.chained) {
      block.beginNext();
    }
    worker.block = block;
    worker.inTraceback = true;
    worker.logged = message.isErrorLevel();
    worker.chained = false;
    block.markTraceback();
    return block;
  }

  private static boolean isChain(Worker worker, LogMessage message) {
    boolean direct = message.message().contains(DIRECT_CAUSE);
    if (!direct && !message.message().contains(WHILE_HANDLING)) {
      return false;
    }
    ErrorBlock before = worker.block == null ? worker.ended : worker.block;
    if (direct && before != null) {
      before.settle();
    }
    worker.chained = true;
    return true;
  }

  private ErrorBlock open(Worker worker, LogMessage message) {
    ErrorBlock block = worker.block == null ? begin(worker, message) : worker.block;
    worker.block = block;
    return block;
  }

  private ErrorBlock begin(Worker worker, LogMessage message) {
    ErrorBlock block = new ErrorBlock(message.worker());
    if (worker.nextIsNoise) {
      block.markNoise();
      worker.nextIsNoise = false;
    }
    worker.failing = true;
    blocks.add(block);
    return block;
  }

  /** Frames are indented; the exception is not, and ends the traceback. */
  private @Nullable ErrorBlock inTraceback(
      Worker worker, ErrorBlock block, LogMessage message, @Nullable FailureLine failure) {
    String text = message.message();
    if (!message.level().isEmpty() || text.isBlank()) {
      return null;
    }
    if (!ErrorLines.isIndented(text)) {
      end(worker);
      beginException(worker, message);
    }
    return add(block, message, failure);
  }

  private static ErrorBlock add(
      ErrorBlock block, LogMessage message, @Nullable FailureLine failure) {
    if (failure != null) {
      block.name(failure);
    }
    boolean first = block.isEmpty() && !message.worker().isEmpty();
    block.add(first ? message.worker() + " " + message.message() : message.message());
    return block;
  }
}
