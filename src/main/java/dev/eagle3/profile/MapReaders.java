package dev.eagle3.profile;

import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Readers of maps. */
final class MapReaders {
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern FLAG = Pattern.compile("-{0,2}[A-Za-z0-9][A-Za-z0-9_.-]*");

  /** Variables that have a key of their own, on which more depends than the variable. */
  private static final Map<String, String> KEYS_OF_VARIABLES =
      Map.of("CUDA_HOME", "cuda-home", "CUDA_VISIBLE_DEVICES", "gpus");

  private MapReaders() {}

  /**
   * Variables by name: a map of values ({@code null}: taken over from the host's own), or a list of
   * {@code K=V} and {@code K}. Values are secrets until shown otherwise, so no message holds one.
   */
  static Optional<Map<String, Optional<String>>> environment(
      YamlNode node, Place place, Consumer<Failure> problems) {
    List<Failure> wrong = new ArrayList<>();
    Map<String, Optional<String>> variables = new LinkedHashMap<>();
    for (Variable variable : variables(node, place, wrong::add)) {
      Optional<String> problem = problem(variable.name());
      if (problem.isPresent()) {
        wrong.add(variable.place().problem(problem.get()));
      } else if (variables.put(variable.name(), variable.value()) != null) {
        wrong.add(variable.place().problem("variable " + variable.name() + " stands twice"));
      }
    }
    wrong.forEach(problems);
    return wrong.isEmpty() ? Optional.of(variables) : Optional.empty();
  }

  /** What is said about the script's flags, by name with dashes. */
  static Optional<Map<String, FlagOverride>> flags(
      YamlNode node, Place place, Consumer<Failure> problems) {
    List<Failure> wrong = new ArrayList<>();
    Map<String, FlagOverride> flags = new LinkedHashMap<>();
    Map<String, Integer> lines = new HashMap<>();
    for (YamlNode.Entry entry : entries(node, place, wrong::add)) {
      Place at = place.entry(entry.line(), entry.key());
      String flag = entry.key().startsWith("-") ? entry.key() : "--" + entry.key();
      Integer before = lines.putIfAbsent(flag, entry.line());
      if (!FLAG.matcher(entry.key()).matches()) {
        wrong.add(at.problem("is no name of a flag"));
      } else if (before != null) {
        wrong.add(at.problem("stands twice, first in line " + before));
      } else {
        flagWords(entry.value(), at, wrong::add).ifPresent(said -> flags.put(flag, said));
      }
    }
    wrong.forEach(problems);
    return wrong.isEmpty() ? Optional.of(flags) : Optional.empty();
  }

  private record Variable(String name, Optional<String> value, Place place) {}

  private static List<Variable> variables(YamlNode node, Place place, Consumer<Failure> problems) {
    List<Variable> variables = new ArrayList<>();
    if (node instanceof YamlNode.Entries) {
      for (YamlNode.Entry entry : entries(node, place, problems)) {
        Place at = place.entry(entry.line(), entry.key());
        if (entry.value() instanceof YamlNode.Nothing) {
          variables.add(new Variable(entry.key(), Optional.empty(), at));
        } else {
          ScalarReaders.anyText(entry.value(), at, problems)
              .ifPresent(value -> variables.add(new Variable(entry.key(), Optional.of(value), at)));
        }
      }
    } else if (node instanceof YamlNode.Items list) {
      for (YamlNode item : list.items()) {
        Place at = place.entry(item.line(), "");
        ScalarReaders.text(item, at, problems).ifPresent(text -> variables.add(variable(text, at)));
      }
    } else {
      problems.accept(
          place.problem("must be a map, or a list of NAME=value and NAME, not " + node.kind()));
    }
    return variables;
  }

  private static Variable variable(String text, Place place) {
    int equals = text.indexOf('=');
    return equals < 0
        ? new Variable(text, Optional.empty(), place)
        : new Variable(text.substring(0, equals), Optional.of(text.substring(equals + 1)), place);
  }

  private static Optional<String> problem(String name) {
    if (!VARIABLE.matcher(name).matches()) {
      return Optional.of(name + " is no name of a variable");
    }
    return Optional.ofNullable(KEYS_OF_VARIABLES.get(name))
        .map(key -> name + " has a key of its own: " + key);
  }

  private static List<YamlNode.Entry> entries(
      YamlNode node, Place place, Consumer<Failure> problems) {
    if (!(node instanceof YamlNode.Entries map)) {
      problems.accept(place.problem("must be a map, not " + node.kind()));
      return List.of();
    }
    return map.entries();
  }

  private static Optional<FlagOverride> flagWords(
      YamlNode value, Place place, Consumer<Failure> problems) {
    if (value instanceof YamlNode.Nothing) {
      return Optional.of(new FlagOverride.Dropped());
    }
    if (value instanceof YamlNode.Text text && text.form() == YamlNode.Form.TRUTH) {
      problems.accept(
          place.problem(
              text.text()
                  + " can mean two things: [] is the flag without a value, null leaves it out, \""
                  + text.text()
                  + "\" in quotes is the word"));
      return Optional.empty();
    }
    return ListReaders.texts(value, place, problems).map(FlagOverride.Words::new);
  }
}
