package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LiveSamplesTest {
  private static final long SECOND = 1_000_000_000L;

  private final List<Event> events = new ArrayList<>();
  private long nanos;
  private int whenGood;
  private int number;

  @Test
  void theFirstGoodSampleIsToldOnce() {
    LiveSamples samples = samples(OnBad.AUTO, 2);

    samples.take(bad("file.cut"));
    assertThat(whenGood).isZero();
    samples.take(good());
    samples.take(good());

    assertThat(whenGood).isEqualTo(1);
  }

  @Test
  void theRestOfABatchIsWaitedForAndNotForEver() {
    LiveSamples samples = samples(OnBad.AUTO, 4);
    samples.take(bad("file.cut"));

    assertThat(samples.reasonToEnd()).isEmpty();
    nanos += SECOND;
    assertThat(samples.reasonToEnd()).isEmpty();
    nanos += SECOND;
    assertThat(samples.reasonToEnd()).isPresent();
  }

  @Test
  void aWholeBatchIsReasonEnough() {
    LiveSamples samples = samples(OnBad.AUTO, 2);
    samples.take(bad("file.cut"));
    assertThat(samples.reasonToEnd()).isEmpty();

    samples.take(good());

    assertThat(samples.reasonToEnd()).isPresent();
  }

  @Test
  void samplesAreCountedAgainstThoseThatThereWillBe() {
    LiveSamples samples = samples(OnBad.AUTO, 2);
    samples.count(0);
    samples.expect(Expectation.NONE.withSamples(100, "data.jsonl"));
    nanos += 10 * SECOND;
    samples.count(20);

    assertThat(events).containsExactly(new Event.Progress("samples", 20, 100, 2, 40));
  }

  @Test
  void countsThatMakeNoSenseAreNoTrouble() {
    LiveSamples samples = samples(OnBad.AUTO, 2);
    samples.expect(Expectation.NONE.withSamples(3, "data.jsonl"));
    samples.count(5);
    nanos += SECOND;
    samples.count(7);

    assertThat(events).last().isEqualTo(new Event.Progress("samples", 7, 3, 2, -1));
  }

  @Test
  void badSamplesOfARunThatWentOnAreNamedSomeOfThem() {
    LiveSamples samples = samples(OnBad.WARN, 2);
    samples.take(good());
    for (int index = 0; index < 30; index++) {
      samples.take(bad("mask.all-zero"));
    }
    samples.sayBad();

    assertThat(events)
        .last()
        .satisfies(
            event ->
                assertThat(((Event.Check) event).says())
                    .startsWith("30 bad samples: data_1.pt, data_2.pt, ")
                    .contains("data_20.pt and 10 more; extract --resume"));
  }

  private LiveSamples samples(OnBad onBad, int batchSize) {
    return new LiveSamples(
        new SampleWatch(WatchPlans.of(Path.of("/out"), batchSize), onBad, false, () -> whenGood++),
        events::add,
        () -> nanos);
  }

  private FileVerdict good() {
    return verdict(Verdict.GOOD, List.of());
  }

  private FileVerdict bad(String code) {
    return verdict(
        Verdict.BAD, List.of(Finding.of(code, Severity.ERROR, "data.pt", "good", "bad")));
  }

  private FileVerdict verdict(Verdict verdict, List<Finding> findings) {
    String path = "/out/data_" + number++ + ".pt";
    return new FileVerdict(path, 100, verdict, Optional.empty(), "", findings);
  }
}
