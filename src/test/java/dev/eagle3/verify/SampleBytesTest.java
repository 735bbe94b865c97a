package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.tensor.TorchFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a file is asked for: each time is two round trips over a network. */
class SampleBytesTest {
  private static final Expectation VOCABULARY =
      Expectation.NONE.withVocabulary(160_000, "config.json");

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger stats = new AtomicInteger();

  @TempDir Path folder;

  @Test
  void aSampleOfTwoThousandTokensIsAskedForOnceItsIdsAndItsMaskToo() throws IOException {
    for (int number = 0; number < 3; number++) {
      write(
          "data_" + number + ".pt",
          new TorchFileWriter("archive")
              .longs("input_ids", ones(2047 + number % 2))
              .layers("hidden_states", 4, "bfloat16", 2047 + number % 2, 64)
              .longs("loss_mask", ones(2047 + number % 2)));
    }

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(3);
    assertThat(result.files()).allSatisfy(file -> assertThat(file.findings()).isEmpty());
    assertThat(reads).hasValue(3);
    // One each with the reading, and one of the folder.
    assertThat(stats).hasValue(3 + 1);
  }

  @Test
  void valuesFurtherInsideAreAskedForWithTheRestOnceThatIsKnown() throws IOException {
    for (int number = 0; number < 10; number++) {
      write(
          "data_" + number + ".ckpt",
          new TorchFileWriter("archive")
              .longs("input_ids", ones(4000 + number))
              .longs("loss_mask", ones(4000 + number))
              .tensor("hidden_state", "bfloat16", 1, 4000 + number, 64)
              .tensor("aux_hidden_state", "bfloat16", 1, 4000 + number, 192));
    }

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(10);
    assertThat(reads).hasValue(10 + 1);
  }

  @Test
  void valuesInTheMiddleOfALargeFileAreASecondCall() throws IOException {
    for (int number = 0; number < 2; number++) {
      write(
          "data_" + number + ".ckpt",
          new TorchFileWriter("archive")
              .tensor("hidden_state", "bfloat16", 1, 4000, 64)
              .longs("loss_mask", new long[4000])
              .longs("input_ids", ones(4000))
              .tensor("aux_hidden_state", "bfloat16", 1, 4000, 192));
    }

    VerifyResult result = verify();

    assertThat(result.files())
        .allSatisfy(
            file ->
                assertThat(file.findings())
                    .extracting(finding -> finding.code())
                    .containsExactly("mask.all-zero"));
    assertThat(reads).hasValue(2 * 2);
  }

  private VerifyResult verify() throws IOException {
    MeddlingFileTree counting =
        new MeddlingFileTree(path -> reads.incrementAndGet(), path -> stats.incrementAndGet());
    return new FolderVerifier(counting, 1)
        .verify(List.of(folder.toString()), VOCABULARY, event -> {});
  }

  private void write(String name, TorchFileWriter file) throws IOException {
    Files.write(folder.resolve(name), file.bytes());
  }

  private static long[] ones(int count) {
    long[] ones = new long[count];
    Arrays.fill(ones, 1);
    return ones;
  }
}
