package dev.eagle3.gpu;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.plan.ClearGpus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A look as events. */
final class LookTeller {
  /** A daemon that uses more than this is none, or the launch must know of it. */
  private static final long MUCH_MIB = 1024;

  private static final String PHASE = "gpus";

  private final GpuLook look;
  private final EventSink events;

  private LookTeller(GpuLook look, EventSink events) {
    this.look = look;
    this.events = events;
  }

  /** Holders first, so that they stand together, then what is to be known about them. */
  static void tell(GpuLook look, EventSink events) {
    new LookTeller(look, events).tell();
  }

  private void tell() {
    look.lacks().forEach(lack -> warn("look", "without " + lack));
    if (!look.absent().isEmpty()) {
      warn("look", "the host shows no GPU " + GpuHolder.indices(look.absent()));
    }
    if (look.policy() == ClearGpus.ALL) {
      events.emit(
          new Event.Check(
              PHASE,
              "look",
              "note",
              "all: whatever has any GPU of this host open, as fuser -k /dev/nvidia* would end it;"
                  + " daemons are spared"));
    }
    boolean refused = !look.refusals().isEmpty();
    List<GpuHolder> foreign = look.foreign();
    for (GpuHolder holder : look.holders()) {
      events.emit(
          holder.event(
              switch (holder.kind()) {
                case DAEMON, ANCESTOR -> "spared";
                case LIVE_RUN -> "refused";
                case FOREIGN -> foreign.contains(holder) ? "refused" : "spared";
                case OVER_RUN, ORPHAN -> refused ? "held" : "to-end";
                case OTHER -> refused ? "held" : "asked";
              }));
    }
    tellOfSpared();
    tellOfWatchers();
  }

  private void tellOfSpared() {
    for (GpuHolder holder : look.holders()) {
      boolean spared = holder.kind() == HolderKind.DAEMON || holder.kind() == HolderKind.ANCESTOR;
      if (spared && holder.memoryMiB().orElse(0) >= MUCH_MIB) {
        warn("spared", holder.says() + " is spared and keeps its memory");
      }
    }
  }

  private void tellOfWatchers() {
    Set<String> told = new LinkedHashSet<>();
    for (GpuHolder holder : look.endable()) {
      holder
          .watcher()
          .filter(HolderWatcher::mayRestart)
          .ifPresent(
              watcher ->
                  told.add(
                      watcher.says()
                          + (watcher.restarts() ? " starts" : " may start")
                          + " its process again; stop it first: "
                          + watcher.stop()));
    }
    told.forEach(says -> warn("watcher", says));
  }

  private void warn(String name, String says) {
    events.emit(new Event.Check(PHASE, name, "warning", says));
  }
}
