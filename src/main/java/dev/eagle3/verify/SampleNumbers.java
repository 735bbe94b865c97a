package dev.eagle3.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The numbers of samples that are named by them.
 *
 * @param prefix what stands before the number in every name
 * @param extension what stands after it
 * @param sorted the numbers, ascending, each once
 */
record SampleNumbers(String prefix, String extension, List<Long> sorted) {
  private static final int MOST_RANGES_SHOWN = 5;

  /** Numbers from {@code first} to {@code last}, both in it. */
  record Range(long first, long last) {
    long size() {
      return last - first + 1;
    }

    String text() {
      return first == last ? String.valueOf(first) : first + " to " + last;
    }
  }

  /** The numbers of the samples; empty unless all names have the form that a schema numbers. */
  static Optional<SampleNumbers> of(List<FileVerdict> samples) {
    List<SampleName> names = samples.stream().map(file -> SampleName.of(file.path())).toList();
    SampleName first = names.get(0);
    boolean known =
        Schemas.KNOWN.stream()
            .anyMatch(
                schema ->
                    schema.layout().dense()
                        && schema.numberedAs().equals(first.prefix())
                        && schema.extension().equals(first.extension()));
    boolean alike =
        names.stream()
            .allMatch(
                name ->
                    name.number().isPresent()
                        && name.prefix().equals(first.prefix())
                        && name.extension().equals(first.extension()));
    if (!known || !alike) {
      return Optional.empty();
    }
    List<Long> sorted =
        names.stream().map(name -> name.number().getAsLong()).sorted().distinct().toList();
    return Optional.of(new SampleNumbers(first.prefix(), first.extension(), sorted));
  }

  long first() {
    return sorted.get(0);
  }

  long last() {
    return sorted.get(sorted.size() - 1);
  }

  /** What is missing from {@code from} to {@code to}, both in it. */
  List<Range> missing(long from, long to) {
    List<Range> missing = new ArrayList<>();
    long next = from;
    for (long number : sorted) {
      if (number > to) {
        break;
      }
      if (number > next) {
        missing.add(new Range(next, number - 1));
      }
      next = Math.max(next, number + 1);
    }
    if (next <= to) {
      missing.add(new Range(next, to));
    }
    return missing;
  }

  /** The numbers above {@code limit}, as ranges. */
  List<Range> above(long limit) {
    List<Range> above = new ArrayList<>();
    for (long number : sorted) {
      int last = above.size() - 1;
      if (number > limit && last >= 0 && above.get(last).last() == number - 1) {
        above.set(last, new Range(above.get(last).first(), number));
      } else if (number > limit) {
        above.add(new Range(number, number));
      }
    }
    return above;
  }

  /** Names of the files in words: {@code data_N.pt, N = 5, 7 to 9 and 12}. */
  String words(List<Range> ranges) {
    String shown =
        ranges.stream().limit(MOST_RANGES_SHOWN).map(Range::text).collect(Collectors.joining(", "));
    long more = ranges.stream().skip(MOST_RANGES_SHOWN).mapToLong(Range::size).sum();
    String rest = more > 0 ? " and " + more + " more" : "";
    if (ranges.size() == 1 && ranges.get(0).size() == 1) {
      return prefix + shown + extension;
    }
    return prefix + "N" + extension + ", N = " + shown + rest;
  }

  static long sizeOf(List<Range> ranges) {
    return ranges.stream().mapToLong(Range::size).sum();
  }
}
