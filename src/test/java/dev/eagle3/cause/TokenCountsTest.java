package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Finding;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleFiles;
import dev.eagle3.verify.SampleVerifier;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TokenCountsTest {
  private static final Expectation KIMI =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "config.json");

  private static final RunFacts EIGHT =
      new RunFacts(OptionalInt.of(8), OptionalLong.empty(), "run r");

  @Test
  void tokensSplitOverRanksAreNamed() {
    Cause cause = only(explain(pairs(512, 64, 259, 33, 96, 12, 33, 5), KIMI, EIGHT));

    assertThat(cause.code()).isEqualTo("tokens.split-over-ranks");
    assertThat(cause.says()).startsWith("the tokens were split over the tensor-parallel ranks");
    assertThat(cause.evidence())
        .containsExactly(
            "data_0.pt: 64 rows for 512 tokens, 64 = ⌈512 / 8⌉",
            "data_1.pt: 33 rows for 259 tokens, 33 = ⌈259 / 8⌉",
            "data_2.pt: 12 rows for 96 tokens, 12 = ⌈96 / 8⌉",
            "this explains all 4 files",
            "tensor parallel size 8 of run r",
            "tokens.prefix-cached would explain 1 of 4 (n − T is a multiple of 16)");
    assertThat(cause.subjects()).hasSize(4);
  }

  @Test
  void theNumberOfRanksNeedNotBeKnownOrRight() {
    long[] bySix = {512, 86, 259, 44, 100, 17};

    assertThat(only(explain(pairs(bySix))).code()).isEqualTo("tokens.split-over-ranks");
    assertThat(only(explain(pairs(bySix), KIMI, EIGHT)).evidence())
        .contains("6 ranks by these files, though the tensor parallel size of run r is 8");
  }

  @Test
  void onlyTheLastChunkIsNamed() {
    // Chunks of 2048; what is no longer than one is whole.
    Cause cause = only(explain(pairs(5000, 904, 4096, 2048, 300, 300, 2049, 1, 2048, 2048)));

    assertThat(cause.code()).isEqualTo("tokens.last-chunk-only");
    assertThat(cause.evidence())
        .containsExactly(
            "data_0.pt: 904 rows for 5000 tokens, 904 = 5000 − 2 × 2048",
            "data_1.pt: 2048 rows for 4096 tokens, 2048 = 4096 − 2048",
            "data_3.pt: 1 row for 2049 tokens, 1 = 2049 − 2048",
            "this explains all 3 files whose rows are not their tokens, and that the other 2 are"
                + " whole",
            "tokens.first-chunk-only would explain 1 of 3 (T = k × 2048)",
            "tokens.prefix-cached explains all of them as well (n − T is a multiple of 16)");
  }

  @Test
  void onlyTheFirstChunkIsNamed() {
    Cause cause = only(explain(pairs(5000, 2048, 4096, 2048, 300, 300, 2049, 2048)));
    assertThat(cause.code()).isEqualTo("tokens.first-chunk-only");
    assertThat(cause.evidence())
        .contains("data_0.pt: 2048 rows for 5000 tokens, 2048 of 5000: the first 2048");

    Cause allButLast = only(explain(pairs(5000, 4096, 4096, 2048, 300, 300, 9000, 8192)));
    assertThat(allButLast.code()).isEqualTo("tokens.first-chunk-only");
    assertThat(allButLast.evidence())
        .contains("data_0.pt: 4096 rows for 5000 tokens, 4096 of 5000: 2 × 2048");
  }

  @Test
  void unusualChunksAreFoundFromTheFilesOrTheRun() {
    long[] by700 = {1500, 100, 900, 200, 650, 650, 2350, 250};
    RunFacts run = new RunFacts(OptionalInt.empty(), OptionalLong.of(700), "run r");

    assertThat(only(explain(pairs(by700))).code()).isEqualTo("tokens.last-chunk-only");
    assertThat(only(explain(pairs(by700), KIMI, run)).evidence())
        .contains("--max-num-batched-tokens 700 of run r");
  }

  @Test
  void onlyTheLastTokenIsNamed() {
    Cause cause = only(explain(pairs(512, 1, 259, 1, 1, 1, 100, 1)));

    assertThat(cause.code()).isEqualTo("tokens.last-token-only");
    assertThat(cause.says()).startsWith("only one row a sample was saved");
  }

  @Test
  void generatedTokensAreNamed() {
    assertThat(only(explain(pairs(512, 513, 259, 260))).code())
        .isEqualTo("tokens.generated-included");
    Cause cause = only(explain(pairs(512, 619, 259, 366, 31, 138)));
    assertThat(cause.code()).isEqualTo("tokens.generated-included");
    assertThat(cause.evidence()).contains("data_1.pt: 366 rows for 259 tokens, 366 = 259 + 107");
  }

  @Test
  void differentNumbersOfGeneratedTokensAreNamedWhenNothingElseFits() {
    Cause cause = only(explain(pairs(512, 619, 259, 300, 31, 34, 90, 113)));

    assertThat(cause.code()).isEqualTo("tokens.generated-included");
    assertThat(cause.evidence())
        .contains(
            "between 3 and 107 rows too many in every file, which neither padding nor the batch"
                + " explains");
    assertThat(explain(pairs(512, 619, 259, 300, 31, 31, 90, 113)).causes())
        .as("a sample that generated nothing speaks against it")
        .isEmpty();
  }

  @Test
  void paddingToGraphSizesIsNamed() {
    // Multiples of 8, to 512; longer ones run without a graph.
    Cause cause = only(explain(pairs(259, 264, 33, 40, 3, 4, 512, 512, 700, 700, 80, 80)));
    assertThat(cause.code()).isEqualTo("tokens.padded-to-graph-size");
    assertThat(cause.evidence())
        .contains("data_0.pt: 264 rows for 259 tokens, 264 for 259: 5 more than there are tokens");

    assertThat(only(explain(pairs(259, 272, 33, 40, 300, 304))).code())
        .as("of 16 from 256 on")
        .isEqualTo("tokens.padded-to-graph-size");
    assertThat(only(explain(pairs(259, 512, 33, 64, 700, 1024))).code())
        .as("powers of two")
        .isEqualTo("tokens.padded-to-graph-size");
    assertThat(only(explain(pairs(259, 2048, 33, 2048, 700, 2048))).code())
        .as("one size for all")
        .isEqualTo("tokens.padded-to-graph-size");
  }

  @Test
  void paddingToTheLongestOfTheBatchIsNamed() {
    Cause cause = only(explain(pairs(512, 512, 259, 512, 96, 96, 33, 96, 17, 80, 80, 80, 25, 25)));

    assertThat(cause.code()).isEqualTo("tokens.padded-to-batch");
    assertThat(cause.evidence().get(0))
        .isEqualTo(
            "data_1.pt: 512 rows for 259 tokens, 512 for 259: a neighbour with as many rows has 512"
                + " tokens");
    assertThat(cause.subjects()).hasSize(3);
  }

  @Test
  void aBatchThatWasNotSplitIsNamed() {
    Cause cause = only(explain(pairs(512, 771, 259, 771, 96, 129, 33, 129, 17, 17)));

    assertThat(cause.code()).isEqualTo("set.batch-not-split");
    assertThat(cause.evidence())
        .contains(
            "data_0.pt: 771 rows for 512 tokens, 771 = 512 + 259, the tokens of data_0.pt and"
                + " data_1.pt");
    assertThat(only(explain(pairs(5, 18, 6, 18, 7, 18, 9, 30, 10, 30, 11, 30))).evidence().get(0))
        .isEqualTo(
            "data_0.pt: 18 rows for 5 tokens, 18 = 5 + … + 7, the tokens of data_0.pt to"
                + " data_2.pt");
  }

  @Test
  void recomputedRequestsAreNamed() {
    Cause cause = only(explain(pairs(512, 1024, 259, 259, 96, 192, 33, 33)));

    assertThat(cause.code()).isEqualTo("tokens.recomputed");
    assertThat(cause.evidence()).contains("data_0.pt: 1024 rows for 512 tokens, 1024 = 2 × 512");
    assertThat(cause.subjects()).containsExactly("/out/data_0.pt", "/out/data_2.pt");
  }

  @Test
  void cachedPrefixesAreNamed() {
    Cause cause = only(explain(pairs(512, 512, 259, 211, 96, 48, 33, 33, 130, 66)));

    assertThat(cause.code()).isEqualTo("tokens.prefix-cached");
    assertThat(cause.evidence())
        .contains("data_1.pt: 211 rows for 259 tokens, 259 − 211 = 48 = 3 × 16")
        .contains("data_0.pt, the first, is whole: nothing was in the cache before it");
    assertThat(cause.fix()).contains("--no-enable-prefix-caching");
  }

  @Test
  void goodFilesHaveNeitherCauseNorNote() {
    // 2047 and 2048 under a limit of 2048, lengths that are graph sizes, blocks, and equal ones.
    List<FileVerdict> files = pairs(2047, 2047, 2048, 2048, 1, 1, 512, 512, 512, 512, 16, 16);

    Explanation why = explain(files, KIMI.withMaxTokens(2048, "run r"), EIGHT);
    assertThat(why.causes()).isEmpty();
    assertThat(why.notes()).isEmpty();
  }

  @Test
  void theFirstCauseInOrderWinsAndTheOtherIsMentioned() {
    // ⌈n / 8⌉ of multiples of 128 leaves multiples of 16 missing.
    String mentioned =
        "tokens.prefix-cached explains all of them as well (n − T is a multiple of 16)";
    Cause cause = only(explain(pairs(512, 64, 256, 32)));
    assertThat(cause.code()).isEqualTo("tokens.split-over-ranks");
    assertThat(cause.says()).startsWith("probably, the tokens were split");
    assertThat(cause.evidence()).contains(mentioned);

    Cause sure = only(explain(pairs(512, 64, 256, 32, 1024, 128)));
    assertThat(sure.says()).as("by three lengths").startsWith("the tokens were split");
    assertThat(sure.evidence()).contains(mentioned);
  }

  @Test
  void aCauseThatExplainsAllButOneFileIsMentionedAndNotNamed() {
    Explanation why = explain(pairs(512, 64, 259, 33, 96, 12, 33, 7));

    assertThat(why.causes()).isEmpty();
    assertThat(why.notes()).hasSize(1);
    Finding note = why.notes().get(0);
    assertThat(note.code()).isEqualTo("tokens.partly-explained");
    assertThat(note.subject()).isEqualTo("/out");
    assertThat(note.evidence())
        .contains("tokens.split-over-ranks would explain 3 of 4 (T = ⌈n / 8⌉)")
        .contains("not tokens.split-over-ranks: data_3.pt with 7 rows for 33 tokens");
  }

  @Test
  void aWholeFileThatACauseCannotExplainSpeaksAgainstIt() {
    Explanation why = explain(pairs(512, 64, 259, 33, 97, 13, 33, 33));

    assertThat(why.causes()).isEmpty();
    assertThat(why.notes().get(0).evidence())
        .contains(
            "tokens.split-over-ranks would explain 3 of 3 (T = ⌈n / 8⌉), and not that another"
                + " one is whole");
  }

  @Test
  void aLaterCauseThatExplainsAllWinsOverAnEarlierThatExplainsSome() {
    // 64 = ⌈512 / 8⌉, but all three are short of whole blocks.
    Cause cause = only(explain(pairs(512, 64, 259, 211, 130, 66)));

    assertThat(cause.code()).isEqualTo("tokens.prefix-cached");
    assertThat(cause.evidence())
        .contains("tokens.split-over-ranks would explain 1 of 3 (T = ⌈n / 8⌉)");
  }

  @Test
  void oneFileIsNoProofAndSaysSo() {
    Cause cause = only(explain(pairs(512, 64)));

    assertThat(cause.code()).isEqualTo("tokens.split-over-ranks");
    assertThat(cause.says()).startsWith("probably, ");
    assertThat(cause.evidence())
        .contains(
            "tokens.prefix-cached explains it as well (n − T is a multiple of 16)",
            "it is the only such file: one of another length would prove it");
  }

  @Test
  void filesOfOneLengthAreNoProofAndSaySo() {
    Cause cause = only(explain(pairs(2048, 256, 2048, 256, 2048, 256)));

    assertThat(cause.code()).isEqualTo("tokens.split-over-ranks");
    assertThat(cause.says()).startsWith("probably, ");
    assertThat(cause.evidence())
        .contains("all of them have 2048 tokens: a file of another length would prove it")
        .anyMatch(line -> line.startsWith("tokens.first-chunk-only explains all of them as well"));
  }

  @Test
  void aNumberThatOneLengthWasFittedToExplainsNothing() {
    // 300 = ⌈5400 / 18⌉ = 293 + 7: some number of ranks or generated tokens always fits.
    assertThat(explain(pairs(293, 300)).causes()).isEmpty();
    assertThat(explain(pairs(5389, 300)).causes()).isEmpty();
  }

  @Test
  void batchesOfOneAreNeitherPaddedNorUnsplit() {
    Expectation single = KIMI.withBatchSize(1, "run r");

    assertThat(explain(pairs(512, 771, 259, 771, 90, 90), single, EIGHT).causes()).isEmpty();
    assertThat(explain(pairs(512, 512, 259, 512, 90, 90), single, EIGHT).causes()).isEmpty();
  }

  @Test
  void filesWithAnotherFaultBesideKeepTheRestFromBeingProven() {
    List<FileVerdict> files = new ArrayList<>(pairs(512, 64, 259, 33, 97, 13));
    files.add(
        new SampleVerifier()
            .verify(
                SampleFiles.torch("/out/data_3.pt")
                    .tensor("input_ids", "int64", 80L)
                    .layers(2, "bfloat16", 10L, 7168L)
                    .layers(2, "bfloat16", 11L, 7168L)
                    .tensor("loss_mask", "int64", 80L)
                    .file(),
                KIMI));

    assertThat(explain(files).causes()).isEmpty();
    assertThat(explain(files).notes().get(0).evidence())
        .contains("tokens.split-over-ranks would explain 3 of 4 (T = ⌈n / 8⌉)");
  }

  @Test
  void transposedLayersAreNoTokenCount() {
    FileVerdict transposed =
        new SampleVerifier()
            .verify(SampleFiles.sample("/out/data_0.pt", 512, 4, 7168L, 512L), Expectation.NONE);

    assertThat(explain(List.of(transposed), Expectation.NONE, RunFacts.NONE).causes())
        .extracting(Cause::code)
        .containsExactly("layers.transposed");
  }

  @Test
  void foldersAreToldApartWhenNothingExplainsThemTogether() {
    List<FileVerdict> files = new ArrayList<>(pairsIn("/a", 512, 64, 259, 33));
    files.addAll(pairsIn("/b", 512, 512, 259, 259));
    files.addAll(pairsIn("/c", 500, 1000, 259, 518, 40, 40));

    List<Cause> causes = explain(files).causes();
    assertThat(causes)
        .extracting(Cause::code)
        .containsExactly("tokens.split-over-ranks", "tokens.recomputed");
    assertThat(causes.get(0).subjects()).containsExactly("/a/data_0.pt", "/a/data_1.pt");
  }

  @Test
  void sizesThatNoSampleHasDoNoHarm() {
    long huge = Long.MAX_VALUE - 1;

    assertThat(explain(pairs(512, huge, 259, huge)).causes()).isEmpty();
    assertThat(explain(pairs(huge, 1, huge - 1, 2)).causes()).isEmpty();
    assertThat(explain(pairs(512, 0, 259, 0)).causes()).isEmpty();
  }

  @Test
  void everyCodeIsTriedOnce() {
    assertThat(TokenCounts.codes()).doesNotHaveDuplicates().hasSize(10);
  }

  static List<FileVerdict> pairs(long... tokensAndRows) {
    return pairsIn("/out", tokensAndRows);
  }

  static List<FileVerdict> pairsIn(String folder, long... tokensAndRows) {
    List<FileVerdict> files = new ArrayList<>();
    for (int index = 0; index < tokensAndRows.length; index += 2) {
      String path = folder + "/data_" + index / 2 + ".pt";
      files.add(
          new SampleVerifier()
              .verify(
                  SampleFiles.sample(
                      path, tokensAndRows[index], 4, tokensAndRows[index + 1], 7168L),
                  KIMI));
    }
    return files;
  }

  private static Explanation explain(List<FileVerdict> files) {
    return explain(files, KIMI, RunFacts.NONE);
  }

  private static Explanation explain(List<FileVerdict> files, Expectation expected, RunFacts run) {
    return new CauseFinder().explain(files, expected, run);
  }

  private static Cause only(Explanation why) {
    assertThat(why.notes()).isEmpty();
    assertThat(why.causes()).hasSize(1);
    return why.causes().get(0);
  }
}
