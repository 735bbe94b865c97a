package dev.eagle3.launchline;

import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a profile while it is being made.
 *
 * @param launch what it does
 * @param entries its keys so far
 * @param notes what became of the rest of the line
 * @param flags words of the command line by profile key, which hold over the line
 * @param environment variables of the job: their values, or empty for the host's own
 * @param setup lines that run before it
 */
record Draft(
    Launch launch,
    ProfileEntries entries,
    List<LineNote> notes,
    Map<String, List<String>> flags,
    Map<String, Optional<String>> environment,
    List<String> setup) {

  static Draft of(Launch launch, List<LineNote> notes, Map<String, List<String>> flags) {
    return new Draft(
        launch,
        new ProfileEntries(notes, flags),
        notes,
        flags,
        new LinkedHashMap<>(launch.environment()),
        new ArrayList<>(launch.setup()));
  }

  Scene scene() {
    return launch.scene();
  }

  /** A path of the host, or one to fill in when only the host can tell it. */
  void putPath(String key, ShellWord word) {
    Optional<String> path = scene().path(word);
    if (path.isPresent()) {
      entries.put(key, path.get().replaceFirst("(?<=.)/+$", ""));
      return;
    }
    List<String> unknown = word.expansions();
    entries.fillIn(
        key,
        word.text(),
        unknown.isEmpty()
            ? word.isPattern()
                ? "only the host knows which files these are; --" + key + " /PATH"
                : "is relative to a folder that the line does not tell; --"
                    + key
                    + " /PATH, or --set HOME=/PATH when it is the home"
            : "only the host knows "
                + String.join(", ", unknown)
                + "; --"
                + key
                + " /PATH, or --set "
                + variable(word)
                + "=VALUE");
  }

  private static String variable(ShellWord word) {
    return word.pieces().stream()
        .flatMap(piece -> piece.variable().stream())
        .findFirst()
        .orElse("NAME");
  }
}
