package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.shell.ShellWord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the command line of a program that runs: what it says by the keys of a profile. */
public final class ArgumentReader {
  private ArgumentReader() {}

  /**
   * The values of flags that the extractor has, and of flags of other names that mean the same, by
   * profile key: {@code output-dir}, {@code layers}. Of a flag that stands twice the last one
   * counts. Nothing for what is no command line of such a program.
   *
   * @param arguments its words, as the kernel has them
   */
  public static Map<String, List<String>> read(List<String> arguments, Extractor extractor) {
    ScriptWords sorted = ScriptWords.of(words(arguments), extractor);
    Map<String, List<String>> said = new LinkedHashMap<>();
    sorted.meant().forEach((key, values) -> said.put(key, texts(values)));
    sorted.own().forEach((key, values) -> said.put(key, texts(values)));
    return said;
  }

  /** How many flags of a command line the extractor has. */
  public static int fitness(List<String> arguments, Extractor extractor) {
    return ScriptWords.fitness(words(arguments), extractor);
  }

  private static List<ShellWord> words(List<String> arguments) {
    return arguments.stream()
        .map(text -> new ShellWord(text, List.of(new ShellWord.Piece(text, true, false))))
        .toList();
  }

  private static List<String> texts(List<ShellWord> words) {
    return words.stream().map(ShellWord::text).toList();
  }
}
