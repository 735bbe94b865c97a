package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.deep.DeepSamples.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeepVerifierTest {
  @TempDir Path folder;

  private DeepSamples samples;

  @BeforeEach
  void makeSamples() {
    samples = new DeepSamples(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bfloat16", "float16", "float32", "float64"})
  void goodSamplesAreGoodAndTheirRangesAreSaid(String dtype) throws IOException {
    for (int number = 0; number < 4; number++) {
      Sample sample = DeepSamples.sample(number);
      sample.dtype = dtype;
      samples.save("data_" + number + ".pt", sample);
    }

    assertThat(samples.found()).isEmpty();
    assertThat(samples.verify().exit()).isEqualTo(Exit.DONE);
    assertThat(samples.notes())
        .filteredOn(finding -> finding.code().equals("values.range"))
        .singleElement()
        .satisfies(
            note -> {
              assertThat(note.subject()).isEqualTo("4 files");
              assertThat(note.evidence()).hasSize(3).allMatch(line -> line.contains("RMS"));
            });
  }

  @Test
  void nanIsFoundWithLayerRowsAndChannels() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.layers[1][3][5] = Float.NaN;
    sample.layers[1][4][5] = Float.NaN;
    sample.layers[1][4][7] = Float.NaN;

    assertFound(
        sample, "values.nan", "hidden_states[1] has NaN: 3 values, rows 3 to 4, channels 5, 7");
  }

  @Test
  void nanInSeveralLayersIsOneFinding() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.layers[0][11][15] = Float.NaN;
    Arrays.fill(sample.layers[2][0], Float.NaN);

    Finding found = assertFound(sample, "values.nan", "2 of 3 layers have NaN");
    assertThat(found.evidence())
        .containsExactly(
            "hidden_states[0] has NaN: 1 value, row 11, channel 15",
            "hidden_states[2] has NaN: 16 values, row 0, all channels");
  }

  @Test
  void anInfinityInOneRowIsNoOverflow() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.dtype = "float16";
    sample.layers[2][6][1] = Float.NEGATIVE_INFINITY;

    assertFound(sample, "values.inf", "hidden_states[2] has infinities: 1 value, row 6, channel 1");
  }

  @Test
  void infinitiesInOneChannelOfFloat16AreAnOverflow() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.dtype = "float16";
    for (float[] row : sample.layers[2]) {
      row[9] = 70000;
    }
    sample.layers[2][4][9] = 65504;

    assertFound(
        sample,
        "values.overflow",
        "hidden_states[2] outgrew float16: 11 values, rows 0 to 3, 5 to 11, channel 9, the largest"
            + " of the others is 6.550e+04");
  }

  @Test
  void infinitiesInOneChannelOfBfloat16AreNoOverflow() throws IOException {
    Sample sample = DeepSamples.sample(1);
    for (float[] row : sample.layers[2]) {
      row[9] = Float.POSITIVE_INFINITY;
    }

    assertThat(codes(sample)).containsExactly("values.inf");
  }

  @Test
  void infinitiesAllOverFloat16AreNoOverflow() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.dtype = "float16";
    for (float[] row : sample.layers[2]) {
      Arrays.fill(row, Float.POSITIVE_INFINITY);
    }

    assertThat(codes(sample)).containsExactly("values.inf");
  }

  @Test
  void largeValuesAreFine() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.dtype = "float16";
    for (float[] row : sample.layers[2]) {
      row[9] = 65504;
    }
    Sample million = DeepSamples.sample(2);
    million.layers[1][0][3] = 1e6f;
    million.layers[1][5][3] = -3e38f;
    samples.save("data_0.pt", million);

    assertThat(codes(sample)).isEmpty();
  }

  @Test
  void aLayerOfZerosIsFound() throws IOException {
    Sample sample = DeepSamples.sample(1);
    for (float[] row : sample.layers[2]) {
      Arrays.fill(row, 0);
    }
    sample.layers[2][3][3] = -0.0f;

    assertFound(sample, "values.all-zero", "hidden_states[2] holds zeros alone");
  }

  @Test
  void rowsOfZerosThatAreTokensAreFound() throws IOException {
    Sample sample = DeepSamples.sample(1);
    Arrays.fill(sample.layers[0][7], 0);
    Arrays.fill(sample.layers[0][11], 0);

    assertFound(sample, "values.zero-rows", "hidden_states[0] has rows of zeros: rows 7, 11");
  }

  @Test
  void aTrailingIdOfZeroThatTheMaskKeepsIsATokenWithARow() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.ids[10] = 0;
    sample.ids[11] = 0;
    Arrays.fill(sample.layers[0][11], 0);

    assertFound(sample, "values.zero-rows", "hidden_states[0] has rows of zeros: row 11");
  }

  @Test
  void rowsOfZerosInPaddingAreFine() throws IOException {
    Sample atTheEnd = DeepSamples.sample(1);
    pad(atTheEnd, 9, 12);
    samples.save("data_0.pt", atTheEnd);
    Sample atTheStart = DeepSamples.sample(2);
    pad(atTheStart, 0, 4);

    assertThat(codes(atTheStart)).isEmpty();
  }

  @Test
  void aFirstRowOfZerosIsNoPaddingForThatTheMaskLeavesItOut() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.mask[0] = 0;
    Arrays.fill(sample.layers[0][0], 0);

    assertFound(sample, "values.zero-rows", "hidden_states[0] has rows of zeros: row 0");
  }

  @Test
  void rowsOfOneNumberAreFound() throws IOException {
    Sample sample = DeepSamples.sample(1);
    Arrays.fill(sample.layers[1][2], 1.5f);
    Arrays.fill(sample.layers[1][3], -1.5f);

    assertFound(
        sample, "values.constant-rows", "hidden_states[1] has rows of one number: rows 2 to 3");
  }

  @Test
  void aRowOfOneNumberButForOneIsFine() throws IOException {
    Sample sample = DeepSamples.sample(1);
    Arrays.fill(sample.layers[1][2], 1.5f);
    sample.layers[1][2][15] = 1.25f;

    assertThat(codes(sample)).isEmpty();
  }

  @Test
  void identicalLayersAreFound() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.layers[2] = sample.layers[0];

    assertFound(
        sample, "values.identical-layers", "hidden_states[2] is hidden_states[0], bit by bit");
  }

  @Test
  void layersThatDifferInOneBitAreFine() throws IOException {
    Sample sample = DeepSamples.sample(1);
    sample.layers[2] = Arrays.stream(sample.layers[0]).map(float[]::clone).toArray(float[][]::new);
    sample.layers[2][11][15] = -sample.layers[2][11][15];

    assertThat(codes(sample)).isEmpty();
  }

  @Test
  void embeddingsAreFound() throws IOException {
    Sample sample = DeepSamples.sample(1);
    for (int row = 6; row < 12; row++) {
      sample.ids[row] = sample.ids[row - 6];
      sample.layers[0][row] = sample.layers[0][row - 6];
    }

    Finding found =
        assertFound(
            sample,
            "values.embeddings",
            "hidden_states[0] holds embeddings: each of the 6 ids that come again has the very same"
                + " row each time");
    assertThat(found.expected()).isEqualTo("rows that depend on all tokens so far");
  }

  @Test
  void embeddingsUnderANameOfTheirOwnAreFine() throws IOException {
    float[] row = new float[DeepSamples.CHANNELS];
    float[] rows = new float[12 * DeepSamples.CHANNELS];
    for (int token = 0; token < 12; token++) {
      Arrays.fill(row, token % 4);
      row[token % 4] = 9;
      System.arraycopy(row, 0, rows, token * row.length, row.length);
    }
    Sample sample = DeepSamples.sample(1);
    for (int token = 0; token < 12; token++) {
      sample.ids[token] = token % 4;
    }
    new TorchFileWriter("archive")
        .longs("input_ids", sample.ids)
        .layers("hidden_states", List.of(sample.content(0)), "bfloat16", 12, row.length)
        .longs("loss_mask", sample.mask)
        .tensor("inputs_embeds", "bfloat16", Values.of("bfloat16", rows), 12, row.length)
        .write(folder.resolve("data_7.pt"));

    assertThat(samples.found()).extracting(Finding::code).containsExactly("keys.extra");
  }

  @Test
  void idsThatComeAgainWithOtherRowsAreFine() throws IOException {
    Sample sample = DeepSamples.sample(1);
    for (int row = 6; row < 12; row++) {
      sample.ids[row] = sample.ids[row - 6];
    }

    assertThat(codes(sample)).isEmpty();
  }

  @Test
  void twoTokensThatHaveEqualRowsByChanceAreFine() throws IOException {
    Sample sample = DeepSamples.sample(1);
    for (int row = 6; row < 8; row++) {
      sample.ids[row] = sample.ids[row - 6];
      sample.layers[0][row] = sample.layers[0][row - 6];
    }

    assertThat(codes(sample)).isEmpty();
  }

  @Test
  void aSampleOfOneTokenAllAlongIsFine() throws IOException {
    Sample sample = DeepSamples.sample(1);
    Arrays.fill(sample.ids, 7);
    for (int row = 1; row < 12; row++) {
      sample.layers[0][row] = sample.layers[0][0];
    }

    assertThat(codes(sample)).isEmpty();
  }

  @Test
  void copiedRowsAreFound() throws IOException {
    Sample sample = DeepSamples.sample(1);
    for (int row = 8; row < 12; row++) {
      sample.layers[1][row] = sample.layers[1][row - 8];
    }

    assertFound(
        sample,
        "values.rows-copied",
        "hidden_states[1] has rows equal to a row of another token above: rows 8 to 11");
  }

  @Test
  void theSameLayersInFilesWithOtherIdsAreFound() throws IOException {
    Sample copy = DeepSamples.sample(1);
    samples.save("data_0.pt", copy);
    copy.ids[5]++;
    samples.save("data_1.pt", copy);
    samples.save("data_2.pt", DeepSamples.sample(2));

    assertThat(samples.found())
        .extracting(Finding::code, Finding::subject)
        .containsExactly(tuple("values.same-content", "1 file"));
    assertThat(samples.found().get(0).evidence())
        .containsExactly(folder + "/data_1.pt and " + folder + "/data_0.pt");
    assertThat(samples.verify().exit()).isEqualTo(Exit.WRONG);
  }

  @Test
  void theSameSampleTwiceIsANote() throws IOException {
    samples.save("data_0.pt", DeepSamples.sample(1));
    samples.save("data_1.pt", DeepSamples.sample(1));

    assertThat(samples.found()).isEmpty();
    assertThat(samples.notes()).extracting(Finding::code).contains("values.same-sample");
    assertThat(samples.verify().exit()).isEqualTo(Exit.DONE);
  }

  @Test
  @Hostile("bytes of a sample rotted on disk, and torch loads it without a word")
  void aFlippedBitIsFoundByTheChecksum() throws IOException {
    Sample sample = DeepSamples.sample(1, 4000, 2);
    Path path = samples.save("data_0.pt", sample);
    byte[] bytes = Files.readAllBytes(path);
    bytes[bytes.length / 2] ^= 4;
    Files.write(path, bytes);

    assertThat(samples.found()).extracting(Finding::code).containsExactly("file.checksum");
    assertThat(samples.found().get(0).actual()).contains("has checksum").contains("directory");
  }

  @Test
  @Hostile("a block of a sample was zeroed by the file system after a crash")
  void aZeroedBlockIsFoundByChecksumAndRows() throws IOException {
    Path path = samples.save("data_0.pt", DeepSamples.sample(1, 4000, 2));
    byte[] bytes = Files.readAllBytes(path);
    Arrays.fill(bytes, bytes.length / 2, bytes.length / 2 + 4096, (byte) 0);
    Files.write(path, bytes);

    assertThat(samples.found())
        .extracting(Finding::code)
        .containsExactly("file.checksum", "values.zero-rows");
  }

  private static void pad(Sample sample, int from, int to) {
    for (int row = from; row < to; row++) {
      sample.ids[row] = 0;
      sample.mask[row] = 0;
      for (float[][] layer : sample.layers) {
        Arrays.fill(layer[row], 0);
      }
    }
  }

  private List<String> codes(Sample sample) throws IOException {
    samples.save("data_7.pt", sample);
    return samples.found().stream()
        .map(Finding::code)
        .filter(code -> !code.startsWith("set."))
        .toList();
  }

  private Finding assertFound(Sample sample, String code, String actual) throws IOException {
    samples.save("data_7.pt", sample);
    assertThat(samples.found())
        .extracting(Finding::code, Finding::actual, Finding::subject)
        .containsExactly(tuple(code, actual, folder + "/data_7.pt"));
    assertThat(samples.verify().exit()).isEqualTo(Exit.WRONG);
    return samples.found().get(0);
  }
}
