package dev.eagle3.verify;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** Compares the samples of a folder with what the extractor itself noted beside them. */
final class NotedCheck {
  private static final int MOST_EXAMPLES = 5;
  private static final int MOST_LETTERS = 120;

  private NotedCheck() {}

  /** Compares with the lengths that the extractor itself noted by number. */
  static List<Finding> byNumber(
      String folder, SampleNumbers numbers, List<FileVerdict> samples, Map<Long, Long> noted) {
    List<Finding> findings = new ArrayList<>();
    List<String> evidence = new ArrayList<>();
    long differing = 0;
    for (FileVerdict file : samples) {
      Long length = noted.get(SampleName.of(file.path()).number().orElse(-1));
      OptionalLong tokens =
          file.shape().isPresent() ? file.shape().get().tokens() : OptionalLong.empty();
      if (length != null && tokens.isPresent() && tokens.getAsLong() != length) {
        differing++;
        if (evidence.size() < MOST_EXAMPLES) {
          evidence.add(nameOf(file) + ": " + tokens.getAsLong() + " tokens, noted " + length);
        }
      }
    }
    if (differing > 0) {
      findings.add(
          new Finding(
              "set.lengths-differ",
              Severity.WARNING,
              folder,
              "the lengths of sample_lengths.json",
              files(differing) + " of another length",
              evidence));
    }
    Set<Long> there = Set.copyOf(numbers.sorted());
    long gone = noted.keySet().stream().filter(number -> !there.contains(number)).count();
    if (gone > 0) {
      findings.add(
          Finding.of(
              "set.noted-missing",
              Severity.WARNING,
              folder,
              "every file that sample_lengths.json names",
              files(gone) + " of them missing"));
    }
    return findings;
  }

  /** Compares with the files and lengths that the extractor noted by name. */
  static List<Finding> byName(String folder, List<FileVerdict> samples, Map<String, Long> noted) {
    List<Finding> findings = new ArrayList<>();
    Map<String, Long> left = new TreeMap<>(noted);
    List<String> differing = new ArrayList<>();
    for (FileVerdict file : samples) {
      String name = below(folder, file.path());
      Long length = left.remove(name);
      OptionalLong tokens =
          file.shape().isPresent() ? file.shape().get().tokens() : OptionalLong.empty();
      if (length != null && tokens.isPresent() && tokens.getAsLong() != length) {
        differing.add(name + ": " + tokens.getAsLong() + " tokens, noted " + length);
      }
    }
    if (!differing.isEmpty()) {
      findings.add(
          new Finding(
              "set.lengths-differ",
              Severity.WARNING,
              folder,
              "the lengths of manifest.jsonl",
              files(differing.size()) + " of another length",
              differing.stream().limit(MOST_EXAMPLES).toList()));
    }
    if (!left.isEmpty()) {
      findings.add(
          new Finding(
              "set.noted-missing",
              Severity.ERROR,
              folder,
              "every file that manifest.jsonl names",
              files(left.size()) + " missing",
              left.keySet().stream()
                  .limit(MOST_EXAMPLES)
                  .map(name -> Printable.line(name, MOST_LETTERS))
                  .toList()));
    }
    return findings;
  }

  /** The path below the folder, which may be written with slashes at its end. */
  private static String below(String folder, String path) {
    if (!path.startsWith(folder)) {
      return path;
    }
    int at = folder.length();
    while (at < path.length() && path.charAt(at) == '/') {
      at++;
    }
    return path.substring(at);
  }

  private static String nameOf(FileVerdict file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }

  private static String files(long count) {
    return String.format(Locale.ROOT, "%,d", count) + (count == 1 ? " file" : " files");
  }
}
