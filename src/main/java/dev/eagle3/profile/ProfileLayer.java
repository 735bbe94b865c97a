package dev.eagle3.profile;

import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one source says (a file, the flags, the environment), with all that is wrong with it. */
public final class ProfileLayer {
  private final Map<ProfileKey<?>, Setting<?>> settings = new LinkedHashMap<>();
  private final List<Failure> problems = new ArrayList<>();

  ProfileLayer() {}

  /**
   * A value of a key.
   *
   * @param value empty for an explicit {@code null}, which hides weaker layers, and for a value
   *     with a problem
   * @param wrong whether it has a problem
   */
  record Setting<T>(Place place, Optional<T> value, boolean wrong) {}

  /** What is wrong with this source. */
  public List<Failure> problems() {
    return List.copyOf(problems);
  }

  void problem(Failure problem) {
    problems.add(problem);
  }

  <T> void put(ProfileKey<T> key, YamlNode node, Place place) {
    if (node instanceof YamlNode.Nothing) {
      settings.put(key, new Setting<T>(place, Optional.empty(), false));
      return;
    }
    Optional<T> value = key.reader().read(node, place, problems::add);
    settings.put(key, new Setting<>(place, value, value.isEmpty()));
  }

  /** What it says about a key, if anything. */
  @SuppressWarnings("unchecked") // put() stores a Setting<T> under a ProfileKey<T>
  <T> Optional<Setting<T>> get(ProfileKey<T> key) {
    return Optional.ofNullable((Setting<T>) settings.get(key));
  }
}
