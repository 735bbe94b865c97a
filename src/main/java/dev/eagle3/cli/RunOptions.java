package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.RunId;
import dev.eagle3.run.RunStateReader;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which run; the same for all commands that are about one. */
final class RunOptions {
  @Parameters(
      arity = "0..1",
      paramLabel = "RUN",
      defaultValue = RunStateReader.LATEST,
      description = "Id of a run, or latest (the default).")
  String run = RunStateReader.LATEST;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description = "Where runs are kept on the host (default: ~/.eagle3).")
  @Nullable String stateDir;

  /** The id, or {@link RunStateReader#LATEST}; anything else is a usage error. */
  String name() {
    if (!run.equals(RunStateReader.LATEST) && !RunId.isRunId(run)) {
      throw Failure.of(Exit.USAGE, run, "is no run: an id like 20261129-170512-1a2b, or latest")
          .orTry("eagle3 runs --host HOST");
    }
    return run;
  }

  /** The state folder that was named. */
  Optional<String> stateFolder() {
    return Optional.ofNullable(stateDir);
  }
}
