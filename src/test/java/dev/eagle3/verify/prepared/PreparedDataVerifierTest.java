package dev.eagle3.verify.prepared;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Finding;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.FolderVerifier;
import dev.eagle3.verify.ValueVerifier;
import dev.eagle3.verify.VerifyResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files beside prepared data. T tokens from a number on are {@code ids(number, T)}. */
class PreparedDataVerifierTest {
  @TempDir Path root;
  private Path folder;
  private Path data;

  @BeforeEach
  void makeFolder() throws IOException {
    folder = Files.createDirectory(root.resolve("states"));
    data = root.resolve("tokenized_data.jsonl");
  }

  @Test
  void filesThatAreRowsInAnotherOrderNeedNoNote() throws IOException {
    rows(ids(100, 9), ids(200, 5), ids(300, 7));
    save("data_0.pt", ids(300, 7));
    save("data_1.pt", ids(100, 9));
    save("data_2.pt", ids(200, 5));

    assertThat(notes(false, Expectation.NONE)).isEmpty();
    assertThat(notes(true, Expectation.NONE)).containsExactly("all 3 samples are rows of it");
  }

  @Test
  void rowsWithoutFilesAndFilesOfNoRowAreCounted() throws IOException {
    rows(ids(100, 9), ids(200, 5), ids(300, 7), ids(400, 8));
    save("data_0.pt", ids(100, 9));
    save("data_1.pt", ids(201, 5));

    List<Finding> found = verify(false, Expectation.NONE);

    assertThat(found)
        .extracting(Finding::code)
        .containsExactly("samples.without-file", "samples.without-row");
    assertThat(found.get(0).actual()).isEqualTo("3 of 4 rows have no whole file");
    assertThat(found.get(0).evidence())
        .containsExactly("row 1, 5 tokens", "row 2, 7 tokens", "row 3, 8 tokens");
    assertThat(found.get(1).actual()).isEqualTo("1 of 2 samples is of no row of it");
    assertThat(found.get(1).evidence()).containsExactly(folder.resolve("data_1.pt").toString());
  }

  @Test
  void whatStandsThereTwiceIsCounted() throws IOException {
    rows(ids(100, 9), ids(100, 9), ids(300, 7));
    save("data_0.pt", ids(100, 9));
    save("data_1.pt", ids(300, 7));
    save("data_2.pt", ids(300, 7));

    List<Finding> found = verify(false, Expectation.NONE);

    assertThat(found).extracting(Finding::code).containsExactly("samples.repeated");
    assertThat(found.get(0).evidence())
        .containsExactly(
            "1 of 3 rows with the token ids of an earlier row",
            "1 of 3 samples with the token ids of another one");
  }

  @Test
  void rowsThatWereCutToTheLimitOrOneLessAreTheSame() throws IOException {
    rows(ids(100, 40), ids(200, 40), ids(300, 7));
    save("data_0.pt", ids(100, 20));
    save("data_1.pt", ids(200, 19));
    save("data_2.pt", ids(300, 7));

    assertThat(verify(false, Expectation.NONE.withMaxTokens(20, "run r"))).isEmpty();
    assertThat(verify(false, Expectation.NONE)).as("no limit is known").isEmpty();
  }

  @Test
  void aFileThatWasCutElsewhereIsOfNoRow() throws IOException {
    rows(ids(100, 40), ids(200, 40));
    save("data_0.pt", ids(100, 12));
    save("data_1.pt", ids(200, 20));

    assertThat(notes(false, Expectation.NONE.withMaxTokens(20, "run r")))
        .containsExactly("1 of 2 rows has no whole file", "1 of 2 samples is of no row of it");
  }

  @Test
  void paddingOfTheIdsIsLeftOut() throws IOException {
    rows(ids(100, 5));
    long[] padded = Arrays.copyOf(ids(100, 5), 9);
    save("data_0.pt", padded, new long[] {1, 1, 1, 1, 1, 0, 0, 0, 0});

    assertThat(verify(false, Expectation.NONE)).isEmpty();
  }

