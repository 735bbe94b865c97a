package dev.eagle3.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Prints completion for bash and zsh. */
@Command(
    name = "completion",
    description = "Print a completion script for bash or zsh.",
    footer = {
      "",
      "Example:",
      "  source <(eagle3 completion)",
      "",
      "Exit codes: 0 printed, 2 usage."
    })
final class CompletionCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    root.getOut().println(AutoComplete.bash("eagle3", root));
    root.getOut().flush();
    return 0;
  }
}
