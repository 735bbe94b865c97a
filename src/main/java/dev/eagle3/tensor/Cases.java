package dev.eagle3.tensor;

import java.util.ArrayList;
import java.util.List;

/** Like cases of one fault: how many, and the first few in words. */
final class Cases {
  private static final int MOST_EXAMPLES = 5;

  private final List<String> examples = new ArrayList<>(0);
  private int count;

  void add(String words) {
    count++;
    if (examples.size() < MOST_EXAMPLES) {
      examples.add(words);
    }
  }

  int count() {
    return count;
  }

  /** The first few, and the number of the others. */
  List<String> examples() {
    List<String> all = new ArrayList<>(examples);
    if (count > examples.size()) {
      all.add("and " + Findings.grouped(count - (long) examples.size()) + " more");
    }
    return all;
  }
}
