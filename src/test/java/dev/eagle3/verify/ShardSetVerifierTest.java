package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.testing.Hostile;
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
    Files.write(folder.resolve("shard-00000.bin"), new byte[5 * TOKEN_BYTES]);
    Files.write(folder.resolve("shard-00001.bin"), new byte[4 * TOKEN_BYTES]);
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
