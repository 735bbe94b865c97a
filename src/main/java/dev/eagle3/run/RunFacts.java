package dev.eagle3.run;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What {@code run-state.sh} says of one run, not yet judged. Times in seconds since the epoch by
 * the host's clock.
 *
 * @param here where and when it was asked
 * @param folder its folder
 * @param exitCode exit code of the job; empty while there is none
 * @param givenUp whether its launch was given up: nothing of it will run any more
 * @param changed when something was last made or renamed in its folder
 * @param wrapper who the wrapper was, as it recorded itself; empty when it never did
 * @param damage what is wrong with what the wrapper recorded; empty for nothing
 * @param wrapperIs alive, gone, or elsewhere: recorded on another boot, node or pid namespace
 * @param stopped those of the wrapper, the job and its children that a signal has stopped
 * @param beat last sign of life
 * @param pids processes of the run; looked for only when the wrapper is gone
 * @param log its log
 * @param output what it writes
 * @param notes what was noted of it
 */
record RunFacts(
    Here here,
    RunFolder folder,
    OptionalInt exitCode,
    boolean givenUp,
    OptionalLong changed,
    Optional<Wrapper> wrapper,
    String damage,
    String wrapperIs,
    List<Long> stopped,
    OptionalLong beat,
    List<Long> pids,
    Log log,
    Output output,
    Notes notes) {

  /** Copies the lists. */
  RunFacts {
    stopped = List.copyOf(stopped);
    pids = List.copyOf(pids);
  }

  /**
   * A log.
   *
   * @param bytes its size; -1 when there is none
   * @param identity device and inode; empty when there is none
   * @param written when it was last written
   * @param moved where it is, when that is not where it belongs
   */
  record Log(long bytes, String identity, OptionalLong written, Optional<MovedLog> moved) {}

  /**
   * What a run writes.
   *
   * @param lock the lock folder of its output folder, or empty
   * @param held whether the run holds that lock
   * @param samples how many tensor files it has saved
   */
  record Output(String lock, boolean held, OptionalLong samples) {}

  /**
   * What was noted of a run beside its log.
   *
   * @param guard what its guard noted, lines of JSON
   * @param end why eagle3 ended it, a line of JSON; or empty
   * @param setAside whether previous output was set aside for it, and not put back; looked at only
   *     where all of a run is asked
   */
  record Notes(List<String> guard, String end, boolean setAside) {
    /** Copies the list. */
    Notes {
      guard = List.copyOf(guard);
    }
  }

  /**
   * The machine that answered.
   *
   * @param now its clock
   * @param boot id of its boot
   * @param node its name
   * @param space its pid namespace
   * @param booted when it booted
   */
  record Here(long now, String boot, String node, String space, long booted) {}

  /** Who a wrapper was: a process id means something only on that boot, node and namespace. */
  record Wrapper(long pid, long startTicks, String boot, String node, String space) {}
}
