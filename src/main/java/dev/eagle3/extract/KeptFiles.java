package dev.eagle3.extract;

import dev.eagle3.verify.SampleName;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What verification says of the files that a run is to go on with.
 *
 * @param good names of good samples
 * @param other names of samples that stay although nobody knows whether they are good
 * @param bad names of samples that are no good, and what is wrong with each
 */
record KeptFiles(List<String> good, List<String> other, Map<String, String> bad) {
  private static final int MOST_NAMED = 3;

  /** How many numbers are missing between the lowest and the highest of the samples that stay. */
  long holes() {
    TreeSet<Long> numbers = new TreeSet<>();
    good.forEach(name -> SampleName.of(name).number().ifPresent(numbers::add));
    other.forEach(name -> SampleName.of(name).number().ifPresent(numbers::add));
    if (numbers.isEmpty()) {
      return 0;
    }
    long highest = numbers.last();
    long lowest = numbers.first();
    for (String name : bad.keySet()) {
      long number = SampleName.of(name).number().orElse(lowest);
      lowest = Math.min(lowest, number);
    }
    return highest - lowest + 1 - numbers.size();
  }

  /** The first bad files, each with what is wrong. */
  String namesBad() {
    StringBuilder names = new StringBuilder();
    bad.entrySet().stream()
        .limit(MOST_NAMED)
        .forEach(
            file ->
                names
                    .append(names.isEmpty() ? "" : "; ")
                    .append(file.getKey())
                    .append(": ")
                    .append(file.getValue()));
    int more = bad.size() - MOST_NAMED;
    return more > 0 ? names + "; and " + more + " more" : names.toString();
  }
}
