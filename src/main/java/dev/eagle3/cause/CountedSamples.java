package dev.eagle3.cause;

import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleName;
import dev.eagle3.verify.SampleShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The samples of which tokens and rows can be compared.
 *
 * @param all in natural order
 * @param wrong those whose rows are not their tokens
 * @param unclear how many more files have a wrong number of rows, and another fault that keeps them
 *     from being compared: layers that differ, a hidden size that is none, axes that changed places
 */
record CountedSamples(List<CountedSample> all, List<CountedSample> wrong, int unclear) {
  /** Larger counts are no sample's, and would make sums overflow. */
  private static final long MOST_TOKENS = 1L << 40;

  CountedSamples {
    all = List.copyOf(all);
    wrong = List.copyOf(wrong);
  }

  static CountedSamples of(Symptoms symptoms) {
    if (symptoms.files().stream().noneMatch(CountedSamples::isRowsWrong)) {
      return new CountedSamples(List.of(), List.of(), 0);
    }
    List<CountedSample> all = new ArrayList<>();
    int unclear = 0;
    for (FileVerdict file : symptoms.files()) {
      if (file.isBeingWritten() || file.shape().isEmpty()) {
        continue;
      }
      Optional<CountedSample> counted = count(file.path(), file.shape().get(), symptoms);
      counted.ifPresent(all::add);
      boolean empty = file.shape().get().tokens().orElse(0) < 1;
      if (counted.isEmpty() && !empty && isRowsWrong(file)) {
        unclear++;
      }
    }
    return of(all, unclear);
  }

  private static CountedSamples of(List<CountedSample> all, int unclear) {
    return new CountedSamples(
        all, all.stream().filter(sample -> !sample.isWhole()).toList(), unclear);
  }

  private static boolean isRowsWrong(FileVerdict file) {
    return file.findings().stream().anyMatch(finding -> finding.code().equals("tokens.count"));
  }

  private static Optional<CountedSample> count(String path, SampleShape shape, Symptoms symptoms) {
    long tokens = shape.tokens().orElse(0);
    Optional<List<Long>> layer = shape.layerShape().filter(sizes -> sizes.size() == 2);
    if (tokens < 1 || layer.isEmpty()) {
      return Optional.empty();
    }
    long rows = layer.get().get(0);
    long width = layer.get().get(1);
    boolean widthIsKnown = symptoms.expected().hiddenSize().isPresent();
    boolean widthIsRight =
        widthIsKnown
            ? symptoms.expected().hiddenSize().orElseThrow().value() == width
            : width != tokens;
    boolean comparable = rows == tokens || (widthIsRight && shape.layers() != tokens);
    return comparable && tokens <= MOST_TOKENS && rows <= MOST_TOKENS
        ? Optional.of(new CountedSample(path, SampleName.of(path), tokens, rows))
        : Optional.empty();
  }

  /** The same folder by folder. Files that are unclear cannot be told apart, and stay with each. */
  List<CountedSamples> byFolder() {
    Map<String, List<CountedSample>> folders = new LinkedHashMap<>();
    for (CountedSample sample : all) {
      folders.computeIfAbsent(sample.name().folder(), folder -> new ArrayList<>()).add(sample);
    }
    return folders.values().stream().map(samples -> of(samples, unclear)).toList();
  }

  /** Of the wrong samples, the value that most have; the first of several. */
  OptionalLong mostCommon(ToLongFunction<CountedSample> value) {
    Map<Long, Integer> counts = new LinkedHashMap<>();
    long best = 0;
    int most = 0;
    for (CountedSample sample : wrong) {
      int count = counts.merge(value.applyAsLong(sample), 1, Integer::sum);
      if (count > most) {
        most = count;
        best = value.applyAsLong(sample);
      }
    }
    return most == 0 ? OptionalLong.empty() : OptionalLong.of(best);
  }

  /** The greatest number that divides this value of every wrong sample. */
  long divisor(ToLongFunction<CountedSample> value) {
    long divisor = 0;
    for (CountedSample sample : wrong) {
      long other = Math.abs(value.applyAsLong(sample));
      while (other != 0) {
        long rest = divisor % other;
        divisor = other;
        other = rest;
      }
    }
    return divisor;
  }
}
