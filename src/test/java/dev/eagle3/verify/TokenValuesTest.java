package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenValuesTest {
  private static final Expectation HUNDRED = Expectation.NONE.withVocabulary(100, "config.json");

  @TempDir Path folder;

  @Test
  void idsThatTheModelDoesNotHaveAreFound() throws IOException {
    FileVerdict verdict = verify(sample(new long[] {1, 100, 7, -1}, new long[] {0, 1, 1, 1}));

    assertThat(verdict.verdict()).isEqualTo(Verdict.BAD);
    Finding finding = verdict.findings().get(0);
    assertThat(finding.code()).isEqualTo("tokens.outside-vocabulary");
    assertThat(finding.expected()).isEqualTo("ids from 0 to 99");
    assertThat(finding.actual()).isEqualTo("input_ids[1] is 100, and 1 more");
    assertThat(finding.evidence()).containsExactly("vocabulary of 100 ids from config.json");
  }

  @Test
  void theLastIdAndTrailingZerosWithTheirMaskAreGood() throws IOException {
    assertThat(verify(sample(new long[] {99, 5, 0, 0}, new long[] {0, 0, 0, 1})).findings())
        .isEmpty();
  }

  @Test
  void aMaskOfNothingIsAWarning() throws IOException {
    FileVerdict verdict = verify(sample(new long[] {1, 2}, new long[] {0, 0}));

    assertThat(verdict.verdict()).isEqualTo(Verdict.GOOD);
    assertThat(verdict.findings()).extracting(Finding::code).containsExactly("mask.all-zero");
  }

  @Test
  void int32IdsAndAMaskOfBoolInARowAreRead() throws IOException {
    byte[] ids = {1, 0, 0, 0, 100, 0, 0, 0};
    byte[] file =
        new TorchFileWriter("data_0")
            .tensor("input_ids", "int32", ids, 2)
            .layers("hidden_states", 4, "bfloat16", 2, 64)
            .tensor("loss_mask", "bool", new byte[] {0, 0}, 1, 2)
            .bytes();

    assertThat(verify(file).findings())
        .extracting(Finding::code)
        .containsExactly("tokens.outside-vocabulary", "mask.all-zero");
  }

  @Test
  @Hostile("values of a big-endian machine")
  void idsOfABigEndianMachineAreReadInItsOrder() throws IOException {
    byte[] ids = {0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 0, 0, 0, 0, 0, 100};
    byte[] file =
        new TorchFileWriter("data_0")
            .bigEndian()
            .tensor("input_ids", "int64", ids, 2)
            .layers("hidden_states", 4, "bfloat16", 2, 64)
            .longs("loss_mask", 1, 1)
            .bytes();

    FileVerdict verdict = verify(file);

    assertThat(verdict.findings())
        .extracting(Finding::code, Finding::actual)
        .containsExactly(
            tuple("file.big-endian", "big-endian values"),
            tuple("tokens.outside-vocabulary", "input_ids[1] is 100"));
  }

  private static byte[] sample(long[] ids, long[] mask) {
    return new TorchFileWriter("data_0")
        .longs("input_ids", ids)
        .layers("hidden_states", 4, "bfloat16", ids.length, 64)
        .longs("loss_mask", mask)
        .bytes();
  }

  private FileVerdict verify(byte[] content) throws IOException {
    Path file = folder.resolve("data_0.pt");
    Files.write(file, content);
    LocalFileTree files = new LocalFileTree();
    FileStat stat = files.stat(file.toString()).orElseThrow();
    return new FileVerifier(files).verify(stat, HUNDRED);
  }
}
