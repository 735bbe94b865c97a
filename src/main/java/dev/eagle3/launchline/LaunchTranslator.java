package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the profile of a launch. */
final class LaunchTranslator {
  private static final List<String> HEAD =
      List.of(
          "A profile made by `eagle3 init` from a launch line. docs/profile.md lists every key.",
          "",
          "  eagle3 extract --profile FILE --dry-run");

  private final Launch launch;
  private final Extractor extractor;
  private final CommandSorter sorter;

  LaunchTranslator(Launch launch, Extractor extractor, CommandSorter sorter) {
    this.launch = launch;
    this.extractor = extractor;
    this.sorter = sorter;
  }

  /** The profile; {@code flags} are words by profile key, which hold over the line. */
  LaunchProfile translate(List<LineNote> notes, Map<String, List<String>> flags) {
    Draft draft = Draft.of(launch, notes, flags);
    Program program = Program.of(launch.words());
    ScriptWords words = ScriptWords.of(program.arguments(), extractor);
    boolean fits = !words.own().isEmpty() || extractor.flags().isEmpty();
    ScriptTranslator script = new ScriptTranslator(draft, words, extractor, fits);
    SurroundingsTranslator surroundings = new SurroundingsTranslator(draft, program, sorter);
    new ProgramTranslator(draft, program, extractor, fits).translate();
    script.translatePaths();
    new OutputTranslator(draft, sorter).translate();
    script.translateCounts();
    surroundings.translateGpus();
    script.translateRest();
    surroundings.translateRest();
    draft.entries().putFlags();
    boolean isPrivate =
        draft.environment().values().stream().anyMatch(Optional::isPresent)
            || flags.containsKey("env")
            || !draft.setup().isEmpty()
            || draft.entries().has("args");
    return new LaunchProfile(
        ProfileTextWriter.write(HEAD, draft.entries().all()), notes, isPrivate);
  }
}
