package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Judges the files of one folder as a set: how many, which numbers, whether they are alike. */
final class SetVerifier {
  private static final int MOST_EXAMPLES = 5;

  /**
   * What is wrong with the set.
   *
   * @param folder the folder, as findings name it
   * @param files verdicts on everything in it, in natural order
   */
  List<Finding> verify(String folder, List<FileVerdict> files, Expectation expected) {
    List<FileVerdict> samples =
        files.stream().filter(file -> file.verdict() != Verdict.SKIPPED).toList();
    if (samples.isEmpty()) {
      return List.of(empty(folder, files));
    }
    List<Finding> findings = new ArrayList<>();
    Optional<SampleNumbers> numbers = SampleNumbers.of(samples);
    if (numbers.isPresent()) {
      addNumbers(folder, numbers.get(), expected.samples(), findings);
      findings.addAll(NotedCheck.byNumber(folder, numbers.get(), samples, expected.sampleTokens()));
    } else {
      // Files that are noted by name are looked for by name.
      boolean named = !expected.fileTokens().isEmpty();
      expected
          .samples()
          .filter(wanted -> !named || samples.size() > wanted.value())
          .ifPresent(wanted -> addCount(folder, samples, wanted, findings));
    }
    findings.addAll(NotedCheck.byName(folder, samples, expected.fileTokens()));
    findings.addAll(alike(folder, samples, expected));
    return findings;
  }

  /** Whether good samples have one shape; to be used alone for files that are no folder's set. */
  List<Finding> alike(String subject, List<FileVerdict> samples, Expectation expected) {
    Map<String, List<FileVerdict>> byShape = new LinkedHashMap<>();
    for (FileVerdict file : samples) {
      if (file.verdict() == Verdict.GOOD && file.shape().isPresent()) {
        SampleShape shape = file.shape().get();
        byShape
            .computeIfAbsent(
                shape.saysForAnyTokens() + " (" + shape.schema() + ")", key -> new ArrayList<>())
            .add(file);
      }
    }
    if (byShape.size() > 1) {
      List<String> evidence =
          byShape.entrySet().stream()
              .limit(MOST_EXAMPLES)
              .map(
                  entry ->
                      files(entry.getValue().size())
                          + ": "
                          + entry.getKey()
                          + ", for example "
                          + nameOf(entry.getValue().get(0)))
              .toList();
      return List.of(
          new Finding(
              "set.shapes-differ",
              Severity.ERROR,
              subject,
              "samples of one shape",
              byShape.size() + " shapes",
              evidence));
    }
    boolean unchecked = expected.layers().isEmpty() || expected.hiddenSize().isEmpty();
    if (byShape.size() == 1 && unchecked) {
      return List.of(consensus(subject, byShape.values().iterator().next(), expected));
    }
    return List.of();
  }

  private static Finding consensus(String subject, List<FileVerdict> good, Expectation expected) {
    String shape = good.get(0).shape().map(SampleShape::saysForAnyTokens).orElse("");
    String agree =
        good.size() == 1 ? "the file holds " : "all " + files(good.size()) + " agree on ";
    String against =
        expected.layers().isPresent()
            ? "hidden size not checked against a model"
            : expected.hiddenSize().isPresent()
                ? "number of layers not checked against a run"
                : "not checked against a model";
    return Finding.of("set.consensus", Severity.NOTE, subject, "", agree + shape + "; " + against);
  }

  private static Finding empty(String folder, List<FileVerdict> others) {
    List<String> evidence =
        others.stream()
            .limit(MOST_EXAMPLES)
            .map(file -> nameOf(file) + ": " + file.says())
            .toList();
    String actual = others.isEmpty() ? "nothing" : "no sample among " + files(others.size());
    return new Finding("set.empty", Severity.ERROR, folder, "samples", actual, evidence);
  }

  private static void addNumbers(
      String folder,
      SampleNumbers numbers,
      Optional<Sourced<Long>> wanted,
      List<Finding> findings) {
    if (wanted.isEmpty()) {
      List<SampleNumbers.Range> holes = numbers.missing(numbers.first(), numbers.last());
      if (!holes.isEmpty()) {
        findings.add(
            Finding.of(
                "set.holes",
                Severity.WARNING,
                folder,
                "every number from " + numbers.first() + " to " + numbers.last(),
                "without " + numbers.words(holes)));
      }
      return;
    }
    long count = wanted.get().value();
    // A run that was told to start further on numbers from there.
    long first = numbers.last() < count ? 0 : numbers.first();
    List<SampleNumbers.Range> missing = numbers.missing(first, first + count - 1);
    List<SampleNumbers.Range> extra = numbers.above(first + count - 1);
    List<String> evidence = List.of(samples(count) + " from " + wanted.get().source());
    if (!missing.isEmpty()) {
      findings.add(
          new Finding(
              "set.files-missing",
              Severity.ERROR,
              folder,
              files(count),
              files(SampleNumbers.sizeOf(missing)) + " missing: " + numbers.words(missing),
              evidence));
    }
    if (!extra.isEmpty()) {
      findings.add(
          new Finding(
              "set.files-extra",
              Severity.WARNING,
              folder,
              files(count),
              files(SampleNumbers.sizeOf(extra)) + " more: " + numbers.words(extra),
              evidence));
    }
  }

  private static void addCount(
      String folder, List<FileVerdict> samples, Sourced<Long> wanted, List<Finding> findings) {
    long there = samples.size();
    if (there == wanted.value()) {
      return;
    }
    boolean missing = there < wanted.value();
    boolean passesOver = missing && samples.stream().anyMatch(SetVerifier::isOfOneThatPassesOver);
    List<String> evidence = new ArrayList<>();
    evidence.add(samples(wanted.value()) + " from " + wanted.source());
    if (passesOver) {
      evidence.add("its program passes over some: batches that are not full, samples too long");
    }
    findings.add(
        new Finding(
            missing ? "set.files-missing" : "set.files-extra",
            missing && !passesOver ? Severity.ERROR : Severity.WARNING,
            folder,
            files(wanted.value()),
            files(there),
            evidence));
  }

  private static boolean isOfOneThatPassesOver(FileVerdict file) {
    return file.shape()
        .flatMap(shape -> Schemas.named(shape.schema()))
        .filter(Schema::passesOver)
        .isPresent();
  }

  private static String nameOf(FileVerdict file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }

  private static String files(long count) {
    return String.format(Locale.ROOT, "%,d", count) + (count == 1 ? " file" : " files");
  }

  private static String samples(long count) {
    return String.format(Locale.ROOT, "%,d", count) + (count == 1 ? " sample" : " samples");
  }
}
