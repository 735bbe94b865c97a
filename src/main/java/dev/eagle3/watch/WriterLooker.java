package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Asks a host which files some process has open for writing. Changes nothing there. */
final class WriterLooker {
  private WriterLooker() {}

  /** Those of the files that are being written; empty when the host cannot say. Blocks. */
  static Optional<Set<String>> look(HostScripts scripts, List<String> files) {
    ScriptCall call = ScriptCall.of("look-writers", files.toArray(String[]::new)).again();
    try {
      ScriptAnswer answer = scripts.run(call);
      if (answer.code() != 0 || !answer.lines().contains("looked")) {
        return Optional.empty();
      }
      Set<String> open = new HashSet<>();
      for (List<String> row : answer.rows("open")) {
        if (!row.isEmpty() && row.get(0).matches("[1-9][0-9]{0,4}")) {
          int number = Integer.parseInt(row.get(0));
          if (number <= files.size()) {
            open.add(files.get(number - 1));
          }
        }
      }
      return Optional.of(open);
    } catch (Failure unanswered) {
      // Whether the connection stands is for the state of the run to tell.
      return Optional.empty();
    }
  }
}
