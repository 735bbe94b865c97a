package dev.eagle3.profile;

import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlNode;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes a value of what a profile or a flag says, or says why it is none. */
@FunctionalInterface
interface ValueReader<T> {
  /**
   * Reads a value that is not {@code null}.
   *
   * @param problems takes everything that is wrong with it
   * @return empty after a problem
   */
  Optional<T> read(YamlNode node, Place place, Consumer<Failure> problems);
}
