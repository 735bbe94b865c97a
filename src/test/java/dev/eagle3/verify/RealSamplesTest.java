package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.ExpectationFinder;
import dev.eagle3.expect.ExpectationSources;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that real extractions wrote. */
class RealSamplesTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures").toAbsolutePath();
  private static final Path TINY = FIXTURES.resolve("tiny-lm");
  private static final Path KIMI = FIXTURES.resolve("tensors/real/kimi-shape-t17.pt");
  private static final Path CONNECTOR =
      FIXTURES.resolve("tensors/torch-2.11/vllm_connector.safetensors");

  @TempDir Path folder;

  @Test
  void aWholeExtractionIsGoodAgainstItsModel() throws IOException {
    Expectation flags =
        Expectation.NONE.withLayers(4, "--layers 1 3 5 7").withSamples(16, "--samples");
    Expectation expected =
        new ExpectationFinder(new LocalFileTree())
            .find(
                new ExpectationSources(
                    flags,
                    Optional.empty(),
                    Optional.of(TINY.resolve("model").toString()),
                    Optional.of(TINY.resolve("hidden_states").toString())))
            .expectation();

    VerifyResult result = verify(TINY.resolve("hidden_states"), expected);

    assertThat(expected.hiddenSize().orElseThrow().value()).isEqualTo(128);
    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.good()).isEqualTo(16);
    assertThat(result.total()).isEqualTo(16);
    assertThat(result.says()).isEqualTo("4 × [T, 128] bfloat16");
    assertThat(result.setFindings()).isEmpty();
    assertThat(result.files()).allSatisfy(file -> assertThat(file.findings()).isEmpty());
    assertThat(result.files().get(10).path()).endsWith("/data_10.pt");
  }

  @Test
  void theSameFilesAreBadAgainstAnotherModel() throws IOException {
    Expectation other = Expectation.NONE.withLayers(3, "flags").withHiddenSize(7168, "flags");

    VerifyResult result = verify(TINY.resolve("hidden_states"), other);

    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.files())
        .allSatisfy(
            file ->
                assertThat(file.findings())
                    .extracting(Finding::code)
                    .containsExactly("layers.count", "layers.hidden-size"));
  }

  @Test
  void filesAloneAgreeWithEachOther() throws IOException {
    VerifyResult result = verify(TINY.resolve("hidden_states"), Expectation.NONE);

    assertThat(result.setFindings().get(0).actual())
        .isEqualTo("all 16 files agree on 4 × [T, 128] bfloat16; not checked against a model");
    assertThat(result.exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void aSampleOfKimisShapeIsGood() throws IOException {
    VerifyResult result =
        verify(KIMI, Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "flags"));

    assertThat(result.files().get(0).says()).isEqualTo("4 × [17, 7168] bfloat16");
    assertThat(result.exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void aFileOfVllmsConnectorIsGood() throws IOException {
    VerifyResult result =
        verify(CONNECTOR, Expectation.NONE.withLayers(4, "flags").withHiddenSize(256, "flags"));

    assertThat(result.files().get(0).says()).isEqualTo("4 × [16, 256] bfloat16");
    assertThat(result.files().get(0).findings()).isEmpty();
  }

  @Test
  void aFileOfSpecForgesShapeIsGood() throws IOException {
    Path file = FIXTURES.resolve("tensors/torch-2.11/specforge_like.ckpt");

    VerifyResult result =
        verify(file, Expectation.NONE.withLayers(3, "flags").withHiddenSize(64, "flags"));

    assertThat(result.files().get(0).says()).isEqualTo("4 × [8, 64] bfloat16");
    assertThat(result.files().get(0).findings()).isEmpty();
    assertThat(result.exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void aCutCopyIsBadWhereverItIsCut() throws IOException {
    for (Path source : List.of(TINY.resolve("hidden_states/data_0.pt"), CONNECTOR)) {
      byte[] whole = Files.readAllBytes(source);
      Path cut = folder.resolve(source.getFileName());
      for (int part = 0; part < 10; part++) {
        Files.write(cut, Arrays.copyOf(whole, whole.length / 10 * part));

        assertThat(verify(cut, Expectation.NONE).exit())
            .as("%d tenths", part)
            .isEqualTo(Exit.WRONG);
      }
      Files.write(cut, Arrays.copyOf(whole, whole.length - 1));
      assertThat(verify(cut, Expectation.NONE).exit()).isEqualTo(Exit.WRONG);
    }
  }

  private static VerifyResult verify(Path path, Expectation expected) throws IOException {
    List<Event> events = new ArrayList<>();
    VerifyResult result =
        new FolderVerifier(new LocalFileTree(), FolderVerifier.IN_FLIGHT_LOCAL)
            .verify(List.of(path.toString()), expected, events::add);
    assertThat(events.stream().filter(Event.FileChecked.class::isInstance))
        .hasSize(result.files().size());
    return result;
  }
}
