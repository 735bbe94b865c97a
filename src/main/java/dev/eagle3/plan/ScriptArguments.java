package dev.eagle3.plan;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.profile.FlagOverride;
import dev.eagle3.profile.LayersParser;
import dev.eagle3.profile.Profile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arguments of the script, from the profile's values, its {@code flags} and its {@code args}.
 */
final class ScriptArguments {
  /** The one key on which nothing but the script depends. */
  private static final String FREE_KEY = "gpu-memory-utilization";

  private final Profile profile;
  private final Extractor extractor;
  private final List<String> arguments = new ArrayList<>();
  private final List<Failure> problems = new ArrayList<>();

  private ScriptArguments(Profile profile, Extractor extractor) {
    this.profile = profile;
    this.extractor = extractor;
  }

  /**
   * The arguments in order.
   *
   * @throws Failures when the script would be told something else than the keys say
   */
  static List<String> of(Profile profile, Extractor extractor) {
    return new ScriptArguments(profile, extractor).list();
  }

  private List<String> list() {
    extractor.flags().forEach(this::addOwn);
    Set<String> own = new HashSet<>(extractor.flags().values());
    profile.flags().forEach((flag, said) -> addFurther(own, flag, said));
    profile.args().forEach(this::addArgument);
    if (!problems.isEmpty()) {
      throw new Failures(problems);
    }
    return arguments;
  }

  private void addOwn(String key, String flag) {
    List<String> words = words(key);
    FlagOverride said = profile.flags().get(flag);
    if (said instanceof FlagOverride.Dropped) {
      return;
    }
    if (said instanceof FlagOverride.Words override) {
      if (!key.equals(FREE_KEY) && !means(key, override.words(), words)) {
        refuse("flags", flag + " says something else than " + key + "; set " + key + " instead");
      }
      words = override.words();
    } else if (words.isEmpty()) {
      return;
    }
    arguments.add(flag);
    arguments.addAll(words);
  }

  private void addFurther(Set<String> own, String flag, FlagOverride said) {
    if (!own.contains(flag) && said instanceof FlagOverride.Words words) {
      arguments.add(flag);
      arguments.addAll(words.words());
    }
  }

  /** The last one of two equal flags wins, so one among these would undo a key. */
  private void addArgument(String word) {
    for (Map.Entry<String, String> own : extractor.flags().entrySet()) {
      String flag = own.getValue();
      if (!own.getKey().equals(FREE_KEY) && (word.equals(flag) || word.startsWith(flag + "="))) {
        refuse(
            "args", flag + " is given by " + own.getKey() + "; set " + own.getKey() + " instead");
      }
    }
    arguments.add(word);
  }

  private void refuse(String key, String says) {
    String origin = profile.origins().getOrDefault(key, "profile");
    problems.add(Failure.of(Exit.PROFILE, origin, key + ": " + says));
  }

  private List<String> words(String key) {
    return switch (key) {
      case "model-path" -> List.of(profile.modelPath());
      case "prepared-data" -> List.of(profile.preparedData());
      case "output-dir" -> List.of(profile.outputDir());
      case "batch-size" -> List.of(Integer.toString(profile.batchSize()));
      case "max-seq-len" -> List.of(Integer.toString(profile.maxSeqLen()));
      case "tp-size" -> List.of(Integer.toString(profile.tpSize()));
      case FREE_KEY -> profile.gpuMemoryUtilization().stream().toList();
      case "layers" -> profile.layers().stream().map(id -> Integer.toString(id)).toList();
      default -> throw new IllegalStateException("no value for " + key);
    };
  }

  /** Whether the script is told the same, if in other words. */
  private boolean means(String key, List<String> said, List<String> words) {
    if (said.equals(words)) {
      return true;
    }
    return key.equals("layers") && LayersParser.parse(said).ids().equals(profile.layers());
  }
}
