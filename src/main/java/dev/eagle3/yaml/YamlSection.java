package dev.eagle3.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A map of a YAML file whose keys are known. What does not fit is added to the problems, and
 * something harmless stands in its place, so that reading goes on to the next problem.
 */
public final class YamlSection {
  private final String path;
  private final int line;
  private final Map<String, YamlNode> values = new LinkedHashMap<>();

  /** Known keys that an unknown one was probably meant to be: not missing, only misspelled. */
  private final Set<String> misspelled = new HashSet<>();

  private final YamlProblems problems;

  private YamlSection(String path, int line, YamlProblems problems) {
    this.path = path;
    this.line = line;
    this.problems = problems;
  }

  /**
   * Takes a node as a map with these keys; unknown keys, with the nearest known one, and repeated
   * keys are problems.
   *
   * @param path keys that lead to it, joined by dots; empty for the whole file
   */
  public static YamlSection read(
      YamlNode node, String path, Collection<String> known, YamlProblems problems) {
    YamlSection section = new YamlSection(path, node.line(), problems);
    for (YamlNode.Entry entry : entries(node, path, problems)) {
      if (known.contains(entry.key())) {
        section.values.put(entry.key(), entry.value());
      } else {
        NearestWord.find(entry.key(), known).ifPresent(section.misspelled::add);
        problems.add(entry.line(), join(path, entry.key()), unknown(entry.key(), known));
      }
    }
    return section;
  }

  /** The entries of a map, each key once; a node that is no map is a problem and has none. */
  public static List<YamlNode.Entry> entries(YamlNode node, String path, YamlProblems problems) {
    if (!(node instanceof YamlNode.Entries map)) {
      problems.add(
          node.line(), path.isEmpty() ? "the file" : path, "must be a map, not " + node.kind());
      return List.of();
    }
    Map<String, YamlNode.Entry> first = new LinkedHashMap<>();
    for (YamlNode.Entry entry : map.entries()) {
      YamlNode.Entry before = first.putIfAbsent(entry.key(), entry);
      if (before != null) {
        problems.add(
            entry.line(), join(path, entry.key()), "stands twice, first in line " + before.line());
      }
    }
    return List.copyOf(first.values());
  }

  /** What to say about a key that is none. */
  public static String unknown(String key, Collection<String> known) {
    return NearestWord.find(key, known)
        .map(nearest -> "unknown key; did you mean " + nearest + "?")
        .orElse("unknown key");
  }

  /** The value of a key, if it stands there. */
  public Optional<YamlNode> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** The value of a key that must stand there and not be empty. */
  public Optional<YamlNode> required(String key) {
    Optional<YamlNode> value = value(key).filter(node -> !(node instanceof YamlNode.Nothing));
    if (value.isEmpty() && !misspelled.contains(key)) {
      problems.add(value(key).map(YamlNode::line).orElse(line), join(path, key), "is missing");
    }
    return value;
  }

  /** The text of a key that must stand there; empty after a problem. */
  public String text(String key) {
    return required(key).map(node -> text(node, key)).orElse("");
  }

  /** The texts of a list that must stand there. */
  public List<String> texts(String key) {
    List<String> texts = new ArrayList<>();
    for (YamlNode item : items(key)) {
      texts.add(text(item, key));
    }
    return texts;
  }

  /** The items of a list that must stand there. */
  public List<YamlNode> items(String key) {
    Optional<YamlNode> node = required(key);
    if (node.isPresent() && node.get() instanceof YamlNode.Items list) {
      return list.items();
    }
    node.ifPresent(other -> problem(other, key, "must be a list, not " + other.kind()));
    return List.of();
  }

  /** A map below this one that must stand there; what is missing in none is not named. */
  public YamlSection section(String key, Collection<String> known) {
    Optional<YamlNode> node = required(key);
    if (node.isPresent() && node.get() instanceof YamlNode.Entries) {
      return read(node.get(), join(path, key), known, problems);
    }
    node.ifPresent(other -> problem(other, key, "must be a map, not " + other.kind()));
    return new YamlSection(join(path, key), line, new YamlProblems(""));
  }

  /** Adds a problem with the value of a key. */
  public void problem(String key, String says) {
    problems.add(value(key).map(YamlNode::line).orElse(line), join(path, key), says);
  }

  private void problem(YamlNode node, String key, String says) {
    problems.add(node.line(), join(path, key), says);
  }

  private String text(YamlNode node, String key) {
    if (node instanceof YamlNode.Text text && !text.text().isEmpty()) {
      return text.text();
    }
    String kind = node instanceof YamlNode.Text ? "an empty one" : node.kind();
    problem(node, key, "must be a text, not " + kind);
    return "";
  }

  private static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }
}
