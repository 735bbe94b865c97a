package dev.eagle3.profile;

import java.util.ArrayList;
import java.util.List;

/** Reads layer ids as people write them. */
public final class LayersParser {
  private LayersParser() {}

  /**
   * Layer ids, or what is wrong with them.
   *
   * @param ids in the order in which they were given
   * @param problems empty when the ids are good
   */
  public record Parsed(List<Integer> ids, List<String> problems) {
    /** Copies the lists. */
    public Parsed {
      ids = List.copyOf(ids);
      problems = List.copyOf(problems);
    }
  }

  /** Takes {@code 2 30 58 60} as several words or one, {@code 2,30,58,60}, and mixtures. */
  public static Parsed parse(List<String> words) {
    List<String> problems = new ArrayList<>();
    List<Integer> ids = ListReaders.numbers(words, "layer id", problems);
    if (ids.isEmpty() && problems.isEmpty()) {
      problems.add("has no layer id");
    }
    return new Parsed(ids, problems);
  }
}
