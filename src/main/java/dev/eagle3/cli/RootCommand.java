package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code eagle3} itself: without a command it shows what there is. */
@Command(
    name = "eagle3",
    versionProvider = Version.class,
    description = {
      "Runs EAGLE-3 hidden-state extraction on a remote GPU host, over SSH: checks the host, frees"
          + " the GPUs, sets old output aside, launches the extraction detached, follows its log,"
          + " checks the saved tensors, brings them home, and names the cause of what is wrong.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 demo",
      "  eagle3 extract --host root@gpu7 --layers 2 30 58 60",
      "  eagle3 tail-log --host root@gpu7",
      "  eagle3 verify-shapes root@gpu7:/data/hidden_states",
      "",
      "Exit codes: 0 done, 2 usage, 3 local file, 10 profile, 11 refused, 12"
          + " unreachable, 13 the run failed, 14 the run goes on, 15 transfer, 16 something"
          + " is wrong, 17 connection lost: docs/exit-codes.md."
    })
final class RootCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  /** Without a command: what there is, on standard error. */
  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    line.usage(line.getErr());
    return Exit.USAGE.code();
  }
}
