package dev.eagle3.cause;

import static dev.eagle3.cause.TokenCountsTest.pairs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What the samples of a batch do to each other's rows: chunks and graphs that they share. */
class TokenBatchesTest {
  private static final Expectation KIMI =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "config.json");

  private static final RunFacts BY_512 =
      new RunFacts(OptionalInt.empty(), OptionalLong.of(512), "run r");

  /** Batches of 400, 300, 200, 150 and 100, 90, 500, 60 tokens, which are cut at 512 and 1,024. */
  private static final long[] LAST_PARTS = {
    400, 400, 300, 188, 200, 200, 150, 26, 100, 100, 90, 90, 500, 178, 60, 60
  };

  private static final long[] FIRST_PARTS = {
    400, 400, 300, 112, 200, 200, 150, 124, 100, 100, 90, 90, 500, 322, 60, 60
  };

  @Test
  void aChunkThatTheBatchSharesIsNamed() {
    Cause last = only(explain(KIMI.withBatchSize(4, "run r"), BY_512, LAST_PARTS));
    assertThat(last.code()).isEqualTo("tokens.last-chunk-only");
    assertThat(last.evidence())
        .contains(
            "data_1.pt: 188 rows for 300 tokens, of tokens 400 to 700 of its batch, which were cut"
                + " at 512",
            "--max-num-batched-tokens 512 of run r",
            "batch size 4 of run r");

    Cause first = only(explain(KIMI.withBatchSize(4, "run r"), BY_512, FIRST_PARTS));
    assertThat(first.code()).isEqualTo("tokens.first-chunk-only");
  }

  @Test
  void theSizeOfTheBatchAndTheChunkNeedNotBeKnown() {
    Cause cause = only(explain(KIMI, RunFacts.NONE, LAST_PARTS));

    assertThat(cause.code()).isEqualTo("tokens.last-chunk-only");
    assertThat(cause.evidence()).contains("batches of 4 by these files");
  }

  @Test
  void oneRowBesideTheSharedChunkRefutesIt() {
    long[] other = LAST_PARTS.clone();
    other[3] = 189;
    assertThat(explain(KIMI.withBatchSize(4, "run r"), BY_512, other).causes()).isEmpty();

    long[] whole = LAST_PARTS.clone();
    whole[7] = 150;
    assertThat(explain(KIMI.withBatchSize(4, "run r"), BY_512, whole).causes())
        .as("a sample that should have been cut, and is whole")
        .isEmpty();
    assertThat(explain(KIMI.withBatchSize(3, "run r"), BY_512, LAST_PARTS).causes())
        .as("batches of another size")
        .isEmpty();
  }

  @Test
  void aBatchThatWasPaddedTogetherAndNotSplitIsNamed() {
    // 96 + 33 = 129, a graph of 136; 40 + 21 = 61, one of 64.
    Cause cause = only(explain(KIMI, RunFacts.NONE, 96, 136, 33, 136, 40, 64, 21, 64));

    assertThat(cause.code()).isEqualTo("set.batch-not-split");
    assertThat(cause.evidence())
        .contains(
            "data_0.pt: 136 rows for 96 tokens, 136 for 129 = 96 + 33, the tokens of data_0.pt and"
                + " data_1.pt");
    assertThat(explain(KIMI, RunFacts.NONE, 96, 137, 33, 137, 40, 64, 21, 64).causes()).isEmpty();
    assertThat(
            explain(KIMI.withBatchSize(1, "run r"), RunFacts.NONE, 96, 136, 33, 136, 40, 64, 21, 64)
                .causes())
        .isEmpty();
  }

  @Test
  void paddingBehindTheLastOfABatchIsNamed() {
    // 97 + 33 = 130, a graph of 136; 45 + 20 = 65, one of 72; 500 + 300 run without one.
    long[] padded = {97, 97, 33, 39, 45, 45, 20, 27, 500, 500, 300, 300};
    Cause cause = only(explain(KIMI.withBatchSize(2, "run r"), RunFacts.NONE, padded));

    assertThat(cause.code()).isEqualTo("tokens.padded-to-graph-size");
    assertThat(cause.evidence())
        .contains(
            "data_1.pt: 39 rows for 33 tokens, 39 for 33: 6 more than there are tokens, where the"
                + " 130 of its batch end",
            "batch size 2 of run r");
    assertThat(explain(KIMI.withBatchSize(3, "run r"), RunFacts.NONE, padded).causes()).isEmpty();
    long[] first = {97, 103, 33, 33, 45, 45, 20, 27, 500, 500, 300, 300};
    assertThat(explain(KIMI.withBatchSize(2, "run r"), RunFacts.NONE, first).causes())
        .as("padding in front of the last")
        .isEmpty();
  }

  @Test
  void aBatchThatLacksASampleTellsNothing() {
    // data_1 to data_7: what stood in front of them is not known.
    assertThat(
            new CauseFinder()
                .explain(pairs(LAST_PARTS).subList(1, 8), KIMI.withBatchSize(4, "run r"), BY_512)
                .causes())
        .isEmpty();
  }

  @Test
  void goodBatchesHaveNoCause() {
    long[] good = {400, 400, 300, 300, 200, 200, 150, 150, 100, 100, 90, 90, 500, 500, 60, 60};

    Explanation why = explain(KIMI.withBatchSize(4, "run r"), BY_512, good);
    assertThat(why.causes()).isEmpty();
    assertThat(why.notes()).isEmpty();
  }

  @Test
  void ranksThatNoRunSaysAreAGuessAndSaidToBe() {
    assertThat(only(explain(KIMI, RunFacts.NONE, 512, 64, 259, 33, 96, 12)).evidence())
        .contains("no run says the tensor parallel size: 8 is a guess from these files");
  }

  private static Explanation explain(Expectation expected, RunFacts run, long... tokensAndRows) {
    return new CauseFinder().explain(pairs(tokensAndRows), expected, run);
  }

  private static Cause only(Explanation why) {
    assertThat(why.notes()).isEmpty();
    assertThat(why.causes()).hasSize(1);
    return why.causes().get(0);
  }
}
