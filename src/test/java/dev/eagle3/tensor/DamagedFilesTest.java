package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every damaged and hostile file is named for what it is. */
class DamagedFilesTest {
  /** The codes of the errors of each file. */
  static final Map<String, Set<String>> ERRORS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("corrupt/badmagic.pt", Set.of("file.foreign")),
              Map.entry("corrupt/bigversion.pt", Set.of("file.version-unknown")),
              Map.entry("corrupt/bitflip_data.pt", Set.of("file.checksum")),
              Map.entry("corrupt/bitflip_pkl.pt", Set.of("file.checksum", "file.pickle-invalid")),
              Map.entry("corrupt/cd_badcrc.pt", Set.of("file.checksum")),
              Map.entry(
                  "corrupt/cd_encflag.pt",
                  Set.of("file.encrypted", "file.local-header", "file.pickle-invalid")),
              Map.entry("corrupt/concat.pt", Set.of("file.concatenated")),
              Map.entry("corrupt/deflated.pt", Set.of("file.compressed")),
              Map.entry("corrupt/garbage_after.pt", Set.of("file.trailing-bytes")),
              Map.entry("corrupt/html.pt", Set.of("file.foreign")),
              Map.entry("corrupt/leg_trunc_0.pt", Set.of("file.cut")),
              Map.entry("corrupt/leg_trunc_100.pt", Set.of("file.cut")),
              Map.entry("corrupt/leg_trunc_200.pt", Set.of("file.cut")),
              Map.entry("corrupt/leg_trunc_half.pt", Set.of("file.cut")),
              Map.entry("corrupt/leg_trunc_last1.pt", Set.of("file.cut")),
              Map.entry("corrupt/lfh_encflag.pt", Set.of("file.local-header")),
              Map.entry("corrupt/lfh_name_differs.pt", Set.of("file.local-header")),
              Map.entry("corrupt/lfs.pt", Set.of("file.foreign")),
              Map.entry("corrupt/long_storage.pt", Set.of("file.storage-size")),
              Map.entry("corrupt/missing_data1.pt", Set.of("file.storage-missing")),
              Map.entry("corrupt/missing_pkl.pt", Set.of("file.no-pickle")),
              Map.entry("corrupt/missing_version.pt", Set.of("file.no-version")),
              Map.entry("corrupt/noprefix.pt", Set.of("file.prefix")),
              Map.entry("corrupt/plainzip.pt", Set.of("file.foreign")),
              Map.entry("corrupt/prefix_before.pt", Set.of("file.foreign")),
              Map.entry("corrupt/rawpickle.pt", Set.of("file.foreign")),
              Map.entry("corrupt/rawpickle4.pt", Set.of("file.foreign")),
              Map.entry("corrupt/short_storage.pt", Set.of("file.storage-size")),
              Map.entry("corrupt/trunc_0.pt", Set.of("file.empty")),
              Map.entry("corrupt/trunc_100.pt", Set.of("file.cut")),
              Map.entry("corrupt/trunc_3.pt", Set.of("file.cut")),
              Map.entry("corrupt/trunc_half.pt", Set.of("file.cut")),
              Map.entry("corrupt/trunc_last1.pt", Set.of("file.cut")),
              Map.entry("corrupt/trunc_last22.pt", Set.of("file.cut")),
              Map.entry("corrupt/trunc_last98.pt", Set.of("file.cut")),
              Map.entry(
                  "corrupt/upper.pt", Set.of("file.prefix", "file.no-version", "file.no-pickle")),
              Map.entry("corrupt/zeroed_block.pt", Set.of("file.checksum")),
              Map.entry("corrupt/zeros.pt", Set.of("file.foreign")),
              Map.entry("hostile/after_stop.pt", Set.of("file.hostile-after-stop")),
              Map.entry("hostile/bomb_deflate.pt", Set.of("file.compressed", "file.limit")),
              Map.entry("hostile/deflated_storage.pt", Set.of("file.compressed")),
              Map.entry("hostile/exphash.pt", Set.of("file.pickle-invalid")),
              Map.entry("hostile/frame_lie.pt", Set.of("file.hostile-frame")),
              Map.entry("hostile/huge_shape.pt", Set.of("file.tensor-invalid")),
              Map.entry("hostile/key_traversal.pt", Set.of("file.storage-missing")),
              Map.entry("hostile/long1_2040bit.pt", Set.of("file.limit")),
              Map.entry("hostile/missing_storage.pt", Set.of("file.storage-missing")),
              Map.entry("hostile/neg_size.pt", Set.of("file.tensor-invalid")),
              Map.entry("hostile/out_of_bounds.pt", Set.of("file.tensor-bounds")),
              Map.entry("hostile/proto99.pt", Set.of("file.pickle-invalid")),
              Map.entry("hostile/selfref_dictkey.pt", Set.of("file.pickle-invalid")),
              Map.entry("hostile/short_storage.pt", Set.of("file.storage-size")),
              Map.entry("hostile/stack_underflow.pt", Set.of("file.pickle-invalid")),
              Map.entry("torch-2.11/evil_os_system.pt", Set.of("file.hostile-global")),
              Map.entry("torch-1.13/dt_complex32.pt", Set.of("file.no-pickle")),
              Map.entry("torch-1.13/typedview.pt", Set.of("file.no-pickle")),
              Map.entry("torch-2.14/dt_int1.pt", Set.of("file.no-pickle")),
              Map.entry("torch-2.14/dt_int4.pt", Set.of("file.no-pickle")),
              Map.entry("torch-2.14/dt_uint4.pt", Set.of("file.no-pickle")),
              Map.entry("torch-2.14/typedview.pt", Set.of("file.no-pickle"))));

  /**
   * Damaged, but by nothing that stands in the header: this one's values are swapped while its
   * record of the byte order is gone.
   */
  private static final Set<String> HEADER_SHOWS_NOTHING = Set.of("corrupt/bigendian.pt");

  static Stream<String> damaged() {
    return ERRORS.keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("damaged")
  void aDamagedFileIsNamedForWhatItIs(String name) {
    TensorFile file = Fixtures.read(name);

    assertThat(errors(file)).isEqualTo(ERRORS.get(name));
  }

  @Test
  void everyDamagedFileIsInTheTable() {
    Set<String> known = new TreeSet<>(ERRORS.keySet());
    known.addAll(HEADER_SHOWS_NOTHING);

    assertThat(known).containsAll(Stream.of("corrupt", "hostile").flatMap(Fixtures::in).toList());
  }

  @Test
  void ofAFileWhoseHeaderShowsNothingItIsSaidThatTorchDidNotWriteIt() {
    assertThat(HEADER_SHOWS_NOTHING)
        .allSatisfy(
            name ->
                assertThat(Fixtures.read(name).findings())
                    .singleElement()
                    .satisfies(
                        finding -> {
                          assertThat(finding.code()).isEqualTo("file.repacked");
                          assertThat(finding.evidence().get(0)).contains("order of its bytes");
                        }));
  }

  /** Two made-up pickles aside, whose numbers torch takes. */
  static Stream<String> loadedByTorch() {
    return Fixtures.says().stream()
        .filter(says -> says.has("tensors"))
        .map(says -> says.get("file").asString())
        .filter(name -> name.startsWith("corrupt/") || name.startsWith("hostile/"))
        .filter(name -> !Set.of("hostile/long1_2040bit.pt", "hostile/proto99.pt").contains(name));
  }

  @ParameterizedTest
  @MethodSource("loadedByTorch")
  void ofDamageThatTorchLoadsWithoutAWordThatIsSaid(String name) {
    assertThat(Fixtures.read(name).findings())
        .anyMatch(
            finding -> finding.evidence().stream().anyMatch(fact -> fact.contains("torch.load")));
  }

  @Test
  void whatTorchWroteIsNotCalledRepacked() {
    assertThat(Stream.of("real", "torch-1.13", "torch-2.11", "torch-2.14").flatMap(Fixtures::in))
        .allSatisfy(
            name ->
                assertThat(Fixtures.read(name).findings())
                    .extracting(Finding::code)
                    .doesNotContain("file.repacked", "file.storage-share"));
  }

  @Test
  void aDamagedFileStillTellsWhatItCan() {
    TensorFile file = Fixtures.read("corrupt/trunc_half.pt");

    assertThat(file.container()).isEqualTo(ContainerKind.TORCH_ZIP);
    assertThat(file.keys()).containsExactly("a", "b");
    assertThat(file.tensors())
        .extracting(TensorEntry::shape)
        .containsExactly(List.of(4096L), List.of(8L));
  }

  @Test
  void aFindingNamesTheFileAndWhatIsWrong() {
    TensorFile file = Fixtures.read("corrupt/short_storage.pt");

    assertThat(file.findings())
        .filteredOn(finding -> finding.severity() == Severity.ERROR)
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.subject()).endsWith("corrupt/short_storage.pt");
              assertThat(finding.actual())
                  .isEqualTo("storage 0 has 100 bytes, its tensors need 16,384");
            });
  }

  @Test
  void aNameThatRunsCodeIsNamedAndNotRun() {
    TensorFile file = Fixtures.read("torch-2.11/evil_os_system.pt");

    assertThat(file.globals()).contains("posix.system");
    assertThat(file.findings())
        .filteredOn(finding -> finding.code().equals("file.hostile-global"))
        .singleElement()
        .extracting(Finding::actual)
        .isEqualTo("it names posix.system");
  }

  private static Set<String> errors(TensorFile file) {
    return file.findings().stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(Finding::code)
        .collect(Collectors.toSet());
  }
}
