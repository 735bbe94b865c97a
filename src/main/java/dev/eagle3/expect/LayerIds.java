package dev.eagle3.expect;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.ExtractionPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks the layer ids that were asked for. Extractors number layers in two ways: by the layer
 * whose output it is, from 0 to n − 1, or by the boundary, from 0 (embeddings) to n.
 */
final class LayerIds {
  /** The schema of vLLM's own files, whose layers are numbered by boundaries. */
  private static final String BY_BOUNDARIES = "vllm-connector";

  private LayerIds() {}

  static List<Finding> check(ExtractionPlan plan, Optional<ModelConfig> config) {
    List<Finding> findings = new ArrayList<>();
    List<Integer> layers = plan.layers();
    String subject = "layers " + words(layers);
    if (layers.stream().distinct().count() < layers.size()) {
      findings.add(
          Finding.of(
              "layers.duplicate",
              Severity.WARNING,
              subject,
              "each layer once",
              "a layer stands twice and is saved once"));
    }
    if (!layers.equals(layers.stream().sorted().toList())) {
      findings.add(
          Finding.of(
              "layers.unsorted",
              Severity.NOTE,
              subject,
              "ascending",
              "extractors save layers in the order of the model, not in this order"));
    }
    boolean byBoundaries = plan.schema().filter(BY_BOUNDARIES::equals).isPresent();
    config.ifPresent(model -> addOutOfRange(layers, model, byBoundaries, subject, findings));
    return findings;
  }

  private static void addOutOfRange(
      List<Integer> layers,
      ModelConfig model,
      boolean byBoundaries,
      String subject,
      List<Finding> findings) {
    int count = model.layers();
    List<Integer> beyond = layers.stream().filter(id -> id < 0 || id > count).toList();
    if (!beyond.isEmpty()) {
      findings.add(
          Finding.of(
              "layers.out-of-range",
              Severity.ERROR,
              subject,
              "0 to "
                  + (byBoundaries ? count : count - 1)
                  + ": the model has "
                  + count
                  + " layers ("
                  + model.source()
                  + ")",
              words(beyond)));
    } else if (layers.contains(count) && !byBoundaries) {
      findings.add(
          new Finding(
              "layers.out-of-range",
              Severity.WARNING,
              subject,
              "0 to "
                  + (count - 1)
                  + ": the model has "
                  + count
                  + " layers ("
                  + model.source()
                  + ")",
              count + " is a layer only where ids count what goes into a layer (vLLM)",
              bothNumberings(layers)));
    }
  }

  /** The same ids, read in either way. */
  private static List<String> bothNumberings(List<Integer> layers) {
    List<Integer> lower = layers.stream().map(id -> id - 1).toList();
    List<Integer> higher = layers.stream().map(id -> id + 1).toList();
    return List.of(
        "as vLLM counts, these are what others call outputs of layers " + words(lower),
        "as outputs of layers, these are what vLLM calls " + words(higher));
  }

  static String words(List<Integer> layers) {
    return layers.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
