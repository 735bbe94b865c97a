package dev.eagle3.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Torch files around pickles that torch would never write. */
final class TorchFiles {
  private TorchFiles() {}

  /** A file with this pickle and these storages, {@code data/0} first. */
  static byte[] with(byte[] pickle, byte[]... storages) {
    try (ZipOutput.InMemory out = new ZipOutput.InMemory()) {
      TorchZipWriter zip = new TorchZipWriter(out, "archive", 64, true);
      zip.entry("data.pkl", pickle);
      for (int index = 0; index < storages.length; index++) {
        zip.entry("data/" + index, storages[index]);
      }
      zip.entry("version", "3\n");
      zip.finish();
      return out.bytes();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** A TorchScript archive of this pickle, with this one of its constants. */
  static byte[] script(byte[] pickle, byte[] constants) {
    try (ZipOutput.InMemory out = new ZipOutput.InMemory()) {
      TorchZipWriter zip = new TorchZipWriter(out, "archive", 64, true);
      zip.entry("data.pkl", pickle);
      zip.entry("code/__torch__.py", "op_version_set = 1\n");
      zip.entry("constants.pkl", constants);
      zip.entry("version", "3\n");
      zip.finish();
      return out.bytes();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Reads it. */
  static TensorFile read(byte[] file) {
    return read(file, ReadLimits.forHeap(256L << 20));
  }

  /** Reads it within limits. */
  static TensorFile read(byte[] file, ReadLimits limits) {
    try {
      return new TensorFileReader(limits).read(new CountingBytes("file.pt", file));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** Bytes of a pickle: each character is one byte. */
  static byte[] pickle(String latin1) {
    return latin1.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The opcodes that rebuild a float32 tensor of 4 elements from storage 0. */
  static String tensor() {
    return tensor("(K\004t", "(K\001t", "K\000", "K\004");
  }

  /** The opcodes that rebuild a float32 tensor from storage 0. */
  static String tensor(String size, String stride, String offset, String elements) {
    return "ctorch._utils\n_rebuild_tensor_v2\n((X\007\000\000\000storagectorch\nFloatStorage\n"
        + "X\001\000\000\0000X\003\000\000\000cpu"
        + elements
        + "tQ"
        + offset
        + size
        + stride
        + "\211ccollections\nOrderedDict\n)RtR";
  }
}
