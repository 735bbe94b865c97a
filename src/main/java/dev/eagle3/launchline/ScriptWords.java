package dev.eagle3.launchline;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of a script, sorted by what an extractor knows of them.
 *
 * @param own the values of flags that the extractor has for a profile key, by key
 * @param meant the values of flags of other names that mean a profile key; they are in {@code
 *     others} too
 * @param others everything else: flags with what follows them, in order
 */
record ScriptWords(
    Map<String, List<ShellWord>> own,
    Map<String, List<ShellWord>> meant,
    List<List<ShellWord>> others) {

  private static final String LAYERS = "layers";

  /** How other programs call what our keys name. */
  private static final Map<String, String> OTHER_WORDS =
      Map.ofEntries(
          Map.entry("model", "model-path"),
          Map.entry("model-path", "model-path"),
          Map.entry("target-model", "model-path"),
          Map.entry("target-model-path", "model-path"),
          Map.entry("target-model-name-or-path", "model-path"),
          Map.entry("model-name-or-path", "model-path"),
          Map.entry("prepared-data", "prepared-data"),
          Map.entry("data-path", "prepared-data"),
          Map.entry("train-data-path", "prepared-data"),
          Map.entry("dataset-path", "prepared-data"),
          Map.entry("input-data", "prepared-data"),
          Map.entry("output-dir", "output-dir"),
          Map.entry("output-path", "output-dir"),
          Map.entry("output", "output-dir"),
          Map.entry("outdir", "output-dir"),
          Map.entry("max-seq-len", "max-seq-len"),
          Map.entry("max-length", "max-seq-len"),
          Map.entry("max-model-len", "max-seq-len"),
          Map.entry("model-max-length", "max-seq-len"),
          Map.entry("seq-length", "max-seq-len"),
          Map.entry("tp-size", "tp-size"),
          Map.entry("tp", "tp-size"),
          Map.entry("tensor-parallel-size", "tp-size"),
          Map.entry("batch-size", "batch-size"),
          Map.entry("local-batch-size", "batch-size"),
          Map.entry("layer-ids", LAYERS),
          Map.entry("layers", LAYERS),
          Map.entry("aux-layers", LAYERS),
          Map.entry("capture-layers", LAYERS),
          Map.entry("aux-hidden-states-layers", LAYERS));

  /** Sorts the words; of a flag that stands twice the last one counts, as for the script. */
  static ScriptWords of(List<ShellWord> words, Extractor extractor) {
    Map<String, List<ShellWord>> own = new LinkedHashMap<>();
    Map<String, List<ShellWord>> meant = new LinkedHashMap<>();
    List<List<ShellWord>> others = new ArrayList<>();
    int at = 0;
    while (at < words.size()) {
      int end = at + 1;
      while (end < words.size() && !isFlag(words.get(end))) {
        end++;
      }
      List<ShellWord> group = words.subList(at, end);
      Optional<String> key = keyOf(name(group.get(0)), extractor);
      if (key.isPresent()) {
        List<ShellWord> values = values(group);
        int taken = key.get().equals(LAYERS) ? values.size() : Math.min(1, values.size());
        own.put(key.get(), values.subList(0, taken));
        if (taken < values.size()) {
          others.add(values.subList(taken, values.size()));
        }
      } else {
        others.add(group);
        Optional.ofNullable(OTHER_WORDS.get(plainName(group.get(0))))
            .filter(other -> !values(group).isEmpty())
            .ifPresent(other -> meant.put(other, values(group)));
      }
      at = end;
    }
    meant.keySet().removeAll(own.keySet());
    return new ScriptWords(own, meant, others);
  }

  /** How many flags of the words the extractor has. */
  static int fitness(List<ShellWord> words, Extractor extractor) {
    return (int)
        words.stream()
            .filter(word -> isFlag(word) && keyOf(name(word), extractor).isPresent())
            .count();
  }

  private static Optional<String> keyOf(String flag, Extractor extractor) {
    return extractor.flags().entrySet().stream()
        .filter(entry -> entry.getValue().equals(flag))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static boolean isFlag(ShellWord word) {
    String text = word.text();
    return text.length() > 1
        && text.startsWith("-")
        && !Character.isDigit(text.charAt(1))
        && text.charAt(1) != '.';
  }

  private static String name(ShellWord flag) {
    String text = flag.text();
    int equals = text.indexOf('=');
    return equals > 0 ? text.substring(0, equals) : text;
  }

  private static String plainName(ShellWord flag) {
    return name(flag).replaceFirst("^--?", "").replace('_', '-').toLowerCase(Locale.ROOT);
  }

  /** The value behind an equals sign, and the words that follow. */
  private static List<ShellWord> values(List<ShellWord> group) {
    List<ShellWord> values = new ArrayList<>();
    ShellWord flag = group.get(0);
    int equals = flag.text().indexOf('=');
    if (isFlag(flag) && equals > 0) {
      values.add(behind(flag, equals + 1));
    } else if (!isFlag(flag)) {
      values.add(flag);
    }
    values.addAll(group.subList(1, group.size()));
    return values;
  }

  private static ShellWord behind(ShellWord flag, int from) {
    List<ShellWord.Piece> pieces = new ArrayList<>();
    int skip = from;
    for (ShellWord.Piece piece : flag.pieces()) {
      int cut = Math.min(skip, piece.text().length());
      skip -= cut;
      if (cut < piece.text().length()) {
        pieces.add(
            new ShellWord.Piece(piece.text().substring(cut), piece.quoted(), piece.expansion()));
      }
    }
    int equals = flag.source().indexOf('=');
    return new ShellWord(flag.source().substring(equals + 1), pieces);
  }
}
