package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.outcome.Finding;
import dev.eagle3.testing.Hostile;
import org.junit.jupiter.api.Test;

/** Archives of TorchScript have a second pickle, of constants. */
class TorchScriptTest {
  private static final byte[] EMPTY = TorchFiles.pickle("\200\002).");

  @Test
  void aRealOneIsReadWithItsConstants() {
    TensorFile file = Fixtures.read("torch-2.14/torchscript.pt");

    assertThat(file.globals())
        .containsExactly(
            "__torch__.torch.nn.modules.linear.Linear",
            "torch._utils._rebuild_tensor_v2",
            "torch.FloatStorage",
            "collections.OrderedDict");
    assertThat(file.findings())
        .extracting(Finding::code)
        .doesNotContain("file.pickle-invalid", "file.hostile-global");
  }

  @Test
  @Hostile("a TorchScript archive with code to run in its second pickle")
  void namesInTheConstantsAreListedAndJudged() {
    TensorFile file =
        TorchFiles.read(
            TorchFiles.script(
                EMPTY, TorchFiles.pickle("\200\002cos\nsystem\nX\001\000\000\000a\205R.")));

    assertThat(file.globals()).containsExactly("os.system");
    assertThat(file.findings())
        .extracting(Finding::code, Finding::actual)
        .contains(tuple("file.hostile-global", "it names os.system"));
  }

  @Test
  @Hostile("a TorchScript archive whose second pickle is broken")
  void constantsThatCannotBeReadAreNamed() {
    assertThat(
            TorchFiles.read(TorchFiles.script(EMPTY, TorchFiles.pickle("\200\002R."))).findings())
        .extracting(Finding::code, Finding::actual)
        .contains(
            tuple("file.pickle-invalid", "constants.pkl: at byte 2, REDUCE: nothing on the stack"));
  }

  @Test
  void textsAtTheTopAreKeptAndOthersAreNot() {
    TensorFile file =
        TorchFiles.read(
            new TorchFileWriter("a")
                .text("packed_loss_mask", "2,7")
                .text("long", "x".repeat(100_000))
                .tensor("input_ids", "int64", 9)
                .bytes());

    assertThat(file.texts()).containsOnlyKeys("packed_loss_mask").containsValue("2,7");
    assertThat(file.keys()).containsExactly("packed_loss_mask", "long", "input_ids");
  }
}
