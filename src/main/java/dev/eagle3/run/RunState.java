package dev.eagle3.run;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.plan.RunId;
import java.util.List;
import java.util.stream.Collectors;

/** What became of a run. Never judged by a process id or a name alone. */
public sealed interface RunState {

  /** The word for it, as events and {@code docs/json.md} have it. */
  String word();

  /** One line that explains it. Names of nodes in it come from the host: escape before printing. */
  String says();

  /** Exit code of the job, 128 + N for a signal; -1 when there is none. */
  default int code() {
    return -1;
  }

  /** Processes of the run that still live, as far as this host can tell. */
  default List<Long> pids() {
    return List.of();
  }

  /** Whether its wrapper is gone: no exit code will come that is not there now. */
  default boolean hasEnded() {
    return true;
  }

  /** Whether it has ended and nothing of it lives: its output folder and GPUs are free. */
  default boolean isOver() {
    return hasEnded() && pids().isEmpty();
  }

  /** What a command that waited for the run returns. */
  default Exit exit() {
    return hasEnded() ? Exit.RUN_FAILED : Exit.STOPPED_WATCHING;
  }

  /** The state as an event. */
  default Event.State toEvent(RunId run) {
    return new Event.State(run.text(), word(), code(), says(), pids());
  }

  /**
   * The job exited.
   *
   * @param code its exit code
   * @param pids processes that it left behind
   */
  record Finished(int code, List<Long> pids) implements RunState {
    /** Copies the list. */
    public Finished {
      pids = List.copyOf(pids);
    }

    @Override
    public String word() {
      return "finished";
    }

    @Override
    public String says() {
      return "the job exited with " + code + leftBehind(pids);
    }

    @Override
    public Exit exit() {
      return code == 0 ? Exit.DONE : Exit.RUN_FAILED;
    }
  }

  /**
   * A signal ended the job.
   *
   * @param signal its name without SIG
   * @param code 128 and the signal's number, as shells say it. A job that exits with such a code by
   *     itself looks the same.
   * @param pids processes that it left behind
   */
  record Killed(String signal, int code, List<Long> pids) implements RunState {
    /** Copies the list. */
    public Killed {
      pids = List.copyOf(pids);
    }

    @Override
    public String word() {
      return "killed";
    }

    @Override
    public String says() {
      String hint =
          "KILL".equals(signal) ? " (the host ran out of memory, or somebody ended it)" : "";
      return "the job was killed by signal " + signal + hint + leftBehind(pids);
    }
  }

  /**
   * It runs on this host.
   *
   * @param pid process id of its wrapper
   * @param stopped those of its processes that a signal has stopped: it does not go on
   */
  record Running(long pid, List<Long> stopped) implements RunState {
    /** Copies the list. */
    public Running {
      stopped = List.copyOf(stopped);
    }

    /** Nothing of it is stopped. */
    public Running(long pid) {
      this(pid, List.of());
    }

    @Override
    public String word() {
      return "running";
    }

    @Override
    public String says() {
      return stopped.isEmpty()
          ? "it is running"
          : "it is running, but stopped (SIGSTOP): "
              + (stopped.size() == 1 ? "process " : "processes ")
              + listed(stopped);
    }

    @Override
    public List<Long> pids() {
      return List.of(pid);
    }

    @Override
    public boolean hasEnded() {
      return false;
    }
  }

  /** Its launch is on its way: its folder is new, and its wrapper has not said who it is yet. */
  record Launching() implements RunState {
    @Override
    public String word() {
      return "running";
    }

    @Override
    public String says() {
      return "it is being launched";
    }

    @Override
    public boolean hasEnded() {
      return false;
    }
  }

  /**
   * The wrapper is gone without an exit code, its processes are not: they may hold GPUs.
   *
   * @param pids these processes
   * @param why one clause
   */
  record Orphaned(List<Long> pids, String why) implements RunState {
    /** Copies the list. */
    public Orphaned {
      pids = List.copyOf(pids);
    }

    /** The usual case. */
    public Orphaned(List<Long> pids) {
      this(pids, "the process that watched over the job is gone");
    }

    @Override
    public String word() {
      return "orphaned";
    }

    @Override
    public String says() {
      return why + leftBehind(pids);
    }
  }

  /**
   * It runs on another node that shares the state folder, or in another container.
   *
   * @param node that node
   * @param silenceSeconds how long ago it gave its last sign of life; negative when that lies ahead
   *     by the clock of the host
   */
  record Elsewhere(String node, long silenceSeconds) implements RunState {
    @Override
    public String word() {
      return "elsewhere";
    }

    @Override
    public String says() {
      return "it is running on "
          + node
          + (silenceSeconds >= 0
              ? ", last sign of life " + silenceSeconds + " s ago"
              : "; its last sign of life lies ahead by the clock here, which was set since");
    }

    @Override
    public boolean hasEnded() {
      return false;
    }
  }

  /**
   * It is gone without an exit code, and nothing of it lives.
   *
   * @param why one clause
   */
  record Lost(String why) implements RunState {
    @Override
    public String word() {
      return "lost";
    }

    @Override
    public String says() {
      return "it is gone without an exit code: " + why;
    }
  }

  private static String leftBehind(List<Long> pids) {
    if (pids.isEmpty()) {
      return "";
    }
    return (pids.size() == 1 ? "; its process " : "; its processes ")
        + listed(pids)
        + (pids.size() == 1 ? " still lives" : " still live");
  }

  private static String listed(List<Long> pids) {
    String listed = pids.stream().limit(20).map(String::valueOf).collect(Collectors.joining(", "));
    return pids.size() > 20 ? listed + " and " + (pids.size() - 20) + " more" : listed;
  }
}
