package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Event;
import org.junit.jupiter.api.Test;

class ProgressFinderTest {
  private static Event.Progress found(String text) {
    return ProgressFinder.find(text).orElseThrow().progress();
  }

  @Test
  void shardsOfVllmAreFound() {
    assertThat(
            found(
                "Loading safetensors checkpoint shards:  11% Completed | 14/119 [01:13<09:06,"
                    + "  5.20s/it]"))
        .isEqualTo(new Event.Progress("shards", 14, 119, 1 / 5.2, 546));
    assertThat(found("Loading pt checkpoint shards:   0% Completed | 0/62 [00:00<?, ?it/s]"))
        .isEqualTo(new Event.Progress("shards", 0, 62, Double.NaN, -1));
  }

  @Test
  void tqdmIsFoundInAllItsForms() {
    assertThat(found("Generating hidden states:  20%|██        | 1/5 [00:12<00:48, 12.10s/it]"))
        .isEqualTo(new Event.Progress("batches", 1, 5, 1 / 12.1, 48));
    assertThat(found("  5%|▍         | 68/1250 [1:00:00<10:01:02,  2.22it/s, ok=8, err=0]"))
        .isEqualTo(new Event.Progress("steps", 68, 1250, 2.22, 36_062));
    assertThat(found("a.bin:  42%|####2     | 1.20G/2.86G [00:40<00:55, 30.1MB/s]"))
        .isEqualTo(new Event.Progress("a.bin", 1_200_000_000, 2_860_000_000L, 30_100_000, 55));
    assertThat(found("100%|██████████| 3/3 [00:00<00:00, 7.1batch/s]"))
        .isEqualTo(new Event.Progress("batchs", 3, 3, 7.1, 0));
    assertThat(found("DP#0 Processing: 68it [00:10,  6.80it/s]"))
        .isEqualTo(new Event.Progress("DP#0 Processing", 68, -1, 6.8, -1));
    assertThat(found(" 50%|#####     | 1/2 [00:01<00:01]"))
        .isEqualTo(new Event.Progress("steps", 1, 2, Double.NaN, 1));
  }

  @Test
  void figuresThatAreAbsurdAreNotKnown() {
    String nines = "9".repeat(300);
    assertThat(found("1%|#| " + nines + "/" + nines + " [00:00<" + nines + ", " + nines + "s/it]"))
        .isEqualTo(new Event.Progress("steps", Long.MAX_VALUE, Long.MAX_VALUE, Double.NaN, -1));
    assertThat(found("1%|#| 1/2 [00:00<1::2, 1.2.3it/s]").rate()).isNaN();
    assertThat(found("1%|#| 1/2 [00:00<00:01, 0.00s/it]").rate()).isNaN();
    assertThat(found("1%|#| 1/2 [00:00<00:01, .it/s]").rate()).isNaN();
  }

  @Test
  void whatIsNoProgressIsNone() {
    assertThat(ProgressFinder.find("took 12% | 14/119 of it [ok]")).isEmpty();
    assertThat(ProgressFinder.find("x".repeat(81) + " 12%|# | 1/2 [00:01<00:02]")).isEmpty();
    assertThat(ProgressFinder.find("INFO [loader] 3 files/s")).isEmpty();
  }
}
