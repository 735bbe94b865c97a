package dev.eagle3.profile;

import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlNode;
import dev.eagle3.yaml.YamlProblems;
import dev.eagle3.yaml.YamlReader;
import dev.eagle3.yaml.YamlSection;
import java.util.Map;
import java.util.Optional;

/** Reads the YAML of a profile. */
public final class ProfileReader {
  /** Words that other programs use for our keys, too far apart for a guess by spelling. */
  private static final Map<String, String> OTHER_WORDS =
      Map.ofEntries(
          Map.entry("layer-ids", "layers"),
          Map.entry("model", "model-path"),
          Map.entry("target-model-path", "model-path"),
          Map.entry("data", "prepared-data"),
          Map.entry("output", "output-dir"),
          Map.entry("tensor-parallel-size", "tp-size"),
          Map.entry("tp", "tp-size"),
          Map.entry("seq-length", "max-seq-len"),
          Map.entry("max-model-len", "max-seq-len"),
          Map.entry("environment", "env"),
          Map.entry("log", "log-file"),
          Map.entry("cuda-visible-devices", "gpus"));

  private ProfileReader() {}

  /**
   * Reads a profile; what is wrong with it is in the layer.
   *
   * @param file its name, for messages
   */
  public static ProfileLayer read(String text, String file) {
    ProfileLayer layer = new ProfileLayer();
    try {
      YamlProblems problems = new YamlProblems(file);
      for (YamlNode.Entry entry : YamlSection.entries(YamlReader.read(text, file), "", problems)) {
        read(layer, entry, file);
      }
      problems.found().forEach(layer::problem);
    } catch (Failure notYaml) {
      layer.problem(notYaml);
    }
    return layer;
  }

  private static void read(ProfileLayer layer, YamlNode.Entry entry, String file) {
    Place place = Place.inFile(file, entry.line(), entry.key());
    Optional<ProfileKey<?>> key = ProfileKey.named(entry.key());
    if (key.isPresent()) {
      layer.put(key.get(), entry.value(), place);
    } else {
      layer.problem(place.problem(unknown(entry.key())));
    }
  }

  private static String unknown(String key) {
    String other = OTHER_WORDS.get(key.replace('_', '-'));
    return other == null
        ? YamlSection.unknown(key, ProfileKey.names())
        : "unknown key; did you mean " + other + "?";
  }
}
