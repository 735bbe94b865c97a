package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real interpreter that reads prepared data in a bad state. */
class PreparedDataTest {
  private static final String GOOD = "{\"input_ids\": [1, 2, 3], \"loss_mask\": [0, 1, 1]}\n";

  @TempDir Path folder;

  private ReadyHost host;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder);
  }

  @Test
  void whatIsGoodIsCounted() throws IOException {
    data(GOOD + GOOD.replace("3]", "4]"));

    assertThat(host.said("data-lines")).containsExactly("ok: 2 samples, 6 tokens");
    assertThat(host.said("data-masks")).singleElement().asString().startsWith("ok: ");
    assertThat(host.said("data-twins")).isEmpty();
  }

  @Test
  @Hostile("a line of the prepared data is cut")
  void aLineThatIsCutIsAWarningWithItsNumber() throws IOException {
    data(
        GOOD
            + GOOD.substring(0, 20)
            + "\n[]\n"
            + "{\"text\": 1}\n"
            + "{\"input_ids\": [1, 2.5]}\n");

    assertThat(host.said("data-lines"))
        .containsExactly(
            "warning: 4 lines are no samples: line 2: no JSON; line 3: no object; line 4: no"
                + " input_ids");
  }

  @Test
  void masksThatDoNotFitAreWarnings() throws IOException {
    data(
        "{\"input_ids\": [1, 2, 3], \"loss_mask\": [0, 1]}\n"
            + "{\"input_ids\": [1, 2, 3], \"loss_mask\": [0, 0, 0]}\n"
            + "{\"input_ids\": [1, 2, 9], \"loss_mask\": [0, 2, 1]}\n"
            + "{\"input_ids\": [1, 2, 8]}\n");

    assertThat(host.said("data-masks"))
        .containsExactly(
            "warning: 1 sample (line 1) has a loss_mask of another length than input_ids",
            "warning: 1 sample (line 2) has a loss_mask of 0 as far as they are kept",
            "warning: 1 sample (line 3) has other values than 0 and 1 in loss_mask",
            "note: 1 sample (line 4) has no loss_mask");
    assertThat(host.said("data-twins"))
        .containsExactly("note: 1 sample (line 2) has the tokens of an earlier one");
  }

  @Test
  void samplesOverTheLimitAreANote() throws IOException {
    host.set("max-seq-len", "2");
    data(GOOD);

    assertThat(host.said("data-length"))
        .containsExactly(
            "note: 1 sample (line 1) has more than --max-seq-len 2 tokens, up to 3, and will be cut");
  }

  @Test
  void idsOfAnotherTokenizerAreAWarning() throws IOException {
    data(GOOD + GOOD.replace("3]", "163840]"));

    assertThat(host.said("data-ids")).singleElement().asString().startsWith("warning: line 2 ");
  }

  @Test
  void aDoubledBeginningIsAWarning() throws IOException {
    data(
        "{\"input_ids\": [7, 7, 3], \"loss_mask\": [0, 1, 1]}\n"
            + "{\"input_ids\": [7, 7, 4], \"loss_mask\": [0, 1, 1]}\n");

    assertThat(host.said("data-begin")).singleElement().asString().startsWith("warning: 2 samples");
  }

  @Test
  @Hostile("the prepared data is empty")
  void emptyDataIsAWarning() throws IOException {
    data("");

    assertThat(host.said("data-lines"))
        .containsExactly("warning: the prepared data holds no sample");
  }

  @Test
  @Hostile("the prepared data is one line without an end, nested a million times")
  void aHostileLineIsNoSample() throws IOException {
    data("{\"input_ids\": " + "[".repeat(1_000_000));

    assertThat(host.said("data-lines"))
        .containsExactly("warning: 1 line is no sample: line 1: no JSON");
  }

  @Test
  void aFolderIsNotLookedInto() throws IOException {
    Files.createDirectory(folder.resolve("arrow"));
    host.set("prepared-data", folder.resolve("arrow").toString());

    assertThat(host.check()).isEmpty();
    assertThat(host.said("data-lines")).singleElement().asString().startsWith("note: ");
  }

  private void data(String text) throws IOException {
    Files.writeString(host.files.preparedData(), text);
    assertThat(host.check()).isEmpty();
  }
}
