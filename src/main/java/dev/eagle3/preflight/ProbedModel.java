package dev.eagle3.preflight;

import dev.eagle3.expect.ModelConfig;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What {@code probe-model} says of a model's config: it saves a round trip for the file. */
final class ProbedModel {
  private static final long MOST_HIDDEN_SIZE = 1L << 24;
  private static final long MOST_LAYERS = 1L << 16;
  private static final int HIDDEN_SIZE = 4;
  private static final int LAYERS = 5;
  private static final int VOCABULARY = 6;

  private ProbedModel() {}

  /** Empty when the config does not say both sizes. */
  static Optional<ModelConfig> read(Rows files, String modelFolder) {
    OptionalLong hiddenSize = files.number("config", HIDDEN_SIZE);
    OptionalLong layers = files.number("config", LAYERS);
    if (isOutside(hiddenSize, MOST_HIDDEN_SIZE) || isOutside(layers, MOST_LAYERS)) {
      return Optional.empty();
    }
    OptionalLong vocabulary = files.number("config", VOCABULARY);
    return Optional.of(
        new ModelConfig(
            hiddenSize.getAsLong(),
            (int) layers.getAsLong(),
            Optional.empty(),
            vocabulary.isPresent() ? Optional.of(vocabulary.getAsLong()) : Optional.empty(),
            Map.of(),
            modelFolder + "/config.json"));
  }

  private static boolean isOutside(OptionalLong number, long most) {
    return number.isEmpty() || number.getAsLong() < 1 || number.getAsLong() > most;
  }
}
