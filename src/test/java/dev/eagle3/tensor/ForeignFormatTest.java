package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A file of another kind is called by its name. */
class ForeignFormatTest {
  static Stream<Arguments> starts() {
    return Stream.of(
        arguments("\223NUMPY\001\000", "a NumPy array"),
        arguments("\211HDF\015\012\032\012", "an HDF5 file"),
        arguments("GGUF\003", "a GGUF model file"),
        arguments("7z\274\257'\034\000", "a 7-Zip archive"),
        arguments("\3757zXZ\000", "xz data"),
        arguments("(\265/\375\000", "Zstandard data"),
        arguments("BZh9", "bzip2 data"),
        arguments("PK\005\006\000", "an empty zip archive"),
        arguments("PAR1\000", "a Parquet file"),
        arguments("version https://git-lfs.github.com/spec/v1", "a Git LFS pointer"),
        arguments("<!DOCTYPE html><html>", "an HTML page"),
        arguments("<?xml version='1.0'?><Error>", "an XML or HTML text"),
        arguments("{\"error\": \"not found\"}", "a JSON text"),
        arguments("\200\004K\001.", "a plain pickle (protocol 4)"),
        arguments("{\"keys\":{}}", "a JSON text"),
        arguments("hello world", "something unknown, its first bytes are 68 65 6c 6c 6f 20 77 6f"));
  }

  @ParameterizedTest
  @MethodSource("starts")
  void aFileIsNamedByItsFirstBytes(String bytes, String name) {
    assertThat(said(bytes.getBytes(StandardCharsets.ISO_8859_1))).startsWith(name);
  }

  @Test
  void aTarIsNamed() {
    byte[] tar = new byte[1024];
    System.arraycopy("storages".getBytes(StandardCharsets.US_ASCII), 0, tar, 0, 8);
    System.arraycopy("ustar".getBytes(StandardCharsets.US_ASCII), 0, tar, 257, 5);

    assertThat(said(tar)).startsWith("a tar archive");
  }

  @Test
  void zerosAreNamed() {
    byte[] startOnly = new byte[100_000];
    startOnly[99_999] = 1;

    assertThat(said(new byte[100_000])).startsWith("zero bytes at its start and end");
    assertThat(said(startOnly)).startsWith("zero bytes at its start: blocks were lost");
  }

  @Test
  void anyFirstByteIsNamedWithoutFault() {
    for (int first = 0; first < 256; first++) {
      for (int length = 1; length < 20; length++) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) first);

        assertThat(TorchFiles.read(bytes).findings()).as("%d times %d", length, first).isNotEmpty();
      }
    }
  }

  private static String said(byte[] bytes) {
    TensorFile file = TorchFiles.read(bytes);
    assertThat(file.container()).isEqualTo(ContainerKind.FOREIGN);
    assertThat(file.findings()).hasSize(1);
    assertThat(file.findings().get(0).code()).isEqualTo("file.foreign");
    return file.findings().get(0).actual();
  }
}
