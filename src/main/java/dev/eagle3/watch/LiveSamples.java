package dev.eagle3.watch;

import dev.eagle3.cause.CauseFinder;
import dev.eagle3.cause.RunFacts;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleName;
import dev.eagle3.verify.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The samples of a run that lives, as they are checked: says what is wrong with each, and why, and
 * whether the run is to be ended for it. Keeps the first and the last ones, which is what a cause
 * is proven by. For one thread.
 */
final class LiveSamples {
  private static final int FIRST_KEPT = 64;
  private static final int LAST_KEPT = 16;
  private static final int MOST_NAMED = 20;

  /** How long the rest of a batch is waited for, which may prove a cause. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final SampleWatch wanted;
  private final EventSink sink;
  private final LongSupplier nanos;
  private final BadSampleRule rule;
  private final RunFacts run;
  private final List<FileVerdict> first = new ArrayList<>();
  private final Deque<FileVerdict> last = new ArrayDeque<>();
  private final Set<String> said = new HashSet<>();
  private final List<String> namedBad = new ArrayList<>();

  private Expectation expected = Expectation.NONE;
  private List<Cause> causes = List.of();
  private Optional<Finding> firstWrong = Optional.empty();
  private long good;
  private long bad;
  private long firstCount = -1;
  private long firstNanos;
  private @Nullable Long reasonSince;

  /**
   * The samples of one run.
   *
   * @param nanos a clock that never goes back
   */
  LiveSamples(SampleWatch wanted, EventSink sink, LongSupplier nanos) {
    this.wanted = wanted;
    this.sink = sink;
    this.nanos = nanos;
    this.rule = new BadSampleRule(wanted.onBad(), wanted.plan().batchSize());
    this.run = RunFacts.of(wanted.plan(), wanted.name());
  }

  /** What they should look like. */
  void expect(Expectation expectation) {
    expected = expectation;
  }

  /** The next one that was checked. */
  void take(FileVerdict sample) {
    keep(sample);
    rule.take(sample);
    sink.emit(sample.event());
    sample.findings().forEach(finding -> sink.emit(new Event.Found(finding)));
    if (sample.verdict() == Verdict.BAD) {
      bad++;
      if (firstWrong.isEmpty()) {
        firstWrong =
            sample.findings().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .findFirst();
      }
      if (namedBad.size() < MOST_NAMED) {
        namedBad.add(sample.path().substring(sample.path().lastIndexOf('/') + 1));
      }
    } else if (good++ == 0) {
      wanted.whenGood().run();
    }
    if (sample.verdict() == Verdict.BAD || (bad > 0 && bad + good <= FIRST_KEPT + LAST_KEPT)) {
      explain();
    }
  }

  /** So many are finished by now: says how far the run is. */
  void count(long finished) {
    long now = nanos.getAsLong();
    if (firstCount < 0) {
      firstCount = finished;
      firstNanos = now;
    }
    if (finished == 0) {
      return;
    }
    double seconds = (now - firstNanos) / 1e9;
    double rate = finished > firstCount ? (finished - firstCount) / seconds : Double.NaN;
    long total = total();
    long eta = total < 0 || Double.isNaN(rate) ? -1 : Math.round((total - finished) / rate);
    sink.emit(new Event.Progress("samples", finished, total, rate, Math.max(-1, eta)));
  }

  /** How many there will be; -1 where nobody knows, also of a run that goes on in a folder. */
  private long total() {
    return wanted.plan().previousOutput() == PreviousOutput.KEEP
        ? -1
        : expected.samples().map(Sourced::value).orElse(-1L);
  }

  /**
   * Why the run is to be ended now; empty when it goes on. Of a batch that is about to be complete
   * the rest is waited for.
   */
  Optional<String> reasonToEnd() {
    Optional<String> reason = rule.reason(causes);
    if (reason.isEmpty()) {
      return reason;
    }
    long now = nanos.getAsLong();
    if (reasonSince == null) {
      reasonSince = now;
    }
    boolean waited = now - reasonSince >= PATIENCE.toNanos();
    return rule.isBatchComplete() || waited ? reason : Optional.empty();
  }

  /** What is wrong with the first bad one; empty when none is. */
  Optional<Finding> firstWrong() {
    return firstWrong;
  }

  /** Of a run that went on, says which samples are bad. */
  void sayBad() {
    if (bad == 0 || good == 0) {
      return;
    }
    long more = bad - namedBad.size();
    sink.emit(
        new Event.Check(
            "samples",
            "on-bad",
            "warning",
            bad
                + (bad == 1 ? " bad sample: " : " bad samples: ")
                + String.join(", ", namedBad)
                + (more > 0 ? " and " + more + " more" : "")
                + "; extract --resume takes them out and keeps the good ones"));
  }

  private void keep(FileVerdict sample) {
    if (first.size() < FIRST_KEPT) {
      first.add(sample);
      return;
    }
    last.addLast(sample);
    if (last.size() > LAST_KEPT) {
      last.removeFirst();
    }
  }

  /** What is only probable may look otherwise with the next sample: that is not said yet. */
  private void explain() {
    List<FileVerdict> kept = new ArrayList<>(first);
    kept.addAll(last);
    kept.sort(Comparator.comparing(FileVerdict::path, SampleName.NATURAL_ORDER));
    causes =
        new CauseFinder()
            .explain(kept, expected, run).causes().stream().filter(Cause::isSure).toList();
    for (Cause cause : causes) {
      if (said.add(cause.code())) {
        sink.emit(new Event.Named(cause));
      }
    }
  }
}
