package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.launchline.LineNote.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes what runs, and where. */
final class ProgramTranslator {
  private final Draft draft;
  private final Program program;
  private final Extractor extractor;
  private final boolean fits;

  ProgramTranslator(Draft draft, Program program, Extractor extractor, boolean fits) {
    this.draft = draft;
    this.program = program;
    this.extractor = extractor;
    this.fits = fits;
  }

  void translate() {
    program
        .environment()
        .forEach((name, value) -> draft.environment().put(name, Optional.of(value)));
    program
        .lost()
        .forEach(
            option ->
                draft
                    .notes()
                    .add(LineNote.of(Kind.LEFT_OUT, "python " + option, "no key stands for it")));
    putHost();
    putProgram();
  }

  private void putHost() {
    Optional<SshWords> ssh = draft.scene().ssh;
    Optional<ContainerWords> container = draft.scene().container;
    if (container.isPresent() && ssh.filter(SshWords::isUnknown).isEmpty()) {
      draft.entries().put("host", ssh.map(SshWords::destination).orElse(container.get().name()));
      draft
          .entries()
          .put(
              "via", container.get().via(ssh), "The container is the host: paths are those in it.");
      return;
    }
    if (ssh.isEmpty()) {
      if (draft.flags().containsKey("host")) {
        draft.entries().put("host", draft.flags().get("host").get(0));
      }
      return;
    }
    List<String> comments = new ArrayList<>();
    if (!ssh.get().options().isEmpty()) {
      String options = String.join(" ", ssh.get().options());
      comments.add(
          "Reached with ssh " + options + ": put that into ~/.ssh/config, or give -F FILE.");
      draft
          .notes()
          .add(
              LineNote.of(
                  Kind.LEFT_OUT,
                  "ssh " + options,
                  "how a host is reached stands in ssh_config (IdentityFile, ProxyJump); the profile"
                      + " has it as a comment"));
    }
    if (ssh.get().isUnknown()) {
      draft
          .entries()
          .fillIn("host", ssh.get().destination(), "only your own shell knows it; --host HOST");
      return;
    }
    draft
        .entries()
        .put(new ProfileEntry("host", new ProfileValue.Text(ssh.get().destination()), comments));
  }

  private void putProgram() {
    if (fits) {
      draft.entries().put("extractor", extractor.name());
    } else {
      draft
          .entries()
          .put("extractor", extractor.name(), "No extractor that is known has these flags.");
      draft
          .notes()
          .add(
              new LineNote(
                  Kind.TRANSLATED,
                  "extractor: " + extractor.name(),
                  "no extractor that is known has the flags of this script, so its log and its files may"
                      + " not be understood; --extractor FILE describes it"));
    }
    String python = program.python();
    Optional<String> environmentFolder =
        Optional.ofNullable(draft.scene())
            .flatMap(scene -> scene.virtualEnvironment)
            .filter(folder -> !python.contains("/"));
    if (python.startsWith("/")) {
      draft.entries().put("python", python);
    } else if (environmentFolder.isPresent()) {
      draft.entries().put("python", environmentFolder.get() + "/bin/" + python);
    } else {
      draft
          .entries()
          .fillIn(
              "python",
              python,
              "only the host knows where it is (`command -v "
                  + python
                  + "` there); --python /PATH");
    }
    if (program.script().isEmpty()) {
      draft
          .entries()
          .fillIn("script", String.join(" ", program.lost()), "the line names no script");
    } else {
      draft.putPath("script", program.script().get());
    }
  }
}
