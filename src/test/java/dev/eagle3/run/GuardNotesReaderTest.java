package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.testing.Hostile;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GuardNotesReaderTest {
  @Test
  void whatAGuardWritesIsReadBack() {
    String finding =
        "{\"actual\": \"771 \\u00d7 [512]\", \"code\": \"layers.count\", \"evidence\": \"seen\","
            + " \"expected\": \"4\", \"severity\": \"error\", \"subject\": \"/o/data_0.pt\","
            + " \"time\": \"2026-11-29T12:00:00Z\", \"type\": \"finding\", \"v\": 1}";
    String note = "{\"v\":1,\"type\":\"note\",\"says\":\"no guard\"}";

    GuardNotes notes =
        GuardNotesReader.read(List.of("{\"type\": \"started\", \"pid\": 5}", finding, note), "");

    assertThat(notes.findings())
        .containsExactly(
            new Finding(
                "layers.count",
                Severity.ERROR,
                "/o/data_0.pt",
                "4",
                "771 × [512]",
                List.of("seen")));
    assertThat(notes.says()).containsExactly("no guard");
    assertThat(notes.end()).isEmpty();
  }

  @Test
  void aNoteOfAClientIsReadBackAndFitsIntoTheRoomThatIsMadeForIt() {
    String longText = "ü".repeat(5000);
    EndNote note =
        new EndNote(
            "client",
            "data_0.pt is bad",
            Optional.of(Finding.of("file.cut", Severity.ERROR, "/o/data_0.pt", "7", "5 × [1]")));

    assertThat(GuardNotesReader.read(List.of(), EndNoteJson.write(note)).end()).contains(note);
    String longest =
        EndNoteJson.write(
            new EndNote(
                "client",
                longText,
                Optional.of(Finding.of("file.cut", Severity.ERROR, longText, longText, longText))));
    assertThat(longest).hasSizeLessThan(4096).doesNotContain("ü");
    assertThat(GuardNotesReader.read(List.of(), longest).end()).isPresent();
  }

  @Test
  @Hostile("notes of a run that are no notes")
  void whatIsNoNoteIsLeftOut() {
    List<String> lines =
        List.of(
            "",
            "{",
            "{}",
            "null",
            "[".repeat(10_000),
            "{\"type\":\"finding\"}",
            "{\"type\":\"finding\",\"code\":\"a\\nb.c\",\"severity\":\"error\"}",
            "{\"type\":\"finding\",\"code\":\"a.b\",\"severity\":\"huge\"}",
            "{\"type\":\"finding\",\"code\":{\"a\":1},\"severity\":\"error\"}",
            "{\"type\":\"note\",\"says\":\"cut",
            "{\"type\":\"note\",\"says\":\"" + "x".repeat(20_000) + "\"}");

    assertThat(GuardNotesReader.read(lines, "{\"since\":")).isEqualTo(GuardNotes.NONE);
    assertThat(
            GuardNotesReader.read(
                    Collections.nCopies(100_000, "{\"type\":\"note\",\"says\":\"a\"}"), "x")
                .says())
        .hasSize(100);
  }
}
