package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SampleTrackerTest {
  private final SampleTracker tracker = new SampleTracker();

  @Test
  void aNewSampleIsLookedAtAndOneThatIsSettledNeverAgain() {
    FileStat file = file("data_0.pt", 100, 1);

    assertThat(due(file)).containsExactly("data_0.pt 0");
    tracker.settle(file);

    assertThat(due(file)).isEmpty();
    assertThat(due(file("data_0.pt", 999, 9))).isEmpty();
    assertThat(tracker.hasChanged()).isFalse();
  }

  @Test
  void aSampleThatGrowsIsLookedAtEachTimeAndIsNotAtRest() {
    for (int bytes = 0; bytes < 20; bytes++) {
      assertThat(due(file("data_0.pt", bytes, 1))).containsExactly("data_0.pt 0");
      assertThat(tracker.hasChanged()).isTrue();
    }
    assertThat(due(file("data_0.pt", 19, 2))).as("its time").containsExactly("data_0.pt 0");
  }

  @Test
  void aSampleThatRestsIsLookedAtAgainOnceAndThenNowAndThen() {
    FileStat file = file("data_0.pt", 100, 1);
    due(file);

    List<Integer> looks =
        IntStream.rangeClosed(1, 25).filter(list -> !due(file).isEmpty()).boxed().toList();

    assertThat(looks).containsExactly(2, 12, 22);
  }

  @Test
  void onceNothingIsWrittenAnyMoreAllThatAreLeftAreLookedAt() {
    FileStat settled = file("data_0.pt", 100, 1);
    FileStat cut = file("data_1.pt", 100, 1);
    tracker.due(List.of(settled, cut));
    tracker.settle(settled);

    assertThat(tracker.left(List.of(settled, cut)))
        .extracting(SampleTracker.Due::file)
        .containsExactly(cut);
  }

  @Test
  void aSampleThatGoesOnGrowingAfterARestIsNewAgain() {
    due(file("data_0.pt", 100, 1));
    due(file("data_0.pt", 100, 1));
    due(file("data_0.pt", 100, 1));

    assertThat(due(file("data_0.pt", 101, 1))).containsExactly("data_0.pt 0");
  }

  @Test
  void ofARunThatHasSavedManyTheFirstAndTheLastAreLookedAt() {
    List<FileStat> many =
        IntStream.range(0, 10_000).mapToObj(index -> file("data_" + index + ".pt", 1, 1)).toList();

    List<SampleTracker.Due> due = tracker.due(many);

    assertThat(due).hasSize(SampleTracker.MOST_AT_FIRST);
    assertThat(due.get(0).file().name()).isEqualTo("data_0.pt");
    assertThat(due.get(due.size() - 1).file().name()).isEqualTo("data_9999.pt");
  }

  @Test
  void ofARunThatIsWatchedFromItsStartAllAreLookedAt() {
    tracker.due(List.of());
    due(file("data_0.pt", 1, 1));
    List<FileStat> many =
        IntStream.range(0, 10_000).mapToObj(index -> file("data_" + index + ".pt", 1, 1)).toList();

    assertThat(tracker.due(many)).hasSize(9_999);
  }

  private List<String> due(FileStat... listed) {
    return tracker.due(List.of(listed)).stream()
        .map(due -> due.file().name() + " " + due.rests())
        .toList();
  }

  private static FileStat file(String name, long bytes, long time) {
    return new FileStat("/out/" + name, FileKind.FILE, bytes, time, 0644);
  }
}
