package dev.eagle3.profile;

import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.function.Consumer;

/** Readers of lists. */
final class ListReaders {
  private static final int MOST_NUMBERS = 1_000;

  private ListReaders() {}

  /** Texts, or a single one. */
  static Optional<List<String>> texts(YamlNode node, Place place, Consumer<Failure> problems) {
    if (!(node instanceof YamlNode.Items list)) {
      if (node instanceof YamlNode.Text) {
        return ScalarReaders.anyText(node, place, problems).map(List::of);
      }
      problems.accept(place.problem("must be a list, not " + node.kind()));
      return Optional.empty();
    }
    List<String> texts = new ArrayList<>();
    for (YamlNode item : list.items()) {
      ScalarReaders.anyText(item, place.entry(item.line(), ""), problems).ifPresent(texts::add);
    }
    return texts.size() == list.items().size() ? Optional.of(texts) : Optional.empty();
  }

  /** Words: a list of them, or one text that is split as a shell would split it. */
  static Optional<List<String>> words(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<List<String>> texts = texts(node, place, problems);
    if (texts.isEmpty() || node instanceof YamlNode.Items) {
      return texts;
    }
    ShellWords split = ShellWords.split(texts.get().get(0));
    if (split.problem().isPresent()) {
      problems.accept(place.problem(split.problem().get()));
      return Optional.empty();
    }
    return Optional.of(split.words());
  }

  /** Layer ids. */
  static Optional<List<Integer>> layers(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<List<String>> words = texts(node, place, problems);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    LayersParser.Parsed parsed = LayersParser.parse(words.get());
    parsed.problems().forEach(says -> problems.accept(place.problem(says)));
    return parsed.problems().isEmpty() ? Optional.of(parsed.ids()) : Optional.empty();
  }

  /** Indices of GPUs. */
  static Optional<List<Integer>> gpus(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<List<String>> words = texts(node, place, problems);
    if (words.isEmpty()) {
      return Optional.empty();
    }
    List<String> wrong = new ArrayList<>();
    List<Integer> gpus = numbers(words.get(), "GPU index", wrong);
    if (gpus.isEmpty() && wrong.isEmpty()) {
      wrong.add("is empty; leave it out for the first tp-size GPUs");
    }
    wrong.forEach(says -> problems.accept(place.problem(says)));
    return wrong.isEmpty() ? Optional.of(gpus) : Optional.empty();
  }

  /** Numbers from 0, each once, from words that hold one or several, between blanks or commas. */
  static List<Integer> numbers(List<String> words, String noun, List<String> problems) {
    List<Integer> numbers = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (String word : words) {
      StringTokenizer pieces = new StringTokenizer(word, ", \t\n\r");
      while (pieces.hasMoreTokens()) {
        if (problems.size() + numbers.size() == MOST_NUMBERS) {
          problems.add("has more than " + MOST_NUMBERS + " entries");
          return numbers;
        }
        String piece = pieces.nextToken();
        Optional<Integer> number = ScalarReaders.whole(piece);
        if (number.isEmpty()) {
          problems.add(piece + " is no " + noun + ": a whole number from 0");
        } else if (!seen.add(number.get())) {
          problems.add(noun + " " + piece + " stands twice");
        } else {
          numbers.add(number.get());
        }
      }
    }
    return numbers;
  }
}
