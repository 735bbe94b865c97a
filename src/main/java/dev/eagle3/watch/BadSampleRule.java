package dev.eagle3.watch;

import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * When bad samples end a run. With {@link OnBad#AUTO} a run is ended when the samples of its first
 * batch are damaged or show a cause, or when 3 of its last 10 samples have the wrong form; with
 * {@link OnBad#STOP} for any bad sample, with {@link OnBad#WARN} never.
 *
 * <p>The wrong form is that of the file or of its tensors. Wrong values are isolated, mostly, and
 * end no run by themselves. Knows no clock, files or host.
 */
final class BadSampleRule {
  private static final int LAST = 10;
  private static final int MOST_OF_LAST = 3;

  private final OnBad onBad;
  private final int batchSize;
  private final Set<String> misformedOfFirstBatch = new LinkedHashSet<>();
  private final Deque<Boolean> lastMisformed = new ArrayDeque<>();
  private String damaged = "";
  private String bad = "";
  private long taken;

  /**
   * A rule for one run.
   *
   * @param batchSize samples a batch; 0 when nobody says
   */
  BadSampleRule(OnBad onBad, int batchSize) {
    this.onBad = onBad;
    this.batchSize = Math.max(1, batchSize);
  }

  /** The next sample of the run. */
  void take(FileVerdict sample) {
    taken++;
    if (sample.verdict() == Verdict.BAD && bad.isEmpty()) {
      bad = sample.path();
    }
    boolean misformed = sample.isMisformed();
    if (misformed && taken <= batchSize) {
      misformedOfFirstBatch.add(sample.path());
      damaged = damaged.isEmpty() && sample.isDamaged() ? sample.path() : damaged;
    }
    lastMisformed.addLast(misformed);
    if (lastMisformed.size() > LAST) {
      lastMisformed.removeFirst();
    }
  }

  /** Whether the samples so far are whole batches: the next one belongs to another. */
  boolean isBatchComplete() {
    return taken % batchSize == 0;
  }

  /**
   * Why the run is to be ended, as one clause that follows "since"; empty when it goes on.
   *
   * @param causes what its samples show so far
   */
  Optional<String> reason(List<Cause> causes) {
    return switch (onBad) {
      case WARN -> Optional.empty();
      case STOP -> bad.isEmpty() ? Optional.empty() : Optional.of(name(bad) + " is bad");
      case AUTO -> structural(causes);
    };
  }

  private Optional<String> structural(List<Cause> causes) {
    if (!damaged.isEmpty()) {
      return Optional.of(name(damaged) + ", of its first batch, is damaged");
    }
    Optional<String> cause =
        causes.stream()
            .filter(shown -> shown.subjects().stream().anyMatch(misformedOfFirstBatch::contains))
            .map(Cause::code)
            .findFirst();
    if (cause.isPresent()) {
      return Optional.of("its first batch shows " + cause.get());
    }
    long misformed = lastMisformed.stream().filter(is -> is).count();
    return misformed >= MOST_OF_LAST
        ? Optional.of(
            misformed + " of its last " + lastMisformed.size() + " samples have the wrong form")
        : Optional.empty();
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
