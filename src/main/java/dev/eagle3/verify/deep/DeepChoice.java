package dev.eagle3.verify.deep;

import java.util.List;
import java.util.Set;

/**
 * Which files to read the values of.
 *
 * @param paths of the files
 * @param bytes of all of them together
 * @param files how many samples there are, chosen or not
 * @param first a few of the paths, in order
 */
public record DeepChoice(Set<String> paths, long bytes, long files, List<String> first) {
  /** Copies the collections. */
  public DeepChoice {
    paths = Set.copyOf(paths);
    first = List.copyOf(first);
  }
}
