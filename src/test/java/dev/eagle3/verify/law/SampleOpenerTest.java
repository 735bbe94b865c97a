package dev.eagle3.verify.law;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.FolderVerifier;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One name means the last layer in one program, and all layers in another. */
class SampleOpenerTest {
  private static final String BF = "bfloat16";

  @TempDir Path folder;

  @Test
  void theLastOfAListIsTheLastLayer() throws IOException {
    assertThat(lastOf("data_0.pt", ids(true).layers("hidden_states", 4, BF, 9, 64)))
        .hasValue("hidden_states[3]");
  }

  @Test
  void modelOptKeepsTheLastLayerWhereOthersKeepAll() throws IOException {
    TorchFileWriter file =
        ids(true)
            .tensor("aux_hidden_states", BF, 9, 192)
            .tensor("hidden_states", BF, 9, 64)
            .text("conversation_id", "abc");

    assertThat(lastOf("abc.pt", file)).hasValue("hidden_states");
  }

  @Test
  void torchSpecKeepsAllLayersWhereOthersKeepTheLast() throws IOException {
    TorchFileWriter file =
        ids(false)
            .tensor("hidden_states", BF, 9, 192)
            .tensor("last_hidden_states", BF, 9, 64)
            .text("data_id", "abc")
            .text("packed_loss_mask", "2,7")
            .text("metadata", "");

    assertThat(lastOf("abc.pt", file)).hasValue("last_hidden_states");
  }

  @Test
  void theThirdOfBaldEaglesStackIsTheLast() throws IOException {
    assertThat(lastOf("data_0.ckpt", ids(true).tensor("hidden_state", BF, 3, 9, 64)))
        .hasValue("hidden_state[2]");
  }

  @Test
  void theLastOfLayersSideBySideIsTheLast() throws IOException {
    assertThat(lastOf("data_0.ckpt", ids(true).tensor("hidden_states", BF, 1, 9, 192)))
        .hasValue("hidden_states[:, 128:192]");
  }

  @Test
  void valuesOfABigEndianMachineAreNotTakenForOthers() throws IOException {
    TorchFileWriter file = ids(true).layers("hidden_states", 4, BF, 9, 64).bigEndian();

    assertThat(lastOf("data_0.pt", file)).isEmpty();
  }

  private static TorchFileWriter ids(boolean withMask) {
    TorchFileWriter file = new TorchFileWriter("a").tensor("input_ids", "int64", 9);
    return withMask ? file.tensor("loss_mask", "int64", 9) : file;
  }

  private Optional<String> lastOf(String name, TorchFileWriter file) throws IOException {
    Path path = folder.resolve(name);
    file.write(path);
    LocalFileTree files = new LocalFileTree();
    FileVerdict verdict =
        new FolderVerifier(files, FolderVerifier.IN_FLIGHT_LOCAL)
            .verify(
                List.of(path.toString()),
                Expectation.NONE.withHiddenSize(64, "--hidden-size"),
                event -> {})
            .files()
            .get(0);
    return new SampleOpener(files)
        .open(verdict, OptionalLong.of(64))
        .map(sample -> sample.layer().path());
  }
}