  @Test
  void aScriptThatTakesAPartOfTheRowsLeavesNoneOut() throws IOException {
    rows(ids(100, 9), ids(200, 5));
    save("data_0.pt", ids(100, 9));

    assertThat(verify(new PreparedDataRequest(data.toString(), 1 << 20, false, false))).isEmpty();
  }

  @Test
  @Hostile("prepared data that is larger than may be read, not there, or a folder")
  void dataThatCannotBeReadIsSaidWhenItWasAskedFor() throws IOException {
    save("data_0.pt", ids(100, 9));
    rows(ids(100, 9));

    assertThat(verify(new PreparedDataRequest(data.toString(), 10, true, true)))
        .extracting(Finding::code)
        .containsExactly("samples.not-compared");
    assertThat(verify(new PreparedDataRequest(data.toString(), 10, false, true))).isEmpty();
    assertThat(verify(new PreparedDataRequest(folder.toString(), 1 << 20, true, true)))
        .extracting(Finding::actual)
        .containsExactly("it is no file");
    Files.delete(data);
    assertThat(notes(true, Expectation.NONE)).containsExactly("it is not there");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no JSON at all",
        "[1, 2, 3]",
        "{\"text\": \"no ids\"}",
        "{\"input_ids\": \"12\"}",
        "{\"input_ids\": [1, 2.5]}",
        "{\"input_ids\": [99999999999999999999]}",
        "{\"input_ids\": [1, 2",
        "{\"input_ids\": [[1]]}",
        "\u0000\u0000\u0000\u0000"
      })
  @Hostile("prepared data that is no JSON Lines of token ids")
  void dataOfAnotherKindIsSaid(String line) throws IOException {
    save("data_0.pt", ids(1, 2));
    Files.writeString(data, line + "\n");

    assertThat(notes(true, Expectation.NONE))
        .containsExactly("it is no JSON Lines file with input_ids in each line");
  }

  @Test
  @Hostile("prepared data that nests without end")
  void nestingWithoutEndIsNoTrouble() throws IOException {
    save("data_0.pt", ids(1, 2));
    Files.writeString(data, "{\"x\": " + "[".repeat(100_000) + "\n");

    assertThat(notes(true, Expectation.NONE)).hasSize(1);
  }

  private static long[] ids(int first, int tokens) {
    return LongStream.range(first, first + tokens).toArray();
  }

  private void rows(long[]... rows) throws IOException {
    Files.write(
        data,
        Arrays.stream(rows)
            .map(
                row ->
                    "{\"seq_len\": 1, \"loss_mask\": [[0], {\"input_ids\": 5}], \"input_ids\": ["
                        + Arrays.stream(row)
                            .mapToObj(Long::toString)
                            .collect(Collectors.joining(", "))
                        + "]}")
            .toList());
  }

  private void save(String name, long[] ids) throws IOException {
    long[] mask = new long[ids.length];
    Arrays.fill(mask, 1);
    save(name, ids, mask);
  }

  private void save(String name, long[] ids, long[] mask) throws IOException {
    new TorchFileWriter("archive")
        .longs("input_ids", ids)
        .layers("hidden_states", 2, "bfloat16", ids.length, 4)
        .longs("loss_mask", mask)
        .write(folder.resolve(name));
  }

  private List<String> notes(boolean asked, Expectation expected) throws IOException {
    return verify(asked, expected).stream().map(Finding::actual).toList();
  }

  private List<Finding> verify(boolean asked, Expectation expected) throws IOException {
    return verify(new PreparedDataRequest(data.toString(), 1 << 20, asked, true), expected);
  }

  private List<Finding> verify(PreparedDataRequest request) throws IOException {
    return verify(request, Expectation.NONE);
  }

  private List<Finding> verify(PreparedDataRequest request, Expectation expected)
      throws IOException {
    LocalFileTree files = new LocalFileTree();
    PreparedDataVerifier verifier = new PreparedDataVerifier(files, request, ValueVerifier.NONE);
    VerifyResult result =
        new FolderVerifier(files, 2, verifier)
            .verify(List.of(folder.toString()), expected, event -> {});
    assertThat(result.exit()).as("notes and no more").isEqualTo(Exit.DONE);
    return result.setFindings().stream()
        .filter(finding -> finding.code().startsWith("samples."))
        .toList();
  }
}
