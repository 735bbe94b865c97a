package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as extraction programs lay them out, with real files in them. */
class SampleFoldersTest {
  @TempDir Path folder;

  @Test
  void filesOfSpecForgeAreFoundInTheirFolders() throws IOException {
    // Ranks leave gaps, as each drops its last batch that is not full.
    for (String name :
        List.of("rows_0-2000/data_0", "rows_0-2000/data_7", "rows_2000-4000/data_2000")) {
      save(name + ".ckpt", specForge(9));
    }
    save("vocab_mapping/vocab_mapping.pt", new byte[1]);

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(3);
    assertThat(result.says()).isEqualTo("4 × [T, 64] bfloat16");
    assertThat(codes(result)).containsExactly("set.consensus");
    assertThat(result.files())
        .filteredOn(file -> file.verdict() == Verdict.SKIPPED)
        .singleElement()
        .satisfies(
            file -> {
              assertThat(file.says()).isEqualTo("a folder of tables of the vocabulary");
              assertThat(file.isUndecided()).isFalse();
            });
  }

  @Test
  void filesOfSpecForgeInGzipAreOfTheSameSchema() throws IOException {
    save("rows_0-2000/data_0.ckpt", specForge(9));
    save("rows_0-2000/data_1.ckpt.gz", gzip(specForge(8)));

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(2);
    assertThat(result.files())
        .extracting(file -> file.shape().orElseThrow().schema())
        .containsOnly("specforge-eagle3");
    assertThat(result.says()).isEqualTo("4 × [T, 64] bfloat16");
    assertThat(codes(result)).containsExactly("set.consensus");
  }

  @Test
  @Hostile("one number in two folders")
  void aNumberTwiceAndOneInTheFolderOfOthersAreFound() throws IOException {
    save("rows_0-2000/data_5.ckpt", specForge(9));
    save("rows_0-5000/data_5.ckpt", specForge(9));
    save("rows_0-5000/data_5000.ckpt", specForge(9));

    VerifyResult result = verify();

    assertThat(result.setFindings())
        .extracting(Finding::code, Finding::severity)
        .containsExactly(
            tuple("set.consensus", Severity.NOTE),
            tuple("set.numbers-collide", Severity.WARNING),
            tuple("set.files-misplaced", Severity.WARNING));
    assertThat(result.setFindings().get(1).evidence())
        .containsExactly("rows_0-2000/data_5.ckpt and rows_0-5000/data_5.ckpt");
    assertThat(result.setFindings().get(2).evidence())
        .containsExactly("rows_0-5000/data_5000.ckpt");
  }

