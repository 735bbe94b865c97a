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
 * @param wrapper who the wrapper was, as it recorded itself; empty when it never did
 * @param wrapperIs alive, gone, or elsewhere: recorded on another boot, node or pid namespace
 * @param beat last sign of life
 * @param pids processes of the run; looked for only when the wrapper is gone
 * @param logBytes size of the log; -1 when there is none
 * @param logIdentity device and inode of the log; empty when there is none
 */
record RunFacts(
    Here here,
    RunFolder folder,
    OptionalInt exitCode,
    Optional<Wrapper> wrapper,
    String wrapperIs,
    OptionalLong beat,
    List<Long> pids,
    long logBytes,
    String logIdentity) {

  /** Copies the list. */
  RunFacts {
    pids = List.copyOf(pids);
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
