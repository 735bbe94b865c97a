package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.deep.DeepVerifier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target cache of DeepSpec: three samples of 2, 3 and 4 tokens in two shards, 2 layers of 8. */
class ShardSetVerifierTest {
  private static final int TOKEN_BYTES = 4 + 1 + 1 + 2 * 2 * 8 + 2 * 8;

  @TempDir Path folder;

  @BeforeEach
  void makeCache() throws IOException {
    Files.writeString(
        folder.resolve("manifest.json"),
        """
        {"version": 2, "num_samples": 3, "num_shards": 2, "target_layer_ids": [1, 3],
         "hidden_dtype": "bfloat16", "index_record_size": 56, "hidden_size": 8,
         "shards": [{"shard_id": 0, "file_name": "shard-00000.bin"},
                    {"shard_id": 1, "file_name": "shard-00001.bin"}]}
        """);
    ByteBuffer index = ByteBuffer.allocate(3 * 56).order(ByteOrder.LITTLE_ENDIAN);
    record(index, 0, 0, 2, 0);
    record(index, 1, 0, 3, 2 * TOKEN_BYTES);
    record(index, 2, 1, 4, 0);
    Files.write(folder.resolve("samples.idx"), index.array());
    Files.write(folder.resolve("shard-00000.bin"), shard(2, 3));
    Files.write(folder.resolve("shard-00001.bin"), shard(4));
  }

  /** Samples of these lengths, of zeros but for a loss mask of ones. */
  private static byte[] shard(int... samples) {
    ByteBuffer shard = ByteBuffer.allocate(Arrays.stream(samples).sum() * TOKEN_BYTES);
    int at = 0;
    for (int tokens : samples) {
      for (int token = 0; token < tokens; token++) {
        shard.put(at + 5 * tokens + token, (byte) 1);
      }
      at += tokens * TOKEN_BYTES;
    }
    return shard.array();
  }

