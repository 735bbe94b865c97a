package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleFiles;
import dev.eagle3.verify.SampleVerifier;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchInOneFileTest {
  private static final Expectation KIMI =
      Expectation.NONE
          .withLayers(4, "flags")
          .withHiddenSize(7168, "config.json")
          .withSamples(5, "data.jsonl")
          .withBatchSize(2, "run r")
          .withMaxTokens(2048, "run r");

  @Test
  void filesOfStackedSamplesAreNamed() {
    List<Cause> causes = find(stack(0, 2, 512), stack(1, 2, 96), stack(2, 1, 17));

    assertThat(causes).extracting(Cause::code).containsExactly("set.batch-in-one-file");
    assertThat(causes.get(0).evidence())
        .containsExactly(
            "3 files for 5 samples in batches of 2: 3 = ⌈5 / 2⌉",
            "data_0.pt: 4 × [2, 512, 7168] bfloat16, 2 samples of T rows, in every file as many as"
                + " its batch has",
            "5 samples from data.jsonl, batch size 2 of run r");
  }

  @Test
  void filesThatAreLongerThanSamplesCanBeAreNamed() {
    List<Cause> causes = find(sample(0, 3000), sample(1, 1800), sample(2, 17));

    assertThat(causes).extracting(Cause::code).containsExactly("set.batch-in-one-file");
    assertThat(causes.get(0).evidence())
        .contains("data_0.pt: 3000 tokens, and a sample has 2048 at the most by run r");
  }

  @Test
  void aRunThatWasStoppedAtItsHalfIsAnotherFault() {
    assertThat(find(sample(0, 512), sample(1, 259), sample(2, 17))).isEmpty();
  }

  @Test
  void asManyFilesAsSamplesAreAnotherFault() {
    assertThat(find(sample(0, 3000), sample(1, 259), sample(2, 17), sample(3, 17), sample(4, 17)))
        .isEmpty();
  }

  @Test
  void stacksThatAreNotTheBatchesAreAnotherFault() {
    assertThat(find(stack(0, 1, 512), stack(1, 1, 96), stack(2, 1, 17)))
        .extracting(Cause::code)
        .doesNotContain("set.batch-in-one-file");
    assertThat(find(stack(0, 2, 512), stack(1, 2, 96), stack(2, 2, 17)))
        .extracting(Cause::code)
        .doesNotContain("set.batch-in-one-file");
    assertThat(find(stack(0, 2, 512), stack(1, 2, 96), stack(3, 1, 17)))
        .extracting(Cause::code)
        .doesNotContain("set.batch-in-one-file");
  }

  private static FileVerdict stack(int number, long samples, long rows) {
    return verdict(
        SampleFiles.torch("/out/data_" + number + ".pt")
            .tensor("input_ids", "int64", samples, rows)
            .layers(4, "bfloat16", samples, rows, 7168L)
            .tensor("loss_mask", "int64", samples, rows));
  }

  private static FileVerdict sample(int number, long tokens) {
    return verdict(
        SampleFiles.torch("/out/data_" + number + ".pt")
            .tensor("input_ids", "int64", tokens)
            .layers(4, "bfloat16", tokens, 7168L)
            .tensor("loss_mask", "int64", tokens));
  }

  private static FileVerdict verdict(SampleFiles file) {
    return new SampleVerifier().verify(file.file(), KIMI);
  }

  private static List<Cause> find(FileVerdict... files) {
    return new CauseFinder().find(List.of(files), KIMI);
  }
}
