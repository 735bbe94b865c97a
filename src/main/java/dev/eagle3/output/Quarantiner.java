package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves files that were found bad into another folder, by renaming, so that a program that skips
 * what is there makes them again. Nothing is deleted, copied or overwritten.
 */
public final class Quarantiner {
  /** In the folder of the quarantine: shell text that moves all back. */
  public static final String PUT_BACK = ".eagle3-put-back.sh";

  private static final String SCRIPT = "quarantine-files";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Files in one call, which must not be longer than a shell takes. */
  private static final int MOST_FILES = 200;

  private final HostScripts scripts;

  /** Moves on the host of the scripts, which stays open. */
  public Quarantiner(HostScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * Refuses what {@link #move} would refuse, and says what it would leave; changes nothing. Blocks.
   *
   * @throws Failure {@code REFUSED}; others as {@link HostScripts#run}
   */
  public Quarantined look(Quarantine quarantine) {
    Quarantined seen = run(quarantine, "look");
    List<BadFile> left = seen.left().stream().map(Quarantined.Left::file).toList();
    return new Quarantined(
        quarantine.files().stream().filter(file -> !left.contains(file)).toList(), seen.left());
  }

  /**
   * Moves the files. What was moved before a failure stays moved, and can be moved back as the
   * others.
   *
   * @throws Failure as {@link #look}
   */
  public Quarantined move(Quarantine quarantine) {
    return run(quarantine, "do");
  }

  private Quarantined run(Quarantine quarantine, String act) {
    List<BadFile> moved = new ArrayList<>();
    List<Quarantined.Left> left = new ArrayList<>();
    List<BadFile> files = quarantine.files();
    // Without files too: the folder itself may be one that takes none.
    for (int from = 0; from == 0 || from < files.size(); from += MOST_FILES) {
      List<BadFile> some = files.subList(from, Math.min(files.size(), from + MOST_FILES));
      ScriptAnswer answer = answered(quarantine, call(quarantine.of(some), act));
      Map<String, BadFile> named = new HashMap<>();
      some.forEach(file -> named.put(file.name(), file));
      for (List<String> row : answer.rows("moved")) {
        BadFile file = named.get(PathField.path(row.get(0)));
        if (file != null) {
          moved.add(file);
        }
      }
      for (List<String> row : answer.rows("left")) {
        BadFile file = named.get(PathField.path(row.get(0)));
        if (file != null && row.size() > 1) {
          left.add(new Quarantined.Left(file, PathField.path(row.get(1))));
        }
      }
    }
    return new Quarantined(moved, left);
  }

  private static ScriptCall call(Quarantine quarantine, String act) {
    List<String> words = new ArrayList<>(List.of(quarantine.base(), quarantine.folder(), act));
    for (BadFile file : quarantine.files()) {
      words.add(file.name());
      words.add(String.valueOf(file.bytes()));
      words.add(back(quarantine, file));
    }
    return ScriptCall.of(SCRIPT, words.toArray(String[]::new))
        .after(OutputNotesReader.NOTES)
        .within(LIMIT)
        .again();
  }

  /** A line of shell; a comment may hold anything but a line end. */
  private static String back(Quarantine quarantine, BadFile file) {
    return "mv -n "
        + ShellQuote.word(quarantine.to(file))
        + " "
        + ShellQuote.word(quarantine.from(file))
        + " # "
        + Printable.line(file.why(), 200);
  }

  private ScriptAnswer answered(Quarantine quarantine, ScriptCall call) {
    ScriptAnswer answer = scripts.run(call);
    List<List<String>> refused = answer.rows("refused");
    if (!refused.isEmpty()) {
      throw Failure.of(
              Exit.REFUSED,
              Printable.line(quarantine.folder(), 300),
              "takes no files: " + Printable.line(PathField.path(refused.get(0).get(0)), 400))
          .orTry("--quarantine " + ShellQuote.word(beside(quarantine)));
    }
    if (answer.code() != 0) {
      throw OutputSetter.trouble(quarantine.folder(), answer, "files could not be moved there");
    }
    return answer;
  }

  /** A folder that is likely to do. */
  private static String beside(Quarantine quarantine) {
    String base = quarantine.base().equals("/") ? "/bad" : quarantine.base() + ".bad";
    return base.equals(quarantine.folder()) ? base + "-2" : base;
  }
}
