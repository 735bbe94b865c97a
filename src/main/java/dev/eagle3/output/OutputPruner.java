package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Deletes what was set aside for a run, and folders of runs; the only one that deletes output. */
public final class OutputPruner {
  /** Deleting a million files takes minutes, on a file server much longer. */
  private static final Duration LIMIT = Duration.ofHours(4);

  private OutputPruner() {}

  /**
   * Deletes one folder that the host noted for the run. Blocks until it is gone. Called again after
   * an interruption it does the rest.
   *
   * @param path the folder as it was noted, whether or not an earlier removal was interrupted
   * @throws Failure {@code REFUSED} with nothing deleted: it is not noted for the run, it is
   *     another folder by now, a link, or something is mounted in it; others as {@link
   *     HostScripts#run}
   */
  public static Pruned prune(
      HostScripts scripts, Optional<String> stateDir, RunId run, String path) {
    ScriptCall call = ScriptCall.of("prune", stateDir.orElse(""), run.text(), path);
    return pruned(scripts.run(call.after(OutputNotesReader.NOTES).within(LIMIT).again()), path);
  }

  /**
   * Deletes the folder of a run that is over, with its log.
   *
   * @throws Failure {@code REFUSED} with nothing deleted: the run lives, or something is set aside
   *     for it; others as {@link HostScripts#run}
   */
  public static Pruned pruneRun(HostScripts scripts, Optional<String> stateDir, RunId run) {
    ScriptCall call = ScriptCall.of("prune-run", stateDir.orElse(""), run.text());
    return pruned(
        scripts.run(call.after(OutputNotesReader.NOTES).within(LIMIT).again()), "run " + run);
  }

  private static Pruned pruned(ScriptAnswer answer, String path) {
    for (List<String> row : answer.rows("refused")) {
      throw Failure.of(
          Exit.REFUSED,
          Printable.line(path, 300),
          "is not deleted: " + Printable.line(PathField.path(row.get(0)), 400));
    }
    for (List<String> row : answer.rows("left")) {
      String why = row.size() < 2 ? "" : PathField.path(row.get(1));
      return new Pruned(
          PathField.path(row.get(0)), OptionalLong.empty(), Optional.of(Printable.line(why, 300)));
    }
    for (List<String> row : answer.rows("removed")) {
      return new Pruned(
          PathField.path(row.get(0)),
          row.size() < 2 ? OptionalLong.empty() : Amount.number(row.get(1)),
          Optional.empty());
    }
    throw OutputSetter.trouble(path, answer, "could not be deleted");
  }
}
