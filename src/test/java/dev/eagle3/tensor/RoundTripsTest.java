package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Over a network the calls are what takes the time; a file of gigabytes must not matter. */
class RoundTripsTest {
  private final TensorFileReader reader = new TensorFileReader();

  @Test
  void aSampleOfFourLayersTakesOneCallAnd64KiB() throws IOException {
    CountingBytes file =
        new CountingBytes(
            "data_0.pt", TorchFileWriter.sample(512, 4, "bfloat16", 512, 7168).bytes());

    TensorFile read = reader.read(file);

    assertThat(read.findings()).isEmpty();
    assertThat(read.tensors()).hasSize(6);
    assertThat(read.under("hidden_states"))
        .allSatisfy(
            tensor ->
                assertThat(tensor.storage())
                    .extracting(StorageExtent::storedBytes)
                    .isEqualTo(512L * 7168 * 2));
    assertThat(file.calls()).isEqualTo(1);
    assertThat(file.bytesRead()).isLessThanOrEqualTo(64 * 1024);
  }

  @Test
  void allVersionsOfTorchTakeOneCall() throws IOException {
    for (TorchFileWriter.Version version : TorchFileWriter.Version.values()) {
      CountingBytes file =
          new CountingBytes(
              "data_0.pt",
              new TorchFileWriter(version, "data_0")
                  .tensor("hidden_states", "float32", 64, 4, 256)
                  .layers("more", 3, "float32", 64, 1024)
                  .bytes());

      assertThat(reader.read(file).findings()).as(version.name()).isEmpty();
      assertThat(file.calls()).as(version.name()).isEqualTo(1);
    }
  }

  @Test
  void aFileOf771TensorsTakesTwoCalls() throws IOException {
    CountingBytes file =
        new CountingBytes("data_0.pt", TorchFileWriter.sample(771, 771, "float32", 512).bytes());

    TensorFile read = reader.read(file);

    assertThat(read.findings()).isEmpty();
    assertThat(read.tensors()).hasSize(773);
    assertThat(file.calls()).isEqualTo(2);
    assertThat(file.bytesRead()).isLessThan(192 * 1024);
  }

  @Test
  void aLongTextInThePickleTakesOneCallMore() throws IOException {
    CountingBytes file =
        new CountingBytes(
            "data_0.pt",
            TorchFileWriter.sample(64, 4, "bfloat16", 64, 7168)
                .text("conversation", "word ".repeat(20_000))
                .bytes());

    TensorFile read = reader.read(file);

    assertThat(read.findings()).isEmpty();
    assertThat(read.keys())
        .containsExactly("input_ids", "hidden_states", "loss_mask", "conversation");
    assertThat(file.calls()).isEqualTo(2);
  }

  @Test
  void safetensorsTakeOneCall() throws IOException {
    CountingBytes file =
        new CountingBytes(
            "hs_0.safetensors", Fixtures.bytes("torch-2.11/vllm_connector.safetensors"));

    assertThat(reader.read(file).findings()).isEmpty();
    assertThat(file.calls()).isEqualTo(1);
  }

  @Test
  void aCutFileTakesTwoCalls() throws IOException {
    byte[] whole = TorchFileWriter.sample(512, 4, "bfloat16", 512, 7168).bytes();
    CountingBytes file = new CountingBytes("data_0.pt", Arrays.copyOf(whole, whole.length / 2));

    assertThat(reader.read(file).findings()).extracting(Finding::code).containsExactly("file.cut");
    assertThat(file.calls()).isEqualTo(2);
    assertThat(file.bytesRead()).isLessThan(128 * 1024);
  }

  @Test
  void aFileThatShrinksWhileItIsReadSaysSo() throws IOException {
    byte[] whole = TorchFileWriter.sample(512, 4, "bfloat16", 512, 7168).bytes();
    CountingBytes shorter = new CountingBytes("data_0.pt", Arrays.copyOf(whole, 40_000));

    TensorFile read = reader.read(new OfSize(shorter, whole.length));

    assertThat(read.findings()).extracting(Finding::code).containsExactly("file.changed");
  }

  /** A file that was listed with another size. */
  private record OfSize(CountingBytes file, long size) implements RangedBytes {
    @Override
    public String name() {
      return file.name();
    }

    @Override
    public List<byte[]> read(List<ByteRange> ranges) {
      return file.read(ranges);
    }
  }
}
