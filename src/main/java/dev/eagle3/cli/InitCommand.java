package dev.eagle3.cli;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.launchline.LaunchLineReader;
import dev.eagle3.launchline.LaunchProfile;
import dev.eagle3.launchline.LineNote;
import dev.eagle3.launchline.StarterWriter;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.report.TextReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a profile, of a launch line or of nothing. */
@Command(
    name = "init",
    description = {
      "Write a profile: the one that does what a launch line does, or a commented one to fill in."
          + " Nothing of the line is executed, and nothing is connected to. What did not simply"
          + " become a key is said line by line on standard error."
    },
    footer = {
      "",
      "Examples:",
      "  eagle3 init --host root@gpu7 --layers 2 30 58 60 --to my.yaml",
      "  eagle3 init --from @launch.sh --to my.yaml",
      "  eagle3 init --from - --set HOME=/root",
      "  eagle3 extract --profile my.yaml --dry-run",
      "",
      "Exit codes: 0 written, 2 usage, or a line that cannot be read or launches nothing, 3 local"
          + " file, 10 profile invalid."
    })
final class InitCommand extends ReportingCommand {
  @Mixin JobOptions job = new JobOptions();

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description =
          "The GPU host: [user@]host[:port], also with ssh:// before it, or a Host of"
              + " ~/.ssh/config.")
  @Nullable String host;

  @Option(
      names = "--via",
      paramLabel = "CMD",
      description = "The command that gives a shell on the host; --host then only names it.")
  @Nullable String via;

  @Option(
      names = "--from",
      paramLabel = "LINE|@FILE|-",
      description = "The launch line, in quotes; a file that holds it; or - for standard input.")
  @Nullable String from;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description =
          "A variable that only the host knows, for example HOME=/root. It is put in where the"
              + " line uses it.")
  List<String> given = new ArrayList<>();

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "Write the profile there (default: standard output).")
  @Nullable Path to;

  @Option(names = "--force", description = "Replace the file of --to if it is there.")
  boolean force;

  InitCommand(Surroundings surroundings) {
    super(surroundings, TextReport.About.RUN);
  }

  @Override
  Exit run(EventSink sink) {
    Map<String, List<String>> flags = new LinkedHashMap<>(job.words());
    if (host != null) {
      flags.put("host", List.of(host));
    }
    if (via != null) {
      flags.put("via", List.of(via));
    }
    Plans.refuseMistakes(flags);
    if (from == null && !given.isEmpty()) {
      throw Failure.of(Exit.USAGE, "--set", "fills in a launch line, and there is no --from");
    }
    LaunchProfile profile =
        from == null
            ? new LaunchProfile(StarterWriter.write(flags), List.of(), flags.containsKey("env"))
            : LaunchLineReader.read(
                LineText.of(from, surroundings().in()), extractors(), variables(), flags);
    if (to == null) {
      sink.emit(new Event.Step("profile", profile.yaml()));
    } else {
      ProfileFile.write(to, profile.yaml(), profile.isPrivate(), force);
      sink.emit(new Event.Check("profile", "written", "ok", "written to " + to));
    }
    flush();
    profile.notes().forEach(note -> sink.emit(event(note)));
    return Exit.DONE;
  }

  private static Event.Check event(LineNote note) {
    boolean open = note.kind() == LineNote.Kind.FILL_IN;
    return new Event.Check(
        "profile",
        note.kind().name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'),
        open ? "warning" : "ok",
        note.text());
  }

  private List<Extractor> extractors() {
    if (job.extractor != null) {
      return List.of(Plans.extractor(job.extractor));
    }
    return BuiltInExtractors.usualFirst();
  }

  private Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String word : given) {
      int equals = word.indexOf('=');
      if (equals < 1 || !word.substring(0, equals).matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw Failure.of(Exit.USAGE, "--set", "takes NAME=VALUE, for example HOME=/root");
      }
      variables.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return variables;
  }
}
