package dev.eagle3.verify;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What verification says of a set of files.
 *
 * @param files every file in natural order, those that are no samples too
 * @param setFindings what is wrong with the set as a whole, and notes on it
 * @param expectedSamples how many samples should be there; empty when nobody says
 */
public record VerifyResult(
    List<FileVerdict> files, List<Finding> setFindings, OptionalLong expectedSamples) {

  /** Copies the lists. */
  public VerifyResult {
    files = List.copyOf(files);
    setFindings = List.copyOf(setFindings);
  }

  /** How many files have this verdict. */
  public long count(Verdict verdict) {
    return files.stream().filter(file -> file.verdict() == verdict).count();
  }

  /** Good samples: the first number of {@code 10 of 10 good}. */
  public long good() {
    return count(Verdict.GOOD);
  }

  /**
   * Whether no sample is good, and of everything that is there it is known that it is none: nothing
   * was left unread, was still being written, or is of an unknown kind.
   */
  public boolean isWorthless() {
    return good() == 0 && files.stream().noneMatch(FileVerdict::isUndecided);
  }

  /** Samples that are there or should be: the second number of {@code 10 of 10 good}. */
  public long total() {
    return Math.max(good() + count(Verdict.BAD), expectedSamples.orElse(0));
  }

  /**
   * The shape that most samples have: {@code 4 × [T, 7168] bfloat16}; that of good ones if there
   * are any. Followed by the number of other shapes, if there are.
   */
  public String says() {
    Map<String, Long> counts = shapesOf(Verdict.GOOD);
    if (counts.isEmpty()) {
      counts = shapesOf(Verdict.BAD);
    }
    if (counts.isEmpty()) {
      return "no samples";
    }
    // The first of several with one count: entries stand in the order of the files.
    String most =
        counts.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
            .findFirst()
            .orElseThrow()
            .getKey();
    int others = counts.size() - 1;
    return others == 0
        ? most
        : most + " and " + others + (others == 1 ? " other shape" : " other shapes");
  }

  /** {@link Exit#WRONG} when a file is bad or a finding of the set is an error. */
  public Exit exit() {
    boolean setWrong = setFindings.stream().anyMatch(found -> found.severity() == Severity.ERROR);
    return setWrong || count(Verdict.BAD) > 0 ? Exit.WRONG : Exit.DONE;
  }

  /** The event that sums it up. */
  public Event.Summary summary(long seconds, String where) {
    return new Event.Summary(good(), total(), says(), seconds, where);
  }

  private Map<String, Long> shapesOf(Verdict verdict) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (FileVerdict file : files) {
      if (file.verdict() == verdict && file.shape().isPresent()) {
        counts.merge(file.shape().get().saysForAnyTokens(), 1L, Long::sum);
      }
    }
    return counts;
  }
}
