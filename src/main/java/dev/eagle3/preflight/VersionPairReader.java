package dev.eagle3.preflight;

import dev.eagle3.preflight.Judgement.Verdict;
import dev.eagle3.yaml.YamlNode;
import dev.eagle3.yaml.YamlProblems;
import dev.eagle3.yaml.YamlReader;
import dev.eagle3.yaml.YamlSection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code resources/preflight/version-pairs.yaml}. */
final class VersionPairReader {
  private static final String FILE = "preflight/version-pairs.yaml";
  private static final List<String> KEYS =
      List.of(
          "name",
          "packages",
          "imports",
          "script",
          "models",
          "without",
          "when",
          "weight",
          "sources",
          "says",
          "try",
          "report");

  private final YamlProblems problems = new YamlProblems(FILE);

  private VersionPairReader() {}

  /** All pairs; a mistake in the file is a bug, which a test would have shown. */
  static List<VersionPair> read() {
    try (InputStream in = VersionPairReader.class.getResourceAsStream("/" + FILE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + FILE);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return new VersionPairReader().pairs(YamlReader.read(text, FILE));
    } catch (IOException unreadable) {
      throw new IllegalStateException("resource " + FILE, unreadable);
    }
  }

  private List<VersionPair> pairs(YamlNode root) {
    List<VersionPair> pairs = new ArrayList<>();
    for (YamlNode item : YamlSection.read(root, "", List.of("pairs"), problems).items("pairs")) {
      pairs.add(pair(YamlSection.read(item, "pairs", KEYS, problems)));
    }
    problems.throwIfAny();
    return pairs;
  }

  private VersionPair pair(YamlSection pair) {
    List<VersionPair.Source> sources = new ArrayList<>();
    if (pair.value("sources").isPresent()) {
      for (YamlNode item : pair.items("sources")) {
        YamlSection source =
            YamlSection.read(
                item, "sources", List.of("path", "pattern", "says", "example"), problems);
        sources.add(
            new VersionPair.Source(
                source.text("path"),
                source.text("pattern"),
                source.text("says"),
                source.text("example")));
      }
    }
    return new VersionPair(
        pair.text("name"),
        packages(pair),
        optional(pair, "imports"),
        optional(pair, "script"),
        texts(pair, "models"),
        optional(pair, "without"),
        texts(pair, "when"),
        weight(pair),
        sources,
        pair.text("says"),
        pair.text("try"),
        Optional.of(pair.text("report")).filter(report -> !report.equals("none")));
  }

  private Map<String, VersionRange> packages(YamlSection pair) {
    Map<String, VersionRange> packages = new LinkedHashMap<>();
    Optional<YamlNode> node = pair.value("packages");
    if (node.isPresent()) {
      for (YamlNode.Entry entry : YamlSection.entries(node.get(), "packages", problems)) {
        Optional<VersionRange> range =
            entry.value() instanceof YamlNode.Text text
                ? VersionRange.parse(text.text())
                : Optional.empty();
        range.ifPresentOrElse(
            known -> packages.put(entry.key(), known),
            () -> problems.add(entry.line(), entry.key(), "must be a range of versions"));
      }
    }
    return packages;
  }

  private static Verdict weight(YamlSection pair) {
    String word = pair.text("weight");
    for (Verdict verdict : Verdict.values()) {
      if (verdict.word().equals(word)) {
        return verdict;
      }
    }
    pair.problem("weight", "must be refused, warning or note");
    return Verdict.NOTE;
  }

  private static Optional<String> optional(YamlSection pair, String key) {
    return pair.value(key).isPresent() ? Optional.of(pair.text(key)) : Optional.empty();
  }

  private static List<String> texts(YamlSection pair, String key) {
    return pair.value(key).isPresent() ? pair.texts(key) : List.of();
  }
}
