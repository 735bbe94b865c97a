package dev.eagle3.shell;

import java.util.List;

/**
 * Commands that stand between pipes, and what follows them.
 *
 * @param source as it was typed
 * @param commands one or several
 * @param after {@code &&}, {@code ||}, {@code ;}, {@code &}; {@code ;} also for the end of a line,
 *     and empty for the end of the text
 */
public record ShellPipeline(String source, List<ShellCommand> commands, String after) {
  /** Copies the list. */
  public ShellPipeline {
    commands = List.copyOf(commands);
  }
}
