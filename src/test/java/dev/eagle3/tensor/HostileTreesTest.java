package dev.eagle3.tensor;

import static dev.eagle3.tensor.TorchFiles.pickle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Pickles that are small and describe something endless. Time-outs are ten times what is needed.
 */
@Timeout(60)
class HostileTreesTest {
  private static final byte[] STORAGE = new byte[16];

  /** The usual limits, but for fewer objects. */
  private static final ReadLimits LIMITS =
      new ReadLimits(1 << 25, 1 << 24, 1 << 25, 1L << 28, 100_000, 1_000, 1 << 24, 64, 64, 4_096);

  @Test
  void aListThatContainsItselfIsNamed() {
    assertThat(nesting("]q\000h\000a.")).isEqualTo("[0] contains itself");
  }

  @Test
  void aDictThatContainsItselfBelowIsNamed() {
    assertThat(nesting("}q\000X\001\000\000\000a]h\000as.")).isEqualTo("a[0] contains itself");
  }

  @Test
  void listsThatDoubleAtEachStepEnd() {
    StringBuilder doubling = new StringBuilder("]q\000");
    for (int step = 0; step < 60; step++) {
      doubling.append("0](h\000h\000eq\000");
    }

    assertThat(nesting(doubling + ".")).isEqualTo("more than 100,000 objects");
  }

  @Test
  void containersOverAThousandDeepAreNamed() {
    String nested = "]".repeat(1500) + "a".repeat(1499) + ".";

    assertThat(nesting(nested)).isEqualTo("containers more than 1000 deep");
  }

  @Test
  void aTensorThatStandsInTooManyPlacesEnds() {
    String many = "](" + TorchFiles.tensor() + "q\000" + "h\000".repeat(300_000) + "e.";

    assertThat(nesting(many)).startsWith("more ");
  }

  @Test
  void aKeyOfThousandsOfCharactersIsNamed() {
    String key = "k".repeat(10_000);

    assertThat(nesting("}X\020\047\000\000" + key + "]s.")).isEqualTo("a key of 10,000 characters");
  }

  @Test
  void aParameterOfParametersWithoutEndIsNamed() {
    String wrapped =
        "ctorch._utils\n_rebuild_parameter\n".repeat(50)
            + TorchFiles.tensor()
            + "\210N\207R".repeat(50)
            + ".";

    assertThat(finding("file.tensor-invalid", wrapped).actual())
        .isEqualTo("the object: wrapped more than 16 times");
  }

  @Test
  void aRebuildCallOfItselfIsNamed() {
    // Arguments are a list that the call itself is appended to.
    String itself = "ctorch._utils\n_rebuild_parameter\n]q\000Rq\0010h\000h\001a0h\001.";

    assertThat(finding("file.tensor-invalid", itself).actual())
        .isEqualTo("the object: wrapped more than 16 times");
  }

  @Test
  void sizesThatOverflowAreNamed() {
    String huge = "\212\010\377\377\377\377\377\377\377\177";

    for (String size : List.of("(" + huge + huge + "t", "(" + huge + "K\002t")) {
      String tensor = TorchFiles.tensor(size, "(K\001K\001t", "K\000", "K\004") + ".";
      assertThat(finding("file.tensor-invalid", tensor).actual())
          .contains("more elements than can be");
    }
  }

  @Test
  void strideAndOffsetThatOverflowAreNamed() {
    String huge = "\212\010\377\377\377\377\377\377\377\177";

    for (String tensor :
        List.of(
            TorchFiles.tensor("(K\004t", "(" + huge + "t", "K\000", "K\004"),
            TorchFiles.tensor("(K\004t", "(K\001t", huge, "K\004"))) {
      assertThat(finding("file.tensor-invalid", tensor + ".").actual())
          .contains("more elements than can be");
    }
  }

  @Test
  void aStorageOfMoreBytesThanCanBeIsNamed() {
    String huge = "\212\010\377\377\377\377\377\377\377\177";

    assertThat(
            finding(
                    "file.storage-size",
                    TorchFiles.tensor("(K\004t", "(K\001t", "K\000", huge) + ".")
                .actual())
        .isEqualTo("storage 0 has 16 bytes, its tensors need more than there can be");
  }

  @Test
  void sizesAndStridesOfDifferentNumberAreNamed() {
    String tensor = TorchFiles.tensor("(K\004t", "(K\001K\001t", "K\000", "K\004") + ".";

    assertThat(finding("file.tensor-invalid", tensor).actual())
        .isEqualTo("the object: 1 sizes and 2 strides");
  }

  @Test
  void entriesSetOnATensorAreRefused() {
    assertThat(finding("file.pickle-invalid", "K\004K\001K\002s.").actual())
        .contains("entries for something that is no dict");
  }

  @Test
  void aKeyThatStandsTwiceCountsOnceWithItsLastValue() {
    String twice =
        "}(X\001\000\000\000aK\001X\001\000\000\000a"
            + TorchFiles.tensor()
            + "X\001\000\000\000bNu.";

    TensorFile file = read(twice);

    assertThat(file.keys()).containsExactly("a", "b");
    assertThat(file.tensors()).extracting(TensorEntry::path).containsExactly("a");
    assertThat(finding("file.duplicate-key", twice).actual()).isEqualTo("a");
  }

  @Test
  void aStorageOfTwoSizesIsNamed() {
    String two =
        "]("
            + TorchFiles.tensor()
            + TorchFiles.tensor("(K\004t", "(K\001t", "K\000", "K\005")
            + "e.";

    assertThat(finding("file.storage-conflict", two).actual())
        .isEqualTo("storage 0: 16 bytes in one place, 20 in another");
  }

  private static String nesting(String pickle) {
    return finding("file.hostile-nesting", pickle).actual();
  }

  private static Finding finding(String code, String pickle) {
    List<Finding> findings = read(pickle).findings();
    return findings.stream()
        .filter(finding -> finding.code().equals(code))
        .findFirst()
        .orElseThrow(() -> new AssertionError(code + " is not in " + findings));
  }

  private static TensorFile read(String pickle) {
    return TorchFiles.read(TorchFiles.with(pickle("\200\002" + pickle), STORAGE), LIMITS);
  }
}
