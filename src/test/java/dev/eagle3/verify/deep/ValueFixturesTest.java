package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.cause.Diagnoser;
import dev.eagle3.cause.Diagnosis;
import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.deep.DeepSamples.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files that {@code docs/causes.md} names show what it says. */
class ValueFixturesTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures/values");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "dtype-overflow.pt, values.dtype-overflow",
    "embeddings-captured.pt, layers.embeddings-captured",
    "captured-twice.pt, layers.captured-twice",
    "never-written.pt, values.never-written"
  })
  void eachFileShowsItsCause(String name, String code) throws IOException {
    Diagnosis diagnosis = diagnose(FIXTURES.resolve(name).toAbsolutePath());

    assertThat(diagnosis.causes()).extracting(Cause::code).containsExactly(code);
    Cause cause = diagnosis.causes().get(0);
    assertThat(cause.evidence()).first().asString().startsWith(name + ": hidden_states[");
    assertThat(cause.subjects())
        .containsExactly(FIXTURES.resolve(name).toAbsolutePath().toString());
  }

  @Test
  void theFilesAreTheseAndGoodSamplesHaveNoCause() throws IOException {
    DeepSamples samples = new DeepSamples(folder);
    samples.save("data_0.pt", DeepSamples.sample(1));
    assertThat(diagnose(folder).causes()).isEmpty();

    Sample overflow = DeepSamples.sample(1);
    overflow.dtype = "float16";
    for (float[] row : overflow.layers[2]) {
      row[9] = 70_000;
    }
    assertSaved(samples, "dtype-overflow.pt", overflow);
    Sample embeddings = DeepSamples.sample(2);
    for (int row = 6; row < 12; row++) {
      embeddings.ids[row] = embeddings.ids[row - 6];
      embeddings.layers[0][row] = embeddings.layers[0][row - 6];
    }
    assertSaved(samples, "embeddings-captured.pt", embeddings);
    Sample twice = DeepSamples.sample(3);
    twice.layers[2] = twice.layers[1];
    assertSaved(samples, "captured-twice.pt", twice);
    Sample unwritten = DeepSamples.sample(4);
    for (int row = 9; row < 12; row++) {
      Arrays.fill(unwritten.layers[1][row], 0);
    }
    assertSaved(samples, "never-written.pt", unwritten);
  }

  private static void assertSaved(DeepSamples samples, String name, Sample sample)
      throws IOException {
    Path saved = samples.save(name, sample);
    if (Boolean.getBoolean("eagle3.golden.update")) {
      Files.createDirectories(FIXTURES);
      Files.copy(saved, FIXTURES.resolve(name));
    }
    assertThat(FIXTURES.resolve(name)).hasSameBinaryContentAs(saved);
  }

  private static Diagnosis diagnose(Path path) throws IOException {
    LocalFileTree files = new LocalFileTree();
    return new Diagnoser(files, 2, new DeepVerifier(files, each -> true), event -> {})
        .diagnose(
            List.of(path.toString()),
            new ExpectationSources(
                Expectation.NONE, Optional.empty(), Optional.empty(), Optional.empty()));
  }
}
