package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads a launch line as people type it, and writes the profile that does the same. */
public final class LaunchLineReader {
  private LaunchLineReader() {}

  /**
   * The profile of a line. Pure: nothing of the line is executed, and no variable of this process
   * is looked at.
   *
   * @param line shell text, of one line or several
   * @param extractors the programs that are known; of those that know the same flags the first
   * @param given values of variables that only the host knows, {@code HOME} for example
   * @param flags what the command line says of profile keys, by key: it holds over the line
   * @throws Failure {@code USAGE} when it is no shell text that can be read, or launches nothing
   */
  public static LaunchProfile read(
      String line,
      List<Extractor> extractors,
      Map<String, String> given,
      Map<String, List<String>> flags) {
    List<LineNote> notes = new ArrayList<>();
    LineWalker walker = new LineWalker(given, words -> fitness(words, extractors), notes);
    Launch launch =
        walker
            .find(line)
            .orElseThrow(
                () ->
                    Failure.of(
                            Exit.USAGE,
                            "launch line",
                            "launches nothing: no python, torchrun or script of a shell in it")
                        .orTry("eagle3 init   # without --from: a profile to fill in"));
    Extractor extractor = extractors.get(0);
    for (Extractor other : extractors) {
      if (ScriptWords.fitness(launch.words(), other)
          > ScriptWords.fitness(launch.words(), extractor)) {
        extractor = other;
      }
    }
    return new LaunchTranslator(launch, extractor, walker.sorter()).translate(notes, flags);
  }

  private static int fitness(List<ShellWord> words, List<Extractor> extractors) {
    return extractors.stream()
        .mapToInt(extractor -> ScriptWords.fitness(words, extractor))
        .max()
        .orElse(0);
  }
}
