package dev.eagle3.preflight;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The flags that a script defines against those that it is given, by argparse's rules.
 *
 * @param known flags that the script defines
 * @param required for each flag that must be given its spellings
 * @param open why the script may know more flags than can be seen, or takes unknown ones
 * @param abbreviates whether the start of a flag will do
 * @param words its arguments
 */
record FlagFit(
    Set<String> known,
    List<List<String>> required,
    List<String> open,
    boolean abbreviates,
    List<String> words) {
  /** What some version of Python takes for one. */
  private static final Pattern NUMBER = Pattern.compile("-\\.?\\d.*");

  static FlagFit of(Situation situation) {
    Rows files = situation.files();
    return new FlagFit(
        files.all("flag", 1).stream()
            .map(row -> row.get(0))
            .collect(Collectors.toCollection(LinkedHashSet::new)),
        files.all("required", 1),
        files.all("flags-open", 1).stream().map(row -> row.get(0)).toList(),
        files.first("abbreviations", 1).isEmpty(),
        situation.plan().scriptArguments());
  }

  /** Whether anything is known of the script's flags. */
  boolean isKnown() {
    return !known.isEmpty();
  }

  boolean isOpen() {
    return !open.isEmpty();
  }

  String openBecause() {
    return JobChecks.shown(open.get(0));
  }

  /** How many flags are given. */
  int given() {
    return flags().size();
  }

  /** Flags that are given and that the script does not know. */
  List<String> unknown() {
    return flags().stream().filter(flag -> !isKnown(flag)).distinct().toList();
  }

  /** Flags that the script needs and that are not given. */
  List<String> lacking() {
    List<String> lacking = new ArrayList<>();
    for (List<String> spellings : required) {
      boolean given =
          flags().stream()
              .anyMatch(
                  flag ->
                      spellings.contains(flag)
                          || spellings.stream().anyMatch(one -> isStart(flag, one)));
      if (!given) {
        lacking.add(spellings.get(spellings.size() - 1));
      }
    }
    return lacking;
  }

  private boolean isKnown(String flag) {
    if (known.contains(flag)) {
      return true;
    }
    if (!flag.startsWith("--")) {
      // -n4 is -n with its value; -vx may be two flags, and -mod the start of -model.
      return known.contains(flag.substring(0, 2))
          || (abbreviates && known.stream().anyMatch(one -> one.startsWith(flag)));
    }
    return known.stream().filter(one -> isStart(flag, one)).count() == 1;
  }

  private boolean isStart(String flag, String whole) {
    return abbreviates && flag.length() > 2 && flag.startsWith("--") && whole.startsWith(flag);
  }

  /** The words that argparse takes for flags: up to a lone {@code --}, and no numbers. */
  private List<String> flags() {
    List<String> flags = new ArrayList<>();
    for (String word : words) {
      if (word.equals("--")) {
        break;
      }
      boolean isFlag =
          word.length() > 1
              && word.startsWith("-")
              && word.indexOf(' ') < 0
              && !NUMBER.matcher(word).matches();
      if (isFlag) {
        flags.add(word.split("=", 2)[0]);
      }
    }
    return flags;
  }
}
