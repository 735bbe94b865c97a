package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SafetensorsReaderTest {
  private static final String ONE =
      "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}";

  @Test
  void aTensorIsReadWithItsPlaceInTheFile() {
    TensorFile file = read(ONE, 24);

    assertThat(file.container()).isEqualTo(ContainerKind.SAFETENSORS);
    assertThat(file.findings()).isEmpty();
    assertThat(file.keys()).containsExactly("a");
    assertThat(file.tensors())
        .containsExactly(
            new TensorEntry(
                "a",
                "a",
                "float32",
                List.of(2L, 3L),
                List.of(3L, 1L),
                0,
                new StorageExtent("a", 24, 8 + ONE.length(), 24, 24)));
  }

  @Test
  void metadataSpacesScalarsAndEmptyTensorsAreFine() {
    String header =
        " \n{\"__metadata__\":{\"format\":\"pt\"},"
            + "\"s\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[0,8]},"
            + "\"e\":{\"dtype\":\"BF16\",\"shape\":[0,4],\"data_offsets\":[8,8]}}   ";

    TensorFile file = read(header, 8);

    assertThat(file.findings()).isEmpty();
    assertThat(file.keys()).containsExactly("s", "e");
    assertThat(file.tensors())
        .extracting(TensorEntry::stride)
        .containsExactly(List.of(), List.of(4L, 1L));
  }

  @Test
  void anEmptyFileOfTensorsIsFine() {
    assertThat(read("{}", 0).findings()).isEmpty();
  }

  @Test
  void valuesOfFourBitsAreCountedAsTorchCountsThem() {
    TensorFile file = read("{\"a\":{\"dtype\":\"F4\",\"shape\":[2,8],\"data_offsets\":[0,8]}}", 8);

    assertThat(file.findings()).isEmpty();
    assertThat(file.tensors().get(0).dtype()).isEqualTo("float4_e2m1fn_x2");
    assertThat(file.tensors().get(0).shape()).containsExactly(2L, 4L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "[1]                                                  | something else",
        "{'a':1}                                              | a is no object",
        "{'a':{'dtype':'F32','shape':[6]}}                    | a lacks its dtype, shape or data_offsets",
        "{'a':{'dtype':'F32','shape':[2.0],'data_offsets':[0,24]}}    | a shape is no whole number",
        "{'a':{'dtype':'F32','shape':[2e0],'data_offsets':[0,24]}}    | a shape is no whole number",
        "{'a':{'dtype':'F32','shape':[-6],'data_offsets':[0,24]}}     | a shape has -6",
        "{'a':{'dtype':'F32','shape':[-0],'data_offsets':[0,24]}}     | a shape has -0",
        "{'a':{'dtype':'F32','shape':['6'],'data_offsets':[0,24]}}    | a shape is no whole number",
        "{'a':{'dtype':'F32','shape':6,'data_offsets':[0,24]}}        | a shape is no list",
        "{'a':{'dtype':7,'shape':[6],'data_offsets':[0,24]}}          | a dtype is no string",
        "{'a':{'dtype':'F32','shape':[6],'data_offsets':[0,12,24]}}   | a has data_offsets [0, 12, 24]",
        "{'a':{'dtype':'F32','shape':[6],'data_offsets':[24,0]}}      | a has data_offsets [24, 0]",
        "{'a':{'dtype':'F32','shape':[99999999999999999999],'data_offsets':[0,24]}} | a shape has 99999999999999999999",
        "{'a':{'dtype':'F32','dtype':'F32','shape':[6],'data_offsets':[0,24]}}      | a has dtype twice",
        "{'__metadata__':{'x':1}}                             | __metadata__ x is no string",
        "{'__metadata__':{'x':'1','x':'2'}}                   | __metadata__ has x twice",
        "{'__metadata__':[]}                                  | __metadata__ is no object",
        "{'a':{'dtype':'F32','shape':[6],'data_offsets':[0,24]},}     | no valid JSON",
        "{'a':{'dtype':'F32','shape':[6],'data_offsets':[0,24]}}{}    | something follows the object",
        "{'a':{'dtype':'F32','shape':[06],'data_offsets':[0,24]}}     | no valid JSON",
        "{/**/}                                               | no valid JSON",
        "{'a'                                                 | no valid JSON",
      })
  void aBrokenHeaderIsNamed(String header, String says) {
    TensorFile file = read(header.strip().replace('\'', '"'), 24);

    if (!says.equals("something else")) {
      assertThat(errors(file))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.code()).isEqualTo("file.header-invalid");
                assertThat(finding.actual()).startsWith(says);
              });
    } else {
      assertThat(errors(file)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]}} | file.duplicate-name | a stands twice",
        "{'a':{'dtype':'U8','shape':[4],'data_offsets':[0,3]}}   | file.tensor-size | a: uint8 [4] needs 4 bytes, its offsets hold 3",
        "{'a':{'dtype':'F4','shape':[3],'data_offsets':[0,2]}}   | file.tensor-size | a: F4 [3] needs no whole number of bytes, its offsets hold 2",
        "{'a':{'dtype':'U8','shape':[4611686018427387904,4],'data_offsets':[0,4]}} | file.tensor-size | a: uint8 [4611686018427387904, 4] needs no whole",
        "{'a':{'dtype':'U8','shape':[2],'data_offsets':[2,4]}}   | file.offsets | a begins at 2, with a gap after the one that ends at 0",
        "{'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},'b':{'dtype':'U8','shape':[2],'data_offsets':[2,4]}} | file.offsets | b begins at 2, over the one that ends at 4",
        "{'a':{'dtype':'U8','shape':[3],'data_offsets':[0,3]}}   | file.trailing-bytes | 1 bytes more",
        "{'a':{'dtype':'U8','shape':[5],'data_offsets':[0,5]}}   | file.cut | 65 bytes: 0 of 1 tensors are whole",
        "{'a':{'dtype':'F7','shape':[4],'data_offsets':[0,4]}}   | file.dtype-unknown | a has dtype F7",
        "{'a':{'dtype':'u8','shape':[4],'data_offsets':[0,4]}}   | file.dtype-unknown | a has dtype u8",
      })
  void whatDoesNotFitIsNamed(String header, String code, String says) {
    TensorFile file = read(header.strip().replace('\'', '"'), 4);

    assertThat(errors(file))
        .anySatisfy(
            finding -> {
              assertThat(finding.code()).isEqualTo(code);
              assertThat(finding.actual()).startsWith(says);
            });
  }

  @Test
  void tensorsOfAnUnknownDtypeAreListedWithTheOthers() {
    TensorFile file =
        read(
            "{\"a\":{\"dtype\":\"F7\",\"shape\":[4,2],\"data_offsets\":[0,3]},"
                + "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[3,4]}}",
            4);

    assertThat(file.tensors())
        .extracting(TensorEntry::path, TensorEntry::dtype, TensorEntry::shape)
        .containsExactly(tuple("a", "F7", List.of(4L, 2L)), tuple("b", "uint8", List.of(1L)));
    assertThat(errors(file))
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.evidence())
                    .containsExactly(
                        "a newer safetensors may have them: the file need not be damaged"));
  }

  @Test
  void anUnknownFieldIsAWarning() {
    TensorFile file =
        read(
            "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,4],\"more\":{\"x\":[1]}}}",
            4);

    assertThat(file.tensors()).hasSize(1);
    assertThat(file.findings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.WARNING));
  }

  @Test
  void aHeaderLengthBeyondTheFormatsLimitIsNamedBeforeMemoryIsTaken() {
    byte[] file = file(ONE, 24);
    Arrays.fill(file, 0, 8, (byte) 0xff);

    assertThat(errors(TorchFiles.read(file)))
        .extracting(Finding::code, Finding::actual)
        .containsExactly(tuple("file.header-too-large", "it says 18446744073709551615 bytes"));
  }

  @Test
  void aHeaderLengthBeyondTheFileIsACutFile() {
    byte[] file = Arrays.copyOf(file(ONE, 24), 30);

    assertThat(errors(TorchFiles.read(file))).extracting(Finding::code).containsExactly("file.cut");
  }

  @Test
  void aFileThatEndsWithinItsHeaderTellsTheTensorsUpToThere() {
    byte[] whole = Fixtures.bytes("torch-2.11/vllm_connector.safetensors");

    for (int length = 9; length < whole.length && whole[length - 1] != ' '; length++) {
      TensorFile cut = TorchFiles.read(Arrays.copyOf(whole, length));

      if (cut.tensors().size() == 1) {
        assertThat(cut.tensors().get(0).path()).isIn("token_ids", "hidden_states");
        assertThat(cut.tensors().get(0).storage())
            .extracting(StorageExtent::storedBytes)
            .isEqualTo(-1L);
        assertThat(errors(cut)).extracting(Finding::code).containsExactly("file.cut");
        return;
      }
    }
    throw new AssertionError("no cut file told a tensor");
  }

  @Test
  void otherEncodingsAndMarksAreRefused() {
    byte[] utf16 = "{}".getBytes(StandardCharsets.UTF_16LE);
    byte[] file = new LittleEndian().i64(utf16.length).bytes(utf16).toBytes();

    assertThat(errors(TorchFiles.read(file)))
        .extracting(Finding::actual)
        .containsExactly("it is not UTF-8");
  }

  @Test
  void aNameWithBadUtf8IsRefused() {
    byte[] header = ONE.getBytes(StandardCharsets.UTF_8);
    header[2] = (byte) 0xff;
    byte[] file = new LittleEndian().i64(header.length).bytes(header).bytes(new byte[24]).toBytes();

    assertThat(errors(TorchFiles.read(file)))
        .extracting(Finding::code)
        .containsExactly("file.header-invalid");
  }

  @Test
  void aHeaderThatNestsWithoutEndIsRefused() {
    String nested = "{\"a\":{\"more\":" + "[".repeat(100_000) + "]".repeat(100_000) + "}}";

    assertThat(errors(read(nested, 0)))
        .extracting(Finding::code)
        .containsExactly("file.header-invalid");
  }

  @Test
  void aCutFileTellsWhichTensorsAreWhole() {
    byte[] whole = Fixtures.bytes("torch-2.11/vllm_connector.safetensors");
    TensorFile file = TorchFiles.read(Arrays.copyOf(whole, 20_000));

    assertThat(errors(file))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.code()).isEqualTo("file.cut");
              assertThat(finding.expected()).isEqualTo("33,048 bytes");
              assertThat(finding.actual()).isEqualTo("20,000 bytes: 1 of 2 tensors are whole");
            });
    assertThat(file.tensors()).hasSize(2);
  }

  private static List<Finding> errors(TensorFile file) {
    return file.findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .toList();
  }

  private static TensorFile read(String header, int dataBytes) {
    return TorchFiles.read(file(header, dataBytes));
  }

  private static byte[] file(String header, int dataBytes) {
    byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
    return new LittleEndian().i64(bytes.length).bytes(bytes).bytes(new byte[dataBytes]).toBytes();
  }
}
