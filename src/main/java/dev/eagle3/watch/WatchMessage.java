package dev.eagle3.watch;

import dev.eagle3.outcome.Failure;
import dev.eagle3.run.RunStatus;

/** What the threads of a watch tell the one that decides. */
sealed interface WatchMessage {
  /** The next bytes of the log; the receiver owns them. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and handed over
  record Bytes(LogStream from, byte[] bytes) implements WatchMessage {}

  /** No further bytes will come from this stream, for whatever reason. */
  record StreamEnded(LogStream from) implements WatchMessage {}

  /**
   * The state of the run.
   *
   * @param readBefore how much of the log had been read before it was asked: the log cannot be
   *     shorter than that unless it was cut or replaced
   */
  record Answered(RunStatus status, long readBefore) implements WatchMessage {}

  /** The state could not be asked. */
  record Failed(Failure failure) implements WatchMessage {}

  /** Somebody wants the watch to stop. */
  record Stop() implements WatchMessage {}
}
