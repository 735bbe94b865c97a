package dev.eagle3.verify.law;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names of the last norm and the head among the tensors of a model: {@code model.norm.weight} and
 * {@code lm_head.weight}, or the same inside a part ({@code language_model.model.norm.weight}).
 */
final class HeadNames {
  static final String HEAD = "lm_head.weight";
  static final String NORM = "norm.weight";
  static final String EMBEDDINGS = "embed_tokens.weight";

  /** Parts that are not the language model, and layers, which have norms of their own. */
  private static final Pattern ELSEWHERE =
      Pattern.compile(
          "(^|\\.)(layers|blocks|h|visual|vision_\\w+|vision|audio\\w*|mm_\\w+|mtp\\w*|talker|"
              + "code2wav|token2wav|draft\\w*)\\.");

  private HeadNames() {}

  /** Whether a tensor of this name may be one of them, or one of a quantised head. */
  static boolean mayBe(String name) {
    return !ELSEWHERE.matcher(name).find()
        && (is(name, NORM) || is(name, EMBEDDINGS) || name.contains("lm_head."));
  }

  /** The tensor with this last name that stands highest; empty when there is none. */
  static Optional<String> find(Stream<String> names, String lastName) {
    return names
        .filter(name -> is(name, lastName) && !ELSEWHERE.matcher(name).find())
        .min(Comparator.<String>comparingInt(String::length).thenComparing(name -> name));
  }

  /** Whether the head is there in parts that only a quantised one has. */
  static boolean isHeadQuantised(List<String> names) {
    return names.stream()
        .anyMatch(name -> name.contains("lm_head.") && !name.endsWith(".bias") && !is(name, HEAD));
  }

  private static boolean is(String name, String lastName) {
    return name.equals(lastName) || name.endsWith("." + lastName);
  }
}
