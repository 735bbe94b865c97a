package dev.eagle3.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.extractor.Outputs;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Failure;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of files that a run is to go on with. */
class KeptFilesCheckerTest {
  @TempDir Path folder;

  @Test
  void samplesInFoldersOfAProgramThatSavesThereAreCounted() throws IOException {
    save("rows_0-2000/data_0.ckpt", specForge());
    save("rows_0-2000/data_1.ckpt", specForge());

    assertThat(check("specforge-eagle3").good())
        .containsExactly("rows_0-2000/data_0.ckpt", "rows_0-2000/data_1.ckpt");
  }

  @Test
  @Hostile("a killed run left half a file in a folder of the output, taken for done for ever")
  void aBadFileInSuchAFolderIsNotPassedOver() throws IOException {
    save("rows_0-2000/data_0.ckpt", specForge());
    save("rows_0-2000/data_1.ckpt", Arrays.copyOf(specForge(), 1000));

    assertThatThrownBy(() -> check("specforge-eagle3"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("1 bad file is in folders of it")
        .hasMessageContaining("rows_0-2000/data_1.ckpt: file.cut");
  }

  @Test
  void foldersInTheOutputOfAProgramThatSavesInNoneAreNotItsOwn() throws IOException {
    save("data_0.pt", speculators());
    save("rows_0-2000/data_1.ckpt", new byte[0]);

    assertThat(check("speculators-list").good()).containsExactly("data_0.pt");
  }

  @Test
  @Hostile("the output folder holds good samples of another program")
  void samplesOfAnotherSchemaAreNotGoneOnWith() throws IOException {
    save("data_0.ckpt", specForge());

    assertThatThrownBy(() -> check("speculators-list"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining(
            "1 sample there is of specforge-eagle3, and speculators-0.4 writes speculators-list");
  }

  private KeptFiles check(String schema) {
    ExtractionRequest request =
        new ExtractionRequest(
            ExtractPlans.resuming(folder.toString(), schema),
            LogRules.NONE,
            false,
            Optional.empty(),
            Optional.empty(),
            "--host gpu7",
            Outputs.Resume.MISSING,
            false);
    return new KeptFilesChecker(new HostScripts(new ScriptedHost()), request, event -> {}).check();
  }

  private void save(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private static byte[] speculators() {
    return TorchFileWriter.sample(9, 4, "bfloat16", 9, 64).bytes();
  }

  private static byte[] specForge() {
    return new TorchFileWriter("data_0")
        .tensor("input_ids", "int64", 9L)
        .tensor("loss_mask", "int64", 9L)
        .tensor("aux_hidden_state", "bfloat16", 1L, 9L, 192L)
        .tensor("hidden_state", "bfloat16", 1L, 9L, 64L)
        .bytes();
  }
}
