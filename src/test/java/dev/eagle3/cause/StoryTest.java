package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Exit;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The story behind this project, with files as torch writes them. */
class StoryTest {
  private static final Expectation KIMI =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "config.json");

  @TempDir Path folder;

  @Test
  void filesOfTheStoryAreWrongAndTheirCauseIsNamed() throws IOException {
    save("data_0.pt", TorchFileWriter.sample(512, 771, "bfloat16", 512));
    save("data_1.pt", TorchFileWriter.sample(259, 771, "bfloat16", 259));

    VerifyResult result = verify();

    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.files().get(0).says()).isEqualTo("771 × [512] bfloat16");
    List<Cause> causes = new CauseFinder().find(result.files(), KIMI);
    assertThat(causes).hasSize(1);
    assertThat(causes.get(0).evidence().get(0))
        .isEqualTo(
            "771 tensors of [512]: 771 = 512 + 259, the tokens of samples 0 and 1: each token row"
                + " of the first layer was taken for a layer, and T = 512 cut the hidden"
                + " dimension");
  }

  @Test
  void theSameSamplesSavedWellAreGood() throws IOException {
    save("data_0.pt", TorchFileWriter.sample(51, 4, "bfloat16", 51, 7168));
    save("data_1.pt", TorchFileWriter.sample(25, 4, "bfloat16", 25, 7168));

    VerifyResult result = verify();

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.says()).isEqualTo("4 × [T, 7168] bfloat16");
    assertThat(new CauseFinder().find(result.files(), KIMI)).isEmpty();
  }

  private VerifyResult verify() throws IOException {
    return new FolderVerifier(new LocalFileTree(), FolderVerifier.IN_FLIGHT_LOCAL)
        .verify(List.of(folder.toString()), KIMI, event -> {});
  }

  private void save(String name, TorchFileWriter file) throws IOException {
    Files.write(folder.resolve(name), file.bytes());
  }
}
