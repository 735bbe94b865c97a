package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.plan.RunId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks a host what it noted of the output folders of its runs. Changes nothing. */
public final class OutputNotesReader {
  /** The script that knows the notes: those about output follow it in the same shell. */
  static final String NOTES = "output-notes";

  private static final String SCRIPT = "list-aside";
  private static final String REMOVING = ".removing";
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private OutputNotesReader() {}

  /**
   * What is noted, and what of it is still there.
   *
   * @param notes all notes
   * @param folders those that are there, the oldest first
   * @param freeBytes free room of the file system that each path is on
   */
  public record Listing(OutputNotes notes, List<AsideFolder> folders, Map<String, Long> freeBytes) {
    /** Copies the collections. */
    public Listing {
      folders = List.copyOf(folders);
      freeBytes = Map.copyOf(freeBytes);
    }
  }

  /**
   * The notes alone; one quick question.
   *
   * @throws dev.eagle3.outcome.Failure as {@link HostScripts#run}
   */
  public static OutputNotes read(HostScripts scripts, Optional<String> stateDir) {
    return OutputNotes.of(answer(scripts, stateDir, "notes").rows("note"));
  }

  /**
   * Also looks at each folder: blocks for up to ten seconds each.
   *
   * @throws dev.eagle3.outcome.Failure as {@link HostScripts#run}
   */
  public static Listing list(HostScripts scripts, Optional<String> stateDir) {
    ScriptAnswer answer = answer(scripts, stateDir, "sizes");
    OutputNotes notes = OutputNotes.of(answer.rows("note"));
    List<AsideFolder> folders = new ArrayList<>();
    for (List<String> row : answer.rows("there")) {
      if (row.size() >= 6 && RunId.isRunId(row.get(0))) {
        folder(notes, row).ifPresent(folders::add);
      }
    }
    Map<String, Long> free = new LinkedHashMap<>();
    for (List<String> row : answer.rows("free")) {
      if (row.size() >= 2) {
        Amount.number(row.get(1)).ifPresent(bytes -> free.put(PathField.path(row.get(0)), bytes));
      }
    }
    return new Listing(notes, folders, free);
  }

  private static Optional<AsideFolder> folder(OutputNotes notes, List<String> row) {
    RunId run = new RunId(row.get(0));
    String there = PathField.path(row.get(1));
    boolean removing = there.endsWith(REMOVING);
    String path = removing ? there.substring(0, there.length() - REMOVING.length()) : there;
    Amount amount = new Amount(Amount.number(row.get(3)), Amount.number(row.get(4)));
    long since = Amount.number(row.get(5)).orElse(0);
    return notes
        .kindOf(path)
        .map(
            kind ->
                new AsideFolder(
                    run, kind, path, notes.targetOf(run).orElse(""), removing, amount, since));
  }

  private static ScriptAnswer answer(HostScripts scripts, Optional<String> stateDir, String act) {
    ScriptCall call = ScriptCall.of(SCRIPT, stateDir.orElse(""), act).after(NOTES);
    ScriptAnswer answer = scripts.run(call.within(LIMIT).again());
    if (answer.code() != 0) {
      throw OutputSetter.trouble(scripts.host().name(), answer, "the notes could not be read");
    }
    return answer;
  }
}
