package dev.eagle3.extractor;

import dev.eagle3.yaml.YamlNode;
import dev.eagle3.yaml.YamlProblems;
import dev.eagle3.yaml.YamlReader;
import dev.eagle3.yaml.YamlSection;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the YAML that describes an extraction program. */
public final class ExtractorReader {
  static final List<String> KEYS =
      List.of("versions", "flags", "outputs", "layer-numbering", "processes", "log", "probe");

  private static final String COMPARISON = "(?:==|>=|<=|>|<) ?\\d+(?:\\.\\d+){0,4}";
  private static final Pattern VERSIONS =
      Pattern.compile(COMPARISON + "(?:, ?" + COMPARISON + "){0,4}");
  private static final Pattern FLAG = Pattern.compile("-{1,2}[A-Za-z0-9][A-Za-z0-9_.-]*");
  private static final Pattern WORD = Pattern.compile("[a-z0-9]+(?:[.-][a-z0-9]+){0,20}");
  private static final Pattern TARGET = Pattern.compile("[\\w.]+:[\\w.]+");

  private final String name;
  private final YamlProblems problems;

  private ExtractorReader(String name, YamlProblems problems) {
    this.name = name;
    this.problems = problems;
  }

  /**
   * Reads a description; each pattern is checked against its example.
   *
   * @param name of the extractor
   * @param file for messages
   * @throws dev.eagle3.outcome.Failure when the text is not YAML
   * @throws dev.eagle3.outcome.Failures with all that is wrong with it
   */
  public static Extractor read(String text, String name, String file) {
    YamlProblems problems = new YamlProblems(file);
    YamlNode root = YamlReader.read(text, file);
    Extractor extractor = new ExtractorReader(name, problems).extractor(root);
    problems.throwIfAny();
    return extractor;
  }

  private Extractor extractor(YamlNode root) {
    YamlSection file = YamlSection.read(root, "", KEYS, problems);
    return new Extractor(
        name,
        versions(file),
        flags(file),
        outputs(file.section("outputs", List.of("layout", "schema", "padding", "resume"))),
        choice(file, "layer-numbering", LayerNumbering.values()),
        file.texts("processes"),
        LogRulesReader.read(file.section("log", LogRulesReader.KEYS), problems),
        targets(file.section("probe", List.of("targets"))));
  }

  private Map<String, String> versions(YamlSection file) {
    Map<String, String> versions = new LinkedHashMap<>();
    for (YamlNode.Entry entry : entries(file, "versions")) {
      if (entry.value() instanceof YamlNode.Text range
          && VERSIONS.matcher(range.text()).matches()) {
        versions.put(entry.key(), range.text());
      } else {
        problems.add(
            entry.line(), "versions." + entry.key(), "must be a range such as \">=0.3, <0.5\"");
      }
    }
    return versions;
  }

  private Map<String, String> flags(YamlSection file) {
    Map<String, String> flags = new LinkedHashMap<>();
    for (YamlNode.Entry entry : entries(file, "flags")) {
      String key = "flags." + entry.key();
      if (!Extractor.FLAG_KEYS.contains(entry.key())) {
        problems.add(entry.line(), key, YamlSection.unknown(entry.key(), Extractor.FLAG_KEYS));
      } else if (entry.value() instanceof YamlNode.Text flag
          && FLAG.matcher(flag.text()).matches()) {
        if (flags.containsValue(flag.text())) {
          problems.add(entry.line(), key, flag.text() + " stands twice");
        }
        flags.put(entry.key(), flag.text());
      } else {
        problems.add(entry.line(), key, "must be a flag such as --model-path");
      }
    }
    return flags;
  }

  private List<YamlNode.Entry> entries(YamlSection file, String key) {
    Optional<YamlNode> node = file.required(key);
    return node.isEmpty() ? List.of() : YamlSection.entries(node.get(), key, problems);
  }

  private static Outputs outputs(YamlSection outputs) {
    String layout = outputs.text("layout");
    if (!layout.isEmpty() && !layout.contains("{index}")) {
      outputs.problem("layout", "must hold {index}");
    }
    if (layout.startsWith("/") || Arrays.asList(layout.split("/")).contains("..")) {
      outputs.problem("layout", "must stay below the output folder");
    }
    String schema = outputs.text("schema");
    if (!schema.isEmpty() && !WORD.matcher(schema).matches()) {
      outputs.problem("schema", "must be a word such as speculators-list");
    }
    return new Outputs(
        layout,
        schema,
        choice(outputs, "padding", Outputs.Padding.values()),
        choice(outputs, "resume", Outputs.Resume.values()));
  }

  private static List<String> targets(YamlSection probe) {
    List<String> targets = probe.texts("targets");
    for (String target : targets) {
      if (!target.isEmpty() && !TARGET.matcher(target).matches()) {
        probe.problem("targets", "must be module:Class.method, not " + target);
      }
    }
    return targets;
  }

  /** The constant that the kebab-case word names; the first one after a problem. */
  private static <T extends Enum<T>> T choice(YamlSection section, String key, T[] values) {
    String text = section.text(key);
    for (T value : values) {
      if (word(value).equals(text)) {
        return value;
      }
    }
    if (!text.isEmpty()) {
      List<String> words = Arrays.stream(values).map(ExtractorReader::word).toList();
      section.problem(key, "must be one of " + String.join(", ", words));
    }
    return values[0];
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