  @Test
  void aWholeCacheIsGood() throws IOException {
    VerifyResult result = verify(Expectation.NONE.withLayers(2, "x").withHiddenSize(8, "x"));

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.good()).isEqualTo(2);
    assertThat(result.says()).isEqualTo("3 × [T, 8] bfloat16");
    assertThat(result.files())
        .filteredOn(file -> file.path().endsWith("shard-00000.bin"))
        .first()
        .satisfies(file -> assertThat(file.says()).endsWith("of 2 samples"));
  }

  @Test
  void whoAsksForValuesIsToldThatThoseOfShardsAreNotRead() throws IOException {
    LocalFileTree files = new LocalFileTree();
    VerifyResult result =
        new FolderVerifier(files, 1, new DeepVerifier(files, path -> true))
            .verify(List.of(folder.toString()), Expectation.NONE, event -> {});

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.setFindings())
        .extracting(Finding::code, Finding::subject)
        .contains(tuple("values.not-read", folder.toString()));
  }

  @Test
  @Hostile("a shard that is cut")
  void aShardThatIsCutNamesTheSample() throws IOException {
    Files.write(folder.resolve("shard-00000.bin"), new byte[5 * TOKEN_BYTES - 1]);

    Finding finding = only(verify(Expectation.NONE));
    assertThat(finding.code()).isEqualTo("file.shard-cut");
    assertThat(finding.actual()).contains("sample 1 of 3 tokens");
  }

  @Test
  @Hostile("a shard that is missing")
  void aShardThatIsMissingIsNamed() throws IOException {
    Files.delete(folder.resolve("shard-00001.bin"));

    assertThat(only(verify(Expectation.NONE)).code()).isEqualTo("file.missing");
  }

  @Test
  @Hostile("an index of samples that is cut or out of order")
  void anIndexThatIsCutOrOutOfOrderIsFound() throws IOException {
    byte[] index = Files.readAllBytes(folder.resolve("samples.idx"));
    Files.write(folder.resolve("samples.idx"), Arrays.copyOf(index, 100));
    assertThat(only(verify(Expectation.NONE)).code()).isEqualTo("set.index-size");

    index[0] = 7;
    Files.write(folder.resolve("samples.idx"), index);
    assertThat(only(verify(Expectation.NONE)).actual())
        .isEqualTo("record 0 is of sample 7 in shard 0");
  }

  @Test
  @Hostile("an index with numbers that overflow")
  void numbersThatOverflowAreNoProofOfRoom() throws IOException {
    byte[] index = Files.readAllBytes(folder.resolve("samples.idx"));
    ByteBuffer.wrap(index).order(ByteOrder.LITTLE_ENDIAN).putInt(12, -1).putLong(16, -8);
    Files.write(folder.resolve("samples.idx"), index);

    assertThat(only(verify(Expectation.NONE)).code()).isEqualTo("file.shard-cut");
  }

  @Test
  @Hostile("ids of another model's tokenizer in a shard without a header")
  void idsThatTheModelDoesNotHaveAreFoundInAShard() throws IOException {
    byte[] content = shard(4);
    ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(8, 100).putInt(12, -1);
    Files.write(folder.resolve("shard-00001.bin"), content);

    Finding finding = only(verify(Expectation.NONE.withVocabulary(100, "config.json")));

    assertThat(finding.code()).isEqualTo("tokens.outside-vocabulary");
    assertThat(finding.actual()).isEqualTo("input_ids[2] of sample 2 is 100, and 1 more");
  }

  @Test
  void samplesWithoutATokenToLearnFromAreNamed() throws IOException {
    Files.write(folder.resolve("shard-00001.bin"), new byte[4 * TOKEN_BYTES]);

    VerifyResult result = verify(Expectation.NONE);

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.files())
        .flatExtracting(FileVerdict::findings)
        .extracting(Finding::code, Finding::actual)
        .containsExactly(
            tuple(
                "mask.all-zero",
                "loss_mask is 0 for every token of 1 of 1 samples that were looked at"));
  }

  @Test
  void ofManySamplesSomeAreLookedAtEvenly() throws IOException {
    int samples = 1000;
    int[] lengths = new int[samples];
    Arrays.fill(lengths, 2);
    ByteBuffer index = ByteBuffer.allocate(samples * 56).order(ByteOrder.LITTLE_ENDIAN);
    for (int sample = 0; sample < samples; sample++) {
      record(index, sample, 0, 2, (long) sample * 2 * TOKEN_BYTES);
    }
    Files.write(folder.resolve("samples.idx"), index.array());
    Files.write(folder.resolve("shard-00000.bin"), new byte[samples * 2 * TOKEN_BYTES]);
    Files.writeString(
        folder.resolve("manifest.json"),
        Files.readString(folder.resolve("manifest.json"))
            .replace("\"num_samples\": 3", "\"num_samples\": 1000"));

    assertThat(verify(Expectation.NONE).files())
        .flatExtracting(FileVerdict::findings)
        .extracting(Finding::actual)
        .first()
        .isEqualTo("loss_mask is 0 for every token of 63 of 63 samples that were looked at");
  }

  @Test
  @Hostile("DeepSpec was killed before its manifest was written")
  void aCacheThatWasNeverFinishedSaysWhereItsSamplesAre() throws IOException {
    Files.delete(folder.resolve("manifest.json"));
    Files.createDirectory(folder.resolve("_tmp"));

    VerifyResult result = verify(Expectation.NONE);

    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(result.isWorthless()).isFalse();
    assertThat(result.files())
        .extracting(FileVerdict::says)
        .contains("a folder where DeepSpec gathers samples: it still runs, or did not finish");
  }

  @Test
  void aCacheOfDeepSpecIsNotWhatAnotherExtractorWrites() throws IOException {
    VerifyResult result =
        verify(Expectation.NONE.withPlannedSchema("speculators-list", "run 1, extractor x"));

    assertThat(result.exit()).isEqualTo(Exit.DONE);
    assertThat(result.files())
        .flatExtracting(FileVerdict::findings)
        .extracting(Finding::code, Finding::actual)
        .containsOnly(tuple("file.schema-other", "one of deepspec"));
    assertThat(verify(Expectation.NONE.withPlannedSchema("deepspec", "run 1")).files())
        .flatExtracting(FileVerdict::findings)
        .isEmpty();
  }

  @Test
  void anotherModelIsFound() throws IOException {
    assertThat(verify(Expectation.NONE.withHiddenSize(16, "config.json")).exit())
        .isEqualTo(Exit.WRONG);
  }

  private static void record(ByteBuffer index, long id, int shard, int tokens, long at) {
    index.putLong(id).putInt(shard).putInt(tokens);
    long offset = at;
    for (int bytes : new int[] {4, 1, 1, 2 * 2 * 8, 2 * 8}) {
      index.putLong(offset);
      offset += (long) tokens * bytes;
    }
  }

  private static Finding only(VerifyResult result) {
    List<Finding> findings =
        result.files().stream().flatMap(file -> file.findings().stream()).toList();
    assertThat(findings).hasSize(1);
    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    return findings.get(0);
  }

  private VerifyResult verify(Expectation expected) throws IOException {
    return new FolderVerifier(new LocalFileTree(), FolderVerifier.IN_FLIGHT_LOCAL)
        .verify(List.of(folder.toString()), expected, event -> {});
  }
}
