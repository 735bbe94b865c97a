package dev.eagle3.profile;

import dev.eagle3.yaml.YamlNode;
import java.util.List;
import java.util.Map;

/** Takes what the command line and the environment say. */
public final class FlagReader {
  private static final String HOST_VARIABLE = "EAGLE3_HOST";

  private FlagReader() {}

  /**
   * The layer of the flags that were given; mistakes in it are usage errors.
   *
   * @param flags their words by profile key: one word for a flag of one value; for {@code layers},
   *     {@code env}, {@code gpus}, {@code args} any number
   */
  public static ProfileLayer read(Map<String, List<String>> flags) {
    ProfileLayer layer = new ProfileLayer();
    flags.forEach(
        (name, words) ->
            layer.put(
                ProfileKey.named(name).orElseThrow(() -> new IllegalArgumentException(name)),
                node(name, words),
                Place.flag(name)));
    return layer;
  }

  /** The layer of the environment: {@code EAGLE3_HOST}, unless it is empty. */
  public static ProfileLayer environment(Map<String, String> variables) {
    ProfileLayer layer = new ProfileLayer();
    String host = variables.getOrDefault(HOST_VARIABLE, "");
    if (!host.isEmpty()) {
      layer.put(ProfileKey.HOST, text(host), Place.variable(HOST_VARIABLE));
    }
    return layer;
  }

  private static YamlNode node(String name, List<String> words) {
    boolean list = name.equals(ProfileKey.ENV.name()) || name.equals(ProfileKey.ARGS.name());
    if (words.size() == 1 && !list) {
      return text(words.get(0));
    }
    return new YamlNode.Items(0, words.stream().map(FlagReader::text).toList());
  }

  private static YamlNode text(String word) {
    return new YamlNode.Text(0, word, YamlNode.Form.TEXT);
  }
}
