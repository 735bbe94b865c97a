package dev.eagle3.preflight;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Versions and settings that do not go together; {@code resources/preflight/version-pairs.yaml}
 * says what each field means.
 *
 * @param name kebab-case
 * @param packages ranges of versions by package
 * @param imports module that the script must import, or one below it
 * @param script part of the script's file name
 * @param models starts of the model's type; empty for any
 * @param without flag that the script does not get
 * @param when batch, resume, last-layer, long, no-spawn: what the plan asks for
 * @param weight of what it says
 * @param sources what shows it in installed files
 * @param says what happens
 * @param tryNext what to do
 * @param report address of a public report; empty when there is none
 */
record VersionPair(
    String name,
    Map<String, VersionRange> packages,
    Optional<String> imports,
    Optional<String> script,
    List<String> models,
    Optional<String> without,
    List<String> when,
    Judgement.Verdict weight,
    List<Source> sources,
    String says,
    String tryNext,
    Optional<String> report) {

  /** Copies the lists and the map. */
  VersionPair {
    packages = Map.copyOf(packages);
    models = List.copyOf(models);
    when = List.copyOf(when);
    sources = List.copyOf(sources);
  }

  /**
   * A place in an installed package, or in the script.
   *
   * @param path below the folder that packages stand in; {@code {script}} for the script
   * @param pattern of Python's {@code re}
   * @param says what stands there, for a sentence that begins with the file and line
   * @param example text that the pattern finds
   */
  record Source(String path, String pattern, String says, String example) {
    /** The first folder of its path; empty for the script. */
    String packageName() {
      return path.substring(0, Math.max(0, path.indexOf('/')));
    }

    /** Whether a package holds it. */
    boolean isOf(String name) {
      return packageName().equals(name);
    }

    /** Whether it is the script itself. */
    boolean isScript() {
      return path.equals("{script}");
    }
  }

  /** Id of one of its sources, as {@code probe-job} answers it. */
  String sourceId(int index) {
    return name + "." + index;
  }
}
