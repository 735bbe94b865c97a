package dev.eagle3.output;

import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a host noted of the output folders of its runs: which run moved what to where. Lines that
 * make no sense are passed over.
 */
public final class OutputNotes {
  private final List<Act> acts;
  private final Map<String, AsideFolder.Kind> kinds;
  private final Map<RunId, String> targets;

  /**
   * One thing that was done to an output folder.
   *
   * @param number what was done later has a higher one
   * @param aside where its content went; null when it stayed, or there was none
   * @param keeps whether the run goes on with what is there
   * @param undo whether it takes the act of the same run back
   */
  private record Act(
      long number, RunId run, String target, @Nullable String aside, boolean keeps, boolean undo) {}

  private OutputNotes(
      List<Act> acts, Map<String, AsideFolder.Kind> kinds, Map<RunId, String> targets) {
    this.acts = acts;
    this.kinds = kinds;
    this.targets = targets;
  }

  /** Reads lines of notes, each as fields with its run first. */
  static OutputNotes of(List<List<String>> rows) {
    List<Act> acts = new ArrayList<>();
    Map<String, AsideFolder.Kind> kinds = new LinkedHashMap<>();
    Map<RunId, String> targets = new HashMap<>();
    Map<RunId, OptionalLong> numbers = new HashMap<>();
    for (List<String> row : rows) {
      if (row.size() < 3 || !RunId.isRunId(row.get(0))) {
        continue;
      }
      RunId run = new RunId(row.get(0));
      List<String> fields = row.subList(2, row.size());
      switch (row.get(1)) {
        case "target" -> {
          if (fields.size() >= 3) {
            targets.put(run, PathField.path(fields.get(2)));
            numbers.put(run, Amount.number(fields.get(0)));
          }
        }
        case "aside" -> begin(run, PathField.path(fields.get(0)), false, targets, numbers, acts);
        case "created", "empty" -> begin(run, null, false, targets, numbers, acts);
        case "kept", "quarantine" -> begin(run, null, true, targets, numbers, acts);
        case "undone" -> undone(run, fields, acts);
        default -> {}
      }
      kind(row.get(1), fields).ifPresent(kind -> kinds.put(path(row.get(1), fields), kind));
    }
    acts.sort(Comparator.comparingLong(Act::number));
    return new OutputNotes(acts, kinds, targets);
  }

  private static void begin(
      RunId run,
      @Nullable String aside,
      boolean keeps,
      Map<RunId, String> targets,
      Map<RunId, OptionalLong> numbers,
      List<Act> acts) {
    String target = targets.get(run);
    OptionalLong number = numbers.getOrDefault(run, OptionalLong.empty());
    if (target != null && number.isPresent()) {
      acts.add(new Act(number.getAsLong(), run, target, aside, keeps, false));
    }
  }

  private static void undone(RunId run, List<String> fields, List<Act> acts) {
    if (fields.size() >= 4 && Amount.number(fields.get(0)).isPresent()) {
      String to = fields.get(3).equals("-") ? null : PathField.path(fields.get(3));
      acts.add(
          new Act(
              Amount.number(fields.get(0)).getAsLong(),
              run,
              PathField.path(fields.get(2)),
              to,
              false,
              true));
    }
  }

  private static Optional<AsideFolder.Kind> kind(String word, List<String> fields) {
    return switch (word) {
      case "aside" -> Optional.of(AsideFolder.Kind.BEFORE);
      case "quarantine" -> Optional.of(AsideFolder.Kind.QUARANTINE);
      case "undone" -> fields.size() >= 4 ? Optional.of(AsideFolder.Kind.UNDONE) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static String path(String word, List<String> fields) {
    return PathField.path(fields.get(word.equals("undone") ? 3 : 0));
  }

  /** What a path is that was noted. */
  Optional<AsideFolder.Kind> kindOf(String path) {
    return Optional.ofNullable(kinds.get(path));
  }

  /** Whether a run was undone. */
  public boolean isUndone(RunId run) {
    return acts.stream().anyMatch(act -> act.undo() && act.run().equals(run));
  }

  /** The output folder of a run, links followed; empty when nothing was noted of it. */
  public Optional<String> targetOf(RunId run) {
    return Optional.ofNullable(targets.get(run));
  }

  /**
   * Where the files of a run are.
   *
   * @param folder there; empty when the run was undone and had written nothing
   * @param why one clause when they are not in the run's output folder; else empty
   */
  public record Whereabouts(Optional<String> folder, String why) {}

  /**
   * Where the files that a run wrote are now, by all that was done to its folder since; empty when
   * nothing was noted of the run.
   */
  public Optional<Whereabouts> whereabouts(RunId run) {
    String target = targets.get(run);
    if (target == null) {
      return Optional.empty();
    }
    Set<RunId> inFolder = new TreeSet<>(Comparator.comparing(RunId::text));
    Map<RunId, Set<RunId>> movedFor = new HashMap<>();
    Whereabouts where = new Whereabouts(Optional.of(target), "");
    for (Act act : acts) {
      if (!act.target().equals(target)) {
        continue;
      }
      boolean here = inFolder.contains(run);
      if (act.undo()) {
        Set<RunId> back = movedFor.remove(act.run());
        if (back == null) {
          continue;
        }
        if (here) {
          where =
              new Whereabouts(Optional.ofNullable(act.aside()), "run " + act.run() + " was undone");
        }
        inFolder.clear();
        inFolder.addAll(back);
        if (back.contains(run)) {
          where = new Whereabouts(Optional.of(target), "");
        }
        continue;
      }
      if (act.aside() != null) {
        movedFor.put(act.run(), Set.copyOf(inFolder));
        if (here) {
          where =
              new Whereabouts(
                  Optional.of(Objects.requireNonNull(act.aside())),
                  "they were set aside for run " + act.run());
        }
      }
      if (!act.keeps()) {
        inFolder.clear();
      }
      inFolder.add(act.run());
    }
    return Optional.of(where);
  }

  /** {@link #whereabouts} in one line, or nothing when the files are where they were written. */
  public static Optional<String> says(RunId run, Whereabouts where) {
    if (where.why().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        where
            .folder()
            .map(
                folder ->
                    "the files of run "
                        + run
                        + " are now in "
                        + Printable.line(folder)
                        + ": "
                        + where.why())
            .orElse(where.why() + " and had written nothing"));
  }
}
