package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.RunId;
import dev.eagle3.run.RunStateReader;

/** How command lines name runs. */
final class RunNames {
  private RunNames() {}

  /** The id, or {@link RunStateReader#LATEST}; anything else is a usage error. */
  static String check(String text) {
    if (!text.equals(RunStateReader.LATEST) && !RunId.isRunId(text)) {
      throw Failure.of(Exit.USAGE, text, "is no run: an id like 20261129-170512-1a2b, or latest")
          .orTry("eagle3 runs --host HOST");
    }
    return text;
  }
}
