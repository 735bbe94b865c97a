package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.preflight.Preflight;
import dev.eagle3.yaml.NearestWord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is planned around a launch: what is judged before it, and what may be done for it. */
final class PlannedOptions {
  @Option(
      names = "--replace",
      description =
          "End my own live run in the same output folder first, after asking; what it saved becomes"
              + " previous output.")
  boolean replace;

  @Option(
      names = "--yes-remove",
      paramLabel = "DIR",
      description =
          "The output folder once more: set it aside although it holds files that are no"
              + " extraction output.")
  @Nullable String yesRemove;

  @Option(
      names = "--skip",
      paramLabel = "NAME",
      description =
          "Leave out a check, by the name that its refusal prints; may be given again:"
              + " docs/preflight.md.")
  List<String> skip = new ArrayList<>();

  /**
   * The names of the checks that are left out.
   *
   * @throws Failure {@code USAGE} for a name that no check has
   */
  Set<String> skipped() {
    for (String name : skip) {
      if (!Preflight.names().contains(name)) {
        String near =
            NearestWord.find(name, Preflight.names())
                .map(word -> "; did you mean " + word + "?")
                .orElse("");
        throw Failure.of(
                Exit.USAGE, "--skip " + Printable.line(name, 60), "is the name of no check" + near)
            .orTry("one of: " + String.join(", ", Preflight.names()));
      }
    }
    return new LinkedHashSet<>(skip);
  }
}
