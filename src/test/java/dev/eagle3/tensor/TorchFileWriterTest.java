package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The files that tests make are those that torch makes. */
class TorchFileWriterTest {
  @Test
  void aSampleIsByteForByteTorchs() {
    byte[] real = Fixtures.bytes("torch-2.11/nan_inf_zero_h16.pt");
    List<TensorEntry> tensors = Fixtures.read("torch-2.11/nan_inf_zero_h16.pt").tensors();

    byte[] ours =
        new TorchFileWriter("nan_inf_zero_h16")
            .tensor("input_ids", "int64", content(real, tensors.get(0)), 4)
            .layers(
                "hidden_states",
                tensors.subList(1, 5).stream().map(tensor -> content(real, tensor)).toList(),
                "bfloat16",
                4,
                16)
            .tensor("loss_mask", "int64", content(real, tensors.get(5)), 4)
            .bytes();

    assertThat(withoutId(ours)).isEqualTo(withoutId(real));
  }

  @Test
  void theLayoutOfTorch113IsItsOwn() {
    byte[] ours =
        new TorchFileWriter(TorchFileWriter.Version.TORCH_1_13, "two.dots")
            .tensor("a", "float32", 2)
            .bytes();

    assertThat(ours).isEqualTo(Fixtures.bytes("torch-1.13/two.dots.ckpt"));
  }

  private static byte[] content(byte[] file, TensorEntry tensor) {
    StorageExtent storage = Objects.requireNonNull(tensor.storage());
    int from = (int) storage.fileOffset();
    return Arrays.copyOfRange(file, from, from + (int) storage.storedBytes());
  }

  /** The id is the hash of names and checksums by an algorithm of torch's own. */
  private static String withoutId(byte[] file) {
    String text = new String(file, StandardCharsets.ISO_8859_1);
    int name = text.indexOf("/.data/serialization_id");
    int id = text.indexOf("Z", name) + text.substring(text.indexOf("Z", name)).indexOf("PK") - 40;
    String same = text.substring(0, id) + "#".repeat(40) + text.substring(id + 40);
    int crc = same.indexOf("PK", id) + 4;
    same = same.substring(0, crc) + "####" + same.substring(crc + 4);
    int header = same.lastIndexOf("/.data/serialization_id");
    int start = same.lastIndexOf("PK", header) + 16;
    return same.substring(0, start) + "####" + same.substring(start + 4);
  }
}
