package dev.eagle3.launchline;

import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.shell.Redirection;
import dev.eagle3.shell.ShellCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Where the output of a job goes that stands before pipes. */
final class PipedOutput {
  private final List<LineNote> notes;

  PipedOutput(List<LineNote> notes) {
    this.notes = notes;
  }

  /** What {@code tee} writes counts as redirected. */
  List<Redirection> of(List<ShellCommand> commands, List<Redirection> around) {
    List<Redirection> all = new ArrayList<>();
    for (ShellCommand command : commands.subList(1, commands.size())) {
      if (command instanceof ShellCommand.Simple simple
          && !simple.words().isEmpty()
          && Programs.name(simple.words().get(0)).equals("tee")) {
        simple.words().stream()
            .skip(1)
            .filter(word -> !word.text().startsWith("-"))
            .forEach(
                file -> all.add(new Redirection(OptionalInt.empty(), ">", file, Optional.empty())));
      } else {
        notes.add(LineNote.of(Kind.LEFT_OUT, "| " + command.source(), "the log keeps every line"));
      }
    }
    all.addAll(around);
    return all;
  }
}
