package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.outcome.Finding;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tensors that torch puts together from others, or from arrays of NumPy. */
class CompoundTensorsTest {
  private static final byte[] STORAGE = new byte[16];
  private static final String FOUR = TorchFiles.tensor();
  private static final String TWO_BY_TWO =
      TorchFiles.tensor("(K\002K\002t", "(K\002K\001t", "K\000", "K\004");
  private static final String RAW =
      "c_codecs\nencode\n(X\001\000\000\000xX\006\000\000\000latin1tR";

  @Test
  void indicesAndValuesOfASparseTensorAreItsParts() {
    TensorEntry sparse = only(Fixtures.read("torch-2.14/sparse.pt"));

    assertThat(sparse.layout()).isEqualTo("sparse_coo");
    assertThat(sparse.storage()).isNull();
    assertThat(sparse.parts())
        .extracting(TensorEntry::path, TensorEntry::dtype, TensorEntry::shape)
        .containsExactly(
            tuple("indices", "int64", List.of(2L, 4L)), tuple("values", "float32", List.of(4L)));
    assertThat(Objects.requireNonNull(sparse.parts().get(0).storage()).usedBytes()).isEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({
    "sparse_csr, crow_indices, col_indices",
    "sparse_bsr, crow_indices, col_indices",
    "sparse_csc, ccol_indices, row_indices",
    "sparse_bsc, ccol_indices, row_indices"
  })
  void aCompressedTensorNamesItsIndices(String layout, String compressed, String plain) {
    TensorEntry tensor = only(read(sparse(layout, FOUR + FOUR + FOUR + "(K\010K\010t")));

    assertThat(tensor.layout()).isEqualTo(layout);
    assertThat(tensor.shape()).containsExactly(8L, 8L);
    assertThat(tensor.stride()).isEmpty();
    assertThat(tensor.parts())
        .extracting(TensorEntry::path)
        .containsExactly(compressed, plain, "values");
  }

  @Test
  void theOlderCallForCompressedTensorsIsReadAndRefusedByTheDefaultLoader() {
    TensorFile file = Fixtures.read("torch-1.13/csr.pt");

    assertThat(only(file).layout()).isEqualTo("sparse_csr");
    assertThat(only(file).shape()).containsExactly(4L, 4L);
  }

  @Test
  void indicesThatDoNotFitTheShapeAreNamed() {
    assertThat(broken(sparse("sparse_coo", TWO_BY_TWO + FOUR + "(K\010K\010t")))
        .isEqualTo("the object: indices [2, 2] and values [4] do not make [8, 8]");
  }

  @Test
  void aSparseTensorOfSparseTensorsIsNamed() {
    String inner = sparse("sparse_coo", FOUR + FOUR + "(K\010K\010t");

    assertThat(broken(sparse("sparse_coo", inner + FOUR + "(K\010K\010t")))
        .isEqualTo("the object: rebuilt by _rebuild_sparse_tensor within another");
  }

  @Test
  void aLayoutThatTorchDoesNotHaveIsNamed() {
    assertThat(broken(sparse("sparse_xyz", FOUR + FOUR + "(K\010t")))
        .isEqualTo("the object: no sparse layout: sparse_xyz");
  }

  @Test
  void aNestedTensorHasTheNumberOfItsTensors() {
    TensorEntry nested =
        only(
            read(
                "ctorch._utils\n_rebuild_nested_tensor\n("
                    + FOUR
                    + TWO_BY_TWO
                    + TWO_BY_TWO
                    + FOUR
                    + "tR"));

    assertThat(nested.layout()).isEqualTo("nested");
    assertThat(nested.shape()).containsExactly(2L);
    assertThat(nested.parts()).hasSize(4);
  }

  @Test
  void scalesOfAQuantisedTensorAreItsParts() {
    String storage =
        "(X\007\000\000\000storagectorch\nQInt8Storage\n"
            + "X\001\000\000\0001X\003\000\000\000cpuK\004tQ";
    TensorFile file =
        read(
            "ctorch._utils\n_rebuild_qtensor\n("
                + storage
                + "K\000(K\002K\002t(K\002K\001t(ctorch\nper_channel_affine\n"
                + FOUR
                + FOUR
                + "K\000t\211Nt"
                + "R",
            STORAGE,
            new byte[4]);

    assertThat(only(file).dtype()).isEqualTo("qint8");
    assertThat(only(file).parts())
        .extracting(TensorEntry::path)
        .containsExactly("scales", "zero_points");
    assertThat(file.findings()).isEmpty();
  }

  @Test
  void quantisedElementsThatShareBytesTakeThem() {
    for (int bytes : List.of(3 * 4, 3 * 4 - 1)) {
      String storage =
          "(X\007\000\000\000storagectorch\nQUInt4x2Storage\n"
              + "X\001\000\000\0000X\003\000\000\000cpuK"
              + (char) bytes
              + "tQ";
      TensorFile file =
          read(
              "ctorch._utils\n_rebuild_qtensor\n("
                  + storage
                  + "K\000(K\003K\007t(K\007K\001t(ctorch\nper_tensor_affine\nG"
                  + "\077\360\000\000\000\000\000\000K\000t\211NtR",
              new byte[bytes]);

      assertThat(only(file).dtype()).isEqualTo("quint4x2");
      assertThat(file.findings())
          .extracting(Finding::code)
          .isEqualTo(bytes == 12 ? List.of() : List.of("file.tensor-bounds"));
    }
  }

  @Test
  void aTensorFromAnArrayHasItsShape() {
    TensorFile file =
        read(
            "ctorch._utils\n_rebuild_device_tensor_from_numpy\n("
                + array("numpy._core", "f4", "(K\002K\003t")
                + "ctorch\nfloat32\nX\005\000\000\000xla:0\211tR");

    assertThat(only(file).dtype()).isEqualTo("float32");
    assertThat(only(file).shape()).containsExactly(2L, 3L);
    assertThat(only(file).stride()).containsExactly(3L, 1L);
    assertThat(only(file).storage()).isNull();
  }

  @Test
  void theClassOfATensorWithAViewAsItsStateIsRead() {
    String storage =
        "(X\007\000\000\000storagectorch\nFloatStorage\n"
            + "X\001\000\000\0000X\003\000\000\000cpuK\004tQ";
    TensorFile file = read("ctorch\nFloatTensor\n)R(" + storage + "K\001(K\003t(K\001ttb");

    assertThat(only(file).dtype()).isEqualTo("float32");
    assertThat(only(file).shape()).containsExactly(3L);
    assertThat(only(file).offset()).isEqualTo(1);
  }

  @Test
  void arraysOfNumPyAreListedBesideTheTensors() {
    TensorFile file =
        read(
            "}(X\001\000\000\000a"
                + array("numpy.core", "f4", "(K\002K\003t")
                + "X\001\000\000\000b"
                + array("numpy._core", "i8", "K\004\205")
                + "X\001\000\000\000tK\001u");

    assertThat(file.tensors()).isEmpty();
    assertThat(file.arrays())
        .containsExactly(
            new ArrayEntry("a", "float32", List.of(2L, 3L)),
            new ArrayEntry("b", "int64", List.of(4L)));
    assertThat(file.findings())
        .extracting(Finding::code)
        .containsExactly("file.weights-only-refused", "file.storage-unused");
  }

  @Test
  void arraysOfRealFilesAreListed() {
    for (String name : List.of("torch-1.13/numpy.pt", "torch-2.14/numpy.pt")) {
      assertThat(Fixtures.read(name).arrays())
          .as(name)
          .containsExactly(
              new ArrayEntry("arr", "float32", List.of(2L, 3L)),
              new ArrayEntry("sc", "float64", List.of()));
    }
  }

  @Test
  void whatAModuleHoldsIsNamedAndNotListed() {
    TensorFile module = Fixtures.read("torch-2.14/module.pt");

    assertThat(module.tensors()).isEmpty();
    assertThat(module.findings())
        .filteredOn(finding -> finding.code().equals("file.opaque-object"))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.evidence())
                    .anyMatch(
                        each ->
                            each.startsWith("7 tensors within, not listed: _modules.0._parameters.")
                                && each.contains("float32 [3, 4]")));
  }

  @Test
  void whatAScriptHoldsIsNamed() {
    assertThat(Fixtures.read("torch-2.14/torchscript.pt").findings())
        .filteredOn(finding -> finding.code().equals("file.opaque-object"))
        .singleElement()
        .satisfies(
            finding -> assertThat(finding.evidence()).anyMatch(each -> each.contains("within")));
  }

  @Test
  void objectsThatReferToEachOtherInCirclesEnd() {
    String circle = "cmine\nParent\n)\201q\000}(X\001\000\000\000ah\000X\001\000\000\000t" + FOUR;

    TensorFile file = read(circle + "ub");

    assertThat(file.findings())
        .extracting(Finding::code)
        .containsExactly("file.opaque-object", "file.weights-only-refused");
    assertThat(file.findings().get(0).evidence())
        .containsExactly("1 tensor within, not listed: t float32 [4]");
  }

  @Test
  void entriesOfADictOfAnotherClassAreWithinIt() {
    TensorFile file = read("cmine\nOutput\n)R(X\001\000\000\000t" + FOUR + "u");

    assertThat(file.findings().get(0).evidence())
        .containsExactly("1 tensor within, not listed: t float32 [4]");
  }

  private static String sparse(String layout, String data) {
    return "ctorch._utils\n_rebuild_sparse_tensor\n(ctorch.serialization\n_get_layout\n(X"
        + (char) ("torch." + layout).length()
        + "\000\000\000torch."
        + layout
        + "tR("
        + data
        + "ttR";
  }

  private static String array(String module, String dtype, String shape) {
    return "c"
        + module
        + ".multiarray\n_reconstruct\n(cnumpy\nndarray\nK\000\205"
        + RAW
        + "tR(K\001"
        + shape
        + "cnumpy\ndtype\n(X\002\000\000\000"
        + dtype
        + "\211\210tR(K\003X\001\000\000\000<NNNJ\377\377\377\377J\377\377\377\377K\000tb\211"
        + RAW
        + "tb";
  }

  private static String broken(String pickle) {
    return read(pickle).findings().stream()
        .filter(finding -> finding.code().equals("file.tensor-invalid"))
        .map(Finding::actual)
        .findFirst()
        .orElseThrow();
  }

  private static TensorEntry only(TensorFile file) {
    assertThat(file.tensors()).as(file.findings().toString()).hasSize(1);
    return file.tensors().get(0);
  }

  private static TensorFile read(String pickle) {
    return read(pickle, STORAGE);
  }

  private static TensorFile read(String pickle, byte[]... storages) {
    return TorchFiles.read(TorchFiles.with(TorchFiles.pickle("\200\002" + pickle + "."), storages));
  }
}