  @Test
  @Hostile("a manifest names a sample that is gone, and one of another length")
  void samplesOfTorchSpecAreHeldAgainstItsManifest() throws IOException {
    save("samples/aa.pt", torchSpec(9));
    save("samples/bb.pt", torchSpec(8));
    save("dataset.json", new byte[1]);
    VerifyResult good = verify(manifest(Map.of("samples/aa.pt", 9L, "samples/bb.pt", 8L)));
    assertThat(good.exit()).isEqualTo(Exit.DONE);
    assertThat(codes(good)).containsExactly("set.consensus");

    VerifyResult result =
        verify(manifest(Map.of("samples/aa.pt", 9L, "samples/bb.pt", 7L, "samples/cc.pt", 1L)));

    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.setFindings())
        .extracting(Finding::code, Finding::severity, Finding::evidence)
        .startsWith(
            tuple(
                "set.lengths-differ",
                Severity.WARNING,
                List.of("samples/bb.pt: 8 tokens, noted 7")),
            tuple("set.noted-missing", Severity.ERROR, List.of("samples/cc.pt")));
    assertThat(result.total()).isEqualTo(3);
  }

  @Test
  void aProgramThatPassesOverSamplesIsNotHeldToAllOfThem() throws IOException {
    save("rows_0-2000/data_0.ckpt", specForge(9));
    save("rows_0-2000/data_7.ckpt", specForge(9));

    VerifyResult result = verify(Expectation.NONE.withSamples(10, "prepared.jsonl"));

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.setFindings())
        .filteredOn(finding -> finding.code().equals("set.files-missing"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.actual()).isEqualTo("2 files");
            });
  }

  private static Expectation manifest(Map<String, Long> tokens) {
    return Expectation.NONE.withFileTokens(tokens).withSamples(tokens.size(), "manifest.jsonl");
  }

  @Test
  void eachRankOfAngelSlimNumbersForItself() throws IOException {
    save("rank_0/rows_0-5000/data_0.ckpt", angelSlim());
    save("rank_1/rows_0-5000/data_0.ckpt", angelSlim());
    save("log_ray_0.txt", new byte[1]);

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(2);
    assertThat(codes(result)).containsExactly("set.consensus");
  }

  @Test
  void filesOfBaldEagleLieInNumberedFolders() throws IOException {
    byte[] file = ids(9).tensor("hidden_state", "bfloat16", 3L, 9L, 64L).bytes();
    save("0/data_0.ckpt", file);
    save("1/data_0.ckpt", file);

    VerifyResult result = verify();

    assertThat(result.says()).isEqualTo("3 × [T, 64] bfloat16");
    assertThat(codes(result)).containsExactly("set.consensus");
  }

  @Test
  void foldersBesideSamplesAreNotLookedInto() throws IOException {
    save("data_0.pt", speculators());
    save("0/data_0.ckpt", new byte[1]);
    save("samples/odd.pt", new byte[1]);

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(1);
    assertThat(result.total()).isEqualTo(1);
  }

  @Test
  @Hostile("files of two programs in one folder")
  void filesOfTwoProgramsInOneFolderAreWrong() throws IOException {
    save("data_0.pt", speculators());
    save("rows_0-2000/data_0.ckpt", specForge(9));

    VerifyResult result = verify();

    assertThat(codes(result)).contains("set.schemas-differ");
    assertThat(result.setFindings())
        .filteredOn(finding -> finding.code().equals("set.schemas-differ"))
        .first()
        .satisfies(
            finding ->
                assertThat(finding.evidence())
                    .containsExactly(
                        "1 file of speculators-list, for example data_0.pt",
                        "1 file of specforge-eagle3, for example data_0.ckpt"));
  }

  @Test
  @Hostile("leftovers of NFS, macOS, browsers and crashes among the samples")
  void straysAreKnownAndNoErrors() throws IOException {
    save("data_0.pt", speculators());
    for (String stray :
        List.of(
            ".nfs00000001",
            "._data_0.pt",
            "data_0 (1).pt",
            "data_1.pt.tmp",
            "data_1.pt.part",
            "extract.log",
            "vocab_mapping.pt",
            "dp_0_1.pt",
            "RAY_CHECK_0",
            "manifest.jsonl",
            "data-00000-of-00001.arrow")) {
      save(stray, new byte[1]);
    }

    VerifyResult result = verify();

    assertThat(result.good()).isEqualTo(1);
    assertThat(result.total()).isEqualTo(1);
    assertThat(codes(result)).containsExactly("set.consensus", "samples.arrow");
    assertThat(result.files())
        .filteredOn(file -> file.verdict() == Verdict.SKIPPED)
        .hasSize(11)
        .noneMatch(FileVerdict::isUndecided);
  }

  private VerifyResult verify() throws IOException {
    return verify(Expectation.NONE);
  }

  private VerifyResult verify(Expectation expected) throws IOException {
    return new FolderVerifier(new LocalFileTree(), FolderVerifier.IN_FLIGHT_LOCAL)
        .verify(List.of(folder.toString()), expected, event -> {});
  }

  private static List<String> codes(VerifyResult result) {
    return result.setFindings().stream().map(Finding::code).toList();
  }

  private void save(String name, byte[] content) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  private static TorchFileWriter ids(long tokens) {
    return new TorchFileWriter("data")
        .tensor("input_ids", "int64", tokens)
        .tensor("loss_mask", "int64", tokens);
  }

  private static byte[] speculators() {
    return ids(9).layers("hidden_states", 4, "bfloat16", 9, 64).bytes();
  }

  private static byte[] specForge(long tokens) {
    return ids(tokens)
        .tensor("aux_hidden_state", "bfloat16", 1L, tokens, 192L)
        .tensor("hidden_state", "bfloat16", 1L, tokens, 64L)
        .bytes();
  }

  private static byte[] torchSpec(long tokens) {
    return new TorchFileWriter("archive")
        .longs("input_ids", LongStream.rangeClosed(1, tokens).toArray())
        .tensor("hidden_states", "bfloat16", tokens, 192L)
        .tensor("last_hidden_states", "bfloat16", tokens, 64L)
        .text("data_id", "abc")
        .text("packed_loss_mask", "1," + (tokens - 1))
        .text("metadata", "")
        .bytes();
  }

  private static byte[] angelSlim() {
    return new TorchFileWriter("data")
        .tensor("input_ids", "int64", 1L, 9L)
        .tensor("loss_mask", "int64", 1L, 9L)
        .tensor("hidden_states", "bfloat16", 1L, 9L, 192L)
        .tensor("target_hiddens", "bfloat16", 1L, 9L, 64L)
        .bytes();
  }
}
