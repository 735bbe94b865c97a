package dev.eagle3.shell;

import java.util.List;

/** A command of shell text. */
public sealed interface ShellCommand {
  /** As it was typed, without the line continuations. */
  String source();

  /** Where its streams go. */
  List<Redirection> redirections();

  /**
   * A program with its words.
   *
   * @param words the assignments before it, its name, and its arguments
   */
  record Simple(String source, List<ShellWord> words, List<Redirection> redirections)
      implements ShellCommand {
    /** Copies the lists. */
    public Simple {
      words = List.copyOf(words);
      redirections = List.copyOf(redirections);
    }
  }

  /**
   * Commands in parentheses or braces.
   *
   * @param body in order
   */
  record Group(String source, List<ShellPipeline> body, List<Redirection> redirections)
      implements ShellCommand {
    /** Copies the lists. */
    public Group {
      body = List.copyOf(body);
      redirections = List.copyOf(redirections);
    }
  }
}
