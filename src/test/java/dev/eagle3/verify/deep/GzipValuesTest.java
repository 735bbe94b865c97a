package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.deep.DeepSamples.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of samples within gzip: those that are read whole anyway, and those that are larger. */
class GzipValuesTest {
  private static final int SMALL = 12;
  private static final int LARGE = 6000;

  private final LocalFileTree files = new LocalFileTree();

  @TempDir Path folder;

  private DeepSamples samples;

  @BeforeEach
  void makeSamples() {
    samples = new DeepSamples(folder);
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL, LARGE})
  void valuesWithinGzipAreLookedAt(int tokens) throws IOException {
    save(0, DeepSamples.sample(1, tokens, 3));

    assertThat(samples.found()).isEmpty();
    assertThat(samples.verify().exit()).isEqualTo(Exit.DONE);
    assertThat(samples.notes()).extracting(Finding::code).contains("values.range");
    assertThat(samples.notes()).extracting(Finding::code).doesNotContain("values.not-read");

    Sample broken = DeepSamples.sample(2, tokens, 3);
    broken.layers[2][tokens - 1][5] = Float.NaN;
    save(1, broken);

    assertThat(samples.found())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).isEqualTo("values.nan");
              assertThat(finding.actual())
                  .isEqualTo(
                      "hidden_states[2] has NaN: 1 value, row " + (tokens - 1) + ", channel 5");
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL, LARGE})
  void theSameLayersWithinGzipAreFound(int tokens) throws IOException {
    Sample sample = DeepSamples.sample(1, tokens, 3);
    save(0, sample);
    sample.ids[0]++;
    save(1, sample);

    assertThat(samples.found()).extracting(Finding::code).containsExactly("values.same-content");
  }

  @Test
  @Hostile("a sample within gzip that rotted on disk where its header does not tell")
  void damageWithinGzipIsFound() throws IOException {
    Path path = save(0, DeepSamples.sample(1, LARGE, 3));
    byte[] content = Files.readAllBytes(path);
    content[content.length - 6] ^= 1;
    Files.write(path, content);

    assertThat(samples.found()).extracting(Finding::code).containsExactly("file.gzip-invalid");
  }

  @Test
  @Hostile("gzip data that inflates to a thousand times its size")
  void whatInflatesToMoreThanItMayIsLeft() throws IOException {
    Path path = folder.resolve("zeros.gz");
    Files.write(path, gzip(new byte[10 << 20]));

    assertThat(InflatedFile.of(files, stat(path), (10 << 20) - 1)).isEmpty();
    assertThat(InflatedFile.of(files, stat(path), 10 << 20)).isPresent();
  }

  @Test
  void anyRangeOfWhatItInflatesToIsRead() throws IOException {
    byte[] content = new byte[(3 << 20) + 17];
    new Random(4).nextBytes(content);
    Path path = folder.resolve("noise.gz");
    Files.write(path, gzip(content));
    List<ByteRange> ranges =
        List.of(
            new ByteRange(2 << 20, 100),
            new ByteRange(0, 10),
            new ByteRange((1 << 20) - 5, 10),
            new ByteRange(content.length - 7, 100),
            new ByteRange(content.length + 5, 100),
            new ByteRange(1 << 20, 1 << 20),
            new ByteRange(content.length - (2 << 20), 2 << 20));

    try (InflatedFile inflated = InflatedFile.of(files, stat(path), 1 << 30).orElseThrow()) {
      assertThat(inflated.stat().bytes()).isEqualTo(content.length);
      for (int time = 0; time < 2; time++) {
        List<byte[]> answers = inflated.read(path.toString(), ranges);
        for (int index = 0; index < ranges.size(); index++) {
          int from = (int) Math.min(content.length, ranges.get(index).offset());
          int to = Math.min(content.length, from + ranges.get(index).length());
          assertThat(answers.get(index)).isEqualTo(Arrays.copyOfRange(content, from, to));
        }
      }
    }
  }

  private FileStat stat(Path path) throws IOException {
    return files.stat(path.toString()).orElseThrow();
  }

  private Path save(int number, Sample sample) throws IOException {
    Path plain = samples.save("plain", sample);
    Path packed = folder.resolve("data_" + number + ".ckpt.gz");
    Files.write(packed, gzip(Files.readAllBytes(plain)));
    Files.delete(plain);
    return packed;
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    }
    return packed.toByteArray();
  }
}
