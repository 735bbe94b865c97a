package dev.eagle3.cli;

import picocli.CommandLine.Option;

/** How a command prints; the same for all commands. */
final class OutputOptions {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = "--json",
      description = "Print JSON Lines on standard output, and nothing else there.")
  boolean json;

  @Option(names = "--no-color", description = "No colour, as NO_COLOR does.")
  boolean noColor;

  @Option(
      names = {"-v", "--verbose"},
      description = "Say more: the run's log, SSH's own messages, stack traces of bugs.")
  boolean verbose;
}
