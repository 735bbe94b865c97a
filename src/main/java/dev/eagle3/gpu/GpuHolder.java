package dev.eagle3.gpu;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A process that holds GPUs. Process id and start time together name it: an id alone may have been
 * given to another process since.
 *
 * @param pid its process id on the host
 * @param startTicks its start time in clock ticks after boot, as {@code /proc/PID/stat} has it
 * @param user its owner
 * @param ageSeconds how long it has been running
 * @param gpus indices of the GPUs that it uses; empty for one that only has devices open
 * @param memoryMiB GPU memory that it uses in MiB
 * @param unit systemd unit, container or Slurm job of its own
 * @param kind what it is
 * @param run the eagle3 run that it belongs to, alive or not
 * @param command its command line, cut, printable ASCII
 * @param watcher what may start it again
 */
public record GpuHolder(
    long pid,
    long startTicks,
    String user,
    OptionalLong ageSeconds,
    List<Integer> gpus,
    OptionalLong memoryMiB,
    Optional<String> unit,
    HolderKind kind,
    Optional<RunId> run,
    String command,
    Optional<HolderWatcher> watcher) {
  private static final int COMMAND_SHOWN = 60;
  private static final int NAMED = 3;

  /** Copies the list. */
  public GpuHolder {
    gpus = List.copyOf(gpus);
  }

  /** It as an event; the verdict is held, to-end, ended, spared, asked or refused. */
  public Event.Holder event(String verdict) {
    return new Event.Holder(
        pid,
        user,
        ageSeconds.orElse(-1),
        memoryMiB.orElse(-1),
        gpus,
        command,
        unit.orElse(""),
        verdict);
  }

  /**
   * It in one phrase, for a question or a refusal: who, since when, how much, what; and what starts
   * it again, with the command that stops that.
   */
  public String says() {
    StringBuilder says = new StringBuilder("pid " + pid + " (" + Printable.line(user, 40));
    if (ageSeconds.isPresent()) {
      says.append(", ").append(age(ageSeconds.getAsLong()));
    }
    if (!gpus.isEmpty()) {
      says.append(", GPU ").append(indices(gpus));
    }
    if (memoryMiB.isPresent()) {
      says.append(", ").append(memoryMiB.getAsLong()).append(" MiB");
    }
    unit.ifPresent(name -> says.append(", ").append(Printable.line(name, 80)));
    run.ifPresent(id -> says.append(", run ").append(id));
    says.append(") ").append(Printable.line(command, COMMAND_SHOWN));
    watcher
        .filter(HolderWatcher::restarts)
        .ifPresent(one -> says.append(", started again unless you ").append(one.stop()));
    return says.toString();
  }

  /** The first of them in words, and how many more there are. */
  static String named(List<GpuHolder> holders) {
    String first =
        holders.stream().limit(NAMED).map(GpuHolder::says).collect(Collectors.joining("; "));
    int more = holders.size() - NAMED;
    return more > 0 ? first + "; and " + more + " more" : first;
  }

  /** It as the script takes it: process id and start time. */
  String target() {
    return pid + ":" + startTicks;
  }

  static String indices(List<Integer> gpus) {
    return gpus.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String age(long seconds) {
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 2 * 3600) {
      return seconds / 60 + " min";
    }
    return seconds < 48 * 3600 ? seconds / 3600 + " h" : seconds / (24 * 3600) + " days";
  }
}
