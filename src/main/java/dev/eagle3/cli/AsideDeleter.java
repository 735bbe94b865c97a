package dev.eagle3.cli;

import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.output.Amount;
import dev.eagle3.output.AsideFolder;
import dev.eagle3.output.OutputPruner;
import dev.eagle3.output.Pruned;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Deletes what was chosen and agreed to, one after the other, and tells what became of each. */
final class AsideDeleter {
  private final HostScripts scripts;
  private final Optional<String> state;
  private final EventSink sink;

  AsideDeleter(HostScripts scripts, Optional<String> state, EventSink sink) {
    this.scripts = scripts;
    this.state = state;
    this.sink = sink;
  }

  /**
   * Deletes folders, and plans and logs of old runs.
   *
   * @param freeBefore free room of the file system that each path is on
   * @throws Failure when the connection was lost; what the host refuses is told, and is in the code
   */
  Exit delete(List<AsideFolder> chosen, List<RunId> old, Map<String, Long> freeBefore) {
    List<Exit> exits = new ArrayList<>();
    Map<String, String> freed = new LinkedHashMap<>();
    for (AsideFolder folder : chosen) {
      try {
        Pruned pruned = OutputPruner.prune(scripts, state, folder.run(), folder.path());
        report(folder.path(), pruned, exits);
        Optional<String> room = room(freeBefore.get(folder.path()), pruned.freeBytes());
        room.ifPresent(said -> freed.put(folder.path(), said));
      } catch (Failure refused) {
        exits.add(tell(refused));
      }
    }
    for (RunId run : old) {
      try {
        report("run " + run, OutputPruner.pruneRun(scripts, state, run), exits);
      } catch (Failure refused) {
        exits.add(tell(refused));
      }
    }
    freed.values().stream()
        .reduce((first, last) -> last)
        .ifPresent(said -> sink.emit(new Event.Check("output", "free", "ok", said)));
    return Exit.first(exits);
  }

  private static Optional<String> room(@Nullable Long before, OptionalLong after) {
    return before == null || after.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "free: " + Amount.size(before) + " before, " + Amount.size(after.getAsLong()) + " now");
  }

  private void report(String what, Pruned pruned, List<Exit> exits) {
    if (pruned.left().isPresent()) {
      exits.add(Exit.REFUSED);
      sink.emit(
          new Event.Check(
              "output",
              "prune",
              "warning",
              pruned.path() + " is not deleted whole: " + pruned.left().get()));
    } else {
      sink.emit(new Event.Check("output", "prune", "ok", what + " is deleted"));
    }
  }

  /** One that is refused does not keep the others; a lost connection does. */
  private Exit tell(Failure failed) {
    if (failed.exit() != Exit.REFUSED) {
      throw failed;
    }
    sink.emit(
        new Event.Check("output", "prune", "refused", failed.subject() + " " + failed.problem()));
    return failed.exit();
  }
}
