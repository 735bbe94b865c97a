package dev.eagle3.run;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import java.io.StringWriter;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** Why a run is ended, as the line that {@code end.json} of the run holds. */
final class EndNoteJson {
  private static final int MOST_CHARACTERS = 500;

  private EndNoteJson() {}

  /** One line of ASCII, no longer than the room that was made for it at the launch. */
  static String write(EndNote note) {
    StringWriter text = new StringWriter();
    JsonFactory factory = JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("v", 1);
      json.writeStringProperty("by", note.by());
      json.writeStringProperty("since", cut(note.since()));
      if (note.finding().isPresent()) {
        Finding finding = note.finding().get();
        json.writeStringProperty("code", finding.code());
        json.writeStringProperty("severity", finding.severity().word());
        json.writeStringProperty("subject", cut(finding.subject()));
        json.writeStringProperty("expected", cut(finding.expected()));
        json.writeStringProperty("actual", cut(finding.actual()));
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  private static String cut(String text) {
    return Printable.line(text, MOST_CHARACTERS);
  }
}
