package dev.eagle3.watch;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Failure;
import dev.eagle3.run.RunStatus;
import dev.eagle3.run.Stopped;
import dev.eagle3.verify.FileVerdict;
import java.util.Optional;

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
   * @param askedAt when it was asked, by {@link System#nanoTime}
   */
  record Answered(RunStatus status, long readBefore, long askedAt) implements WatchMessage {}

  /**
   * How a log is that belongs to no run.
   *
   * @param readBefore as in {@link Answered}
   */
  record LogLooked(LogLook look, long readBefore) implements WatchMessage {}

  /** The state could not be asked. */
  record Failed(Failure failure) implements WatchMessage {}

  /** Somebody wants the watch to stop. */
  record Stop() implements WatchMessage {}

  /** What the samples should look like, and how many there will be. */
  record Expected(Expectation expectation) implements WatchMessage {}

  /**
   * The output folder was listed, and something is new there.
   *
   * @param finished how many samples it holds that are finished
   */
  record Listed(int finished) implements WatchMessage {}

  /** A sample that is finished was looked at. */
  record Checked(FileVerdict verdict) implements WatchMessage {}

  /** What the run uses of its host. */
  record Used(Usage usage) implements WatchMessage {}

  /** What the processes of the run do. */
  record Looked(Activity activity) implements WatchMessage {}

  /** All samples that there are were looked at. */
  record AllChecked() implements WatchMessage {}

  /**
   * The run was asked to end.
   *
   * @param stopped what became of its processes; empty when that failed
   * @param problem why it failed; empty when it did not
   */
  record RunEnded(Optional<Stopped> stopped, String problem) implements WatchMessage {}
}
