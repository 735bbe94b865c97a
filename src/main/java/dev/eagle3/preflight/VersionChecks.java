package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import dev.eagle3.extractor.Extractor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Whether the installed packages go together, by their metadata and their sources. */
final class VersionChecks {
  private static final String PHASE = "preflight";

  /** Of the extras that a package names, those that extraction installs. */
  private static final Set<String> EXTRAS = Set.of("", "datagen");

  /** Of interest whether a pair names them or not. */
  private static final List<String> ALWAYS =
      List.of("speculators", "vllm", "torch", "transformers");

  static final List<VersionPair> PAIRS = VersionPairReader.read();

  static final List<Check> ALL =
      List.of(
          new Check("versions", PHASE, VersionChecks::versions),
          new Check("requirements", PHASE, VersionChecks::requirements),
          new Check("version-pairs", PHASE, VersionChecks::pairs));

  private VersionChecks() {}

  /** The packages whose versions are asked for. */
  static Set<String> packages() {
    Set<String> names = new TreeSet<>(ALWAYS);
    PAIRS.forEach(pair -> names.addAll(pair.packages().keySet()));
    return names;
  }

  /** Installed versions by package. */
  static Map<String, String> installed(Situation situation) {
    Map<String, String> versions = new LinkedHashMap<>();
    for (List<String> row : situation.files().all("package", 2)) {
      versions.putIfAbsent(row.get(0), row.get(1));
    }
    return versions;
  }

  private static void versions(Situation situation, Judgement judgement) {
    Map<String, String> installed = installed(situation);
    Map<String, String> wanted = situation.extractor().map(Extractor::versions).orElse(Map.of());
    List<String> names = new ArrayList<>();
    installed.forEach((name, version) -> names.add(shown(name) + " " + shown(version)));
    wanted.forEach(
        (name, range) -> {
          String version = installed.getOrDefault(name, "");
          boolean outside =
              VersionRange.parse(range)
                  .flatMap(known -> known.includes(version))
                  .filter(inside -> !inside)
                  .isPresent();
          if (outside) {
            judgement.warn(
                name
                    + " "
                    + shown(version)
                    + " is installed, and "
                    + situation.plan().extractor()
                    + " is known to work with "
                    + range);
          }
        });
    if (judgement.lines().isEmpty() && !names.isEmpty()) {
      judgement.ok(String.join(", ", names));
    }
  }

  private static void requirements(Situation situation, Judgement judgement) {
    Map<String, String> installed = installed(situation);
    int held = 0;
    for (List<String> row : situation.files().all("requires", 4)) {
      String version = installed.get(row.get(1));
      Optional<VersionRange> range = VersionRange.parse(row.get(2));
      if (version == null || range.isEmpty() || !EXTRAS.contains(row.get(3))) {
        continue;
      }
      if (range.get().includes(version).orElse(true)) {
        held++;
      } else {
        judgement.warn(
            shown(row.get(0))
                + " "
                + shown(installed.getOrDefault(row.get(0), ""))
                + " says that it needs "
                + shown(row.get(1))
                + " "
                + shown(row.get(2))
                + (row.get(3).isEmpty() ? "" : " (extra " + row.get(3) + ")")
                + ", and "
                + shown(version)
                + " is installed");
      }
    }
    if (held > 0 && judgement.lines().isEmpty()) {
      judgement.ok("the packages have the versions that they ask one another for");
    }
  }

  private static void pairs(Situation situation, Judgement judgement) {
    changed(situation)
        .forEach(file -> judgement.note(shown(file) + " was changed since it was installed"));
    for (VersionPair pair : PAIRS) {
      new PairJudge(pair, situation, judgement).judge();
    }
    if (judgement.lines().isEmpty() && !installed(situation).isEmpty()) {
      judgement.ok("none of " + PAIRS.size() + " known pairs that do not go together");
    }
  }

  /** Of the files that were looked into, those that are not what was installed. */
  private static Set<String> changed(Situation situation) {
    Set<String> files = new TreeSet<>();
    for (List<String> row : situation.files().all("changed", 1)) {
      situation
          .files()
          .named("source", row.get(0), 4)
          .ifPresent(source -> files.add(source.get(1)));
    }
    return files;
  }
}
