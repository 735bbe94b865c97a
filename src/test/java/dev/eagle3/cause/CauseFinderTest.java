package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleFiles;
import dev.eagle3.verify.SampleVerifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CauseFinderTest {
  private static final Expectation KIMI =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "config.json");
  private static final String STORY =
      "771 tensors of [512]: 771 = 512 + 259, the tokens of samples 0 and 1: each token row of the"
          + " first layer was taken for a layer, and T = 512 cut the hidden dimension";

  @Test
  void theStoryIsNamedWithItsArithmetic() {
    Cause cause = only(unwrapped(7168, 0, 512, 259), KIMI.withBatchSize(2, "run"));

    assertThat(cause.code()).isEqualTo("layers.reply-unwrapped");
    assertThat(cause.evidence()).contains(STORY);
    assertThat(cause.evidence())
        .contains("data_1.pt: 771 tensors of [259], columns 512 to 771 of the same rows");
    assertThat(cause.where())
        .isEqualTo(
            "vllm_hidden_states_generator.py takes [0] of the reply of"
                + " collective_rpc(..., unique_reply_rank=...)");
    assertThat(cause.fix()).contains("drop that [0]").contains("0.11.0");
    assertThat(cause.subjects()).containsExactly("/out/data_0.pt", "/out/data_1.pt");
  }

  @Test
  void theBatchSizeAndTheModelNeedNotBeKnown() {
    assertThat(only(unwrapped(7168, 0, 512, 259), Expectation.NONE).evidence()).contains(STORY);
    assertThat(only(unwrapped(7168, 0, 512, 259), KIMI).evidence()).contains(STORY);
  }

  @Test
  void everyBatchOfASetIsFoundAndTheLastMayBeShort() {
    List<FileVerdict> files = new ArrayList<>();
    files.addAll(unwrapped(7168, 0, 512, 259, 100));
    files.addAll(unwrapped(7168, 3, 300, 300, 300));
    files.addAll(unwrapped(7168, 6, 300, 300, 300));
    files.addAll(unwrapped(7168, 9, 400));

    for (Expectation expected : List.of(KIMI, KIMI.withBatchSize(3, "run"))) {
      Cause cause = only(files, expected);
      assertThat(cause.subjects()).hasSize(10);
      assertThat(cause.evidence().get(0))
          .startsWith("871 tensors of [512]: 871 = 512 + 259 + 100, the tokens of samples 0 to 2");
      assertThat(cause.evidence()).contains("the sums of all 4 batches agree, 10 files");
    }
  }

  @Test
  void aBatchOfOneIsFound() {
    Cause cause = only(unwrapped(7168, 7, 512), KIMI);

    assertThat(cause.evidence())
        .containsExactly(
            "512 tensors of [512]: 512 are the tokens of sample 7, a batch of one: each token row"
                + " of the first layer was taken for a layer, and T = 512 cut the hidden"
                + " dimension");
  }

  @Test
  void samplesBeyondTheHiddenSizeAreCutShortOrEmpty() {
    // 7168 − 6000 = 1168 columns are left for the third, none for the fourth.
    List<FileVerdict> files = unwrapped(7168, 0, 3000, 3000, 2000, 50);
    assertThat(files.get(2).says()).isEqualTo("8050 × [1168] bfloat16");
    assertThat(files.get(3).says()).isEqualTo("8050 × [0] bfloat16");

    for (Expectation expected : List.of(KIMI, Expectation.NONE)) {
      Cause cause = only(files, expected);
      assertThat(cause.subjects()).hasSize(4);
      assertThat(cause.evidence())
          .contains(
              "data_3.pt: nothing is left for it, as its columns would begin at 8000 and the"
                  + " hidden size is 7168");
    }
  }

  @Test
  void aSampleLongerThanTheHiddenSizeIsFound() {
    Cause cause = only(unwrapped(128, 0, 160, 90), Expectation.NONE);

    assertThat(cause.evidence().get(0))
        .isEqualTo(
            "250 tensors of [128]: 250 = 160 + 90, the tokens of samples 0 and 1: each token row of"
                + " the first layer was taken for a layer, all of its H = 128 values, as T = 160 is"
                + " more");
  }

  @Test
  void anyBatchesAreFoundWhateverTheirSizes() {
    Random random = new Random(20261129);
    for (int round = 0; round < 200; round++) {
      int batchSize = 1 + random.nextInt(8);
      int width = 64 + random.nextInt(8000);
      List<FileVerdict> files = new ArrayList<>();
      int batches = 2 + random.nextInt(4);
      for (int batch = 0; batch < batches; batch++) {
        int size = batch == batches - 1 ? 1 + random.nextInt(batchSize) : batchSize;
        long[] tokens = random.longs(size, 129, 2048).toArray();
        files.addAll(unwrapped(width, files.size(), tokens));
      }
      Expectation known =
          Expectation.NONE.withHiddenSize(width, "config.json").withBatchSize(batchSize, "run");

      assertThat(only(files, known).subjects()).as("round %d", round).hasSize(files.size());
      assertThat(only(files, Expectation.NONE).subjects())
          .as("round %d", round)
          .hasSize(files.size());
    }
  }

  @Test
  void manyAddendsAreSaidInShort() {
    long[] tokens = new long[16];
    Arrays.fill(tokens, 20);
    Cause cause = only(unwrapped(7168, 0, tokens), Expectation.NONE);

    assertThat(cause.evidence().get(0))
        .startsWith(
            "320 tensors of [20]: 320 = 20 + 20 + 20 + … + 20, the tokens of samples 0 to 15");
  }

  @Test
  void goodFilesHaveNoCause() {
    List<FileVerdict> files =
        List.of(
            verdict("data_0.pt", 512, 4, KIMI, 512L, 7168L),
            verdict("data_1.pt", 259, 4, KIMI, 259L, 7168L));

    assertThat(find(files, KIMI)).isEmpty();
  }

  @Test
  void theRightNumberOfRowsOfAVectorEachIsAnotherFault() {
    // Four layers whose hidden dimension was averaged away; and T = 4 looks like a batch of one.
    assertThat(
            find(
                List.of(
                    verdict("data_0.pt", 512, 4, KIMI, 512L),
                    verdict("data_1.pt", 259, 4, KIMI, 259L)),
                KIMI))
        .isEmpty();
    assertThat(find(List.of(verdict("data_0.pt", 4, 4, KIMI, 4L)), KIMI)).isEmpty();
    assertThat(find(List.of(verdict("data_0.pt", 4, 4, Expectation.NONE, 4L)), Expectation.NONE))
        .isEmpty();
  }

  @Test
  void asManyLayersAsTokensWithTheirHiddenDimensionAreAnotherFault() {
    List<FileVerdict> files =
        List.of(
            verdict("data_0.pt", 512, 771, KIMI, 512L, 7168L),
            verdict("data_1.pt", 259, 771, KIMI, 259L, 7168L));

    assertThat(find(files, KIMI)).isEmpty();
  }

  @Test
  void sumsThatDoNotMatchHaveNoCause() {
    assertThat(
            find(
                List.of(
                    verdict("data_0.pt", 512, 772, KIMI, 512L),
                    verdict("data_1.pt", 259, 772, KIMI, 259L)),
                KIMI))
        .isEmpty();
    assertThat(
            find(
                List.of(
                    verdict("data_0.pt", 512, 771, KIMI, 512L),
                    verdict("data_1.pt", 259, 772, KIMI, 259L)),
                KIMI))
        .isEmpty();
  }

  @Test
  void lengthsThatDoNotMatchHaveNoCause() {
    assertThat(
            find(
                List.of(
                    verdict("data_0.pt", 512, 771, KIMI, 512L),
                    verdict("data_1.pt", 259, 771, KIMI, 258L)),
                KIMI))
        .isEmpty();
  }

  @Test
  void aBatchThatIsNotWholeHasNoCause() {
    assertThat(find(List.of(verdict("data_0.pt", 512, 771, KIMI, 512L)), KIMI)).isEmpty();
    assertThat(
            find(
                List.of(
                    verdict("data_0.pt", 512, 771, KIMI, 512L),
                    verdict("data_2.pt", 259, 771, KIMI, 259L)),
                KIMI))
        .as("samples 0 and 2 are no neighbours")
        .isEmpty();
  }

  @Test
  void filesOfABatchThatIsNotWholeAreCountedBesideAProof() {
    List<FileVerdict> files = new ArrayList<>(unwrapped(7168, 0, 512, 259));
    files.add(unwrapped(7168, 2, 300, 200).get(0));
    Cause cause = only(files, KIMI);

    assertThat(cause.subjects()).hasSize(2);
    assertThat(cause.evidence()).contains("1 more of this kind, of batches that are not whole");
  }

  @Test
  void theBatchSizeOfTheRunIsComparedAndCannotMislead() {
    List<FileVerdict> files = new ArrayList<>(unwrapped(7168, 0, 512, 259));
    files.addAll(unwrapped(7168, 2, 512, 259));
    files.addAll(unwrapped(7168, 4, 100));

    assertThat(only(files, KIMI.withBatchSize(2, "run r")).evidence())
        .contains("batches of 2, as with the batch size 2 of run r");
    Cause cause = only(files, KIMI.withBatchSize(3, "run r"));
    assertThat(cause.subjects()).hasSize(5);
    assertThat(cause.evidence())
        .contains("batches of 2 by these sums, though the batch size 3 of run r");
  }

  @Test
  void batchesOfTwoFoldersAreKeptApart() {
    List<FileVerdict> files =
        List.of(
            verdict("/a/data_0.pt", 512, 771, KIMI, 512L),
            verdict("/b/data_1.pt", 259, 771, KIMI, 259L));

    assertThat(find(files, KIMI)).isEmpty();
  }

  @Test
  void noFilesHaveNoCause() {
    assertThat(find(List.of(), KIMI)).isEmpty();
  }

  /** What the fault saves of a batch: the very code of the generator, on shapes. */
  private static List<FileVerdict> unwrapped(long hiddenSize, long firstNumber, long... tokens) {
    int rows = (int) Arrays.stream(tokens).sum();
    List<FileVerdict> files = new ArrayList<>();
    long offset = 0;
    for (int index = 0; index < tokens.length; index++) {
      long begin = Math.min(offset, hiddenSize);
      long end = Math.min(offset + tokens[index], hiddenSize);
      files.add(
          verdict(
              "/out/data_" + (firstNumber + index) + ".pt",
              tokens[index],
              rows,
              Expectation.NONE,
              end - begin));
      offset += tokens[index];
    }
    return files;
  }

  private static FileVerdict verdict(
      String path, long tokens, int layers, Expectation expected, Long... shape) {
    return new SampleVerifier().verify(SampleFiles.sample(path, tokens, layers, shape), expected);
  }

  private static Cause only(List<FileVerdict> files, Expectation expected) {
    List<Cause> causes = find(files, expected);
    assertThat(causes).hasSize(1);
    return causes.get(0);
  }

  private static List<Cause> find(List<FileVerdict> files, Expectation expected) {
    return new CauseFinder().find(files, expected);
  }
}
