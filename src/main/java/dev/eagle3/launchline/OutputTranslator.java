package dev.eagle3.launchline;

import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.profile.ProfileReader;
import dev.eagle3.shell.Redirection;
import dev.eagle3.shell.ShellWord;
import java.util.Optional;

/** Writes where the job writes. */
final class OutputTranslator {
  private final Draft draft;
  private final CommandSorter sorter;

  OutputTranslator(Draft draft, CommandSorter sorter) {
    this.draft = draft;
    this.sorter = sorter;
  }

  void translate() {
    putOutput();
    putLog();
  }

  private void putOutput() {
    Optional<String> output = draft.entries().text("output-dir");
    boolean deleted = false;
    for (CommandSorter.Removal removal : sorter.removals()) {
      boolean ours =
          removal.host().equals(draft.scene().host())
              && removal.paths().size() == 1
              && output.filter(removal.paths().get(0)::equals).isPresent();
      if (ours) {
        deleted = true;
      } else {
        draft
            .notes()
            .add(LineNote.of(Kind.LEFT_OUT, removal.source(), "no other files are removed"));
      }
      if (ours) {
        draft
            .notes()
            .add(
                LineNote.of(
                    Kind.TRANSLATED, removal.source(), "previous-output: " + previous(true)));
      }
    }
    draft
        .entries()
        .put(
            "previous-output",
            previous(deleted),
            deleted && previous(true).equals("delete")
                ? new String[] {
                  "The line removes what stands there; eagle3 does it once the first new sample is good."
                }
                : deleted
                    ? new String[] {
                      "The line removes what stands there; eagle3 renames the folder, and `undo` puts it"
                          + " back."
                    }
                    : new String[0]);
  }

  private static String previous(boolean deleted) {
    boolean there = ProfileReader.read("previous-output: delete", "").problems().isEmpty();
    return deleted && there ? "delete" : "set-aside";
  }

  private void putLog() {
    Optional<ShellWord> target = Optional.empty();
    for (Redirection redirection : draft.launch().redirections()) {
      boolean nothing = redirection.target().text().equals("/dev/null");
      if (redirection.takesOutput() && !nothing && target.isEmpty()) {
        target = Optional.of(draft.scene().fill(redirection.target()));
      } else if (redirection.takesErrors() && !nothing) {
        draft
            .notes()
            .add(
                LineNote.of(
                    Kind.LEFT_OUT,
                    "2> " + redirection.target().source(),
                    "output and errors go to one log"));
      }
    }
    Optional<String> output = draft.entries().text("output-dir");
    Optional<String> path = target.flatMap(draft.scene()::path);
    if (target.isPresent() && path.isEmpty()) {
      draft.putPath("log-file", target.get());
    } else if (path.isPresent()
        && output.filter(folder -> !(path.get() + "/").startsWith(folder + "/")).isPresent()) {
      draft.entries().put("log-file", path.get());
    } else if (output.isPresent() && output.get().lastIndexOf('/') > 0) {
      String beside = output.get().substring(0, output.get().lastIndexOf('/')) + "/extract.log";
      draft
          .entries()
          .put(
              "log-file",
              beside,
              path.isPresent()
                  ? "The line has its log in output-dir, which is set aside before a run."
                  : "The line keeps no log; eagle3 does.");
    } else if (path.isPresent()) {
      draft.entries().put("log-file", path.get());
    } else {
      draft.entries().fillIn("log-file", "", "the line keeps no log; --log-file /PATH");
    }
  }
}
