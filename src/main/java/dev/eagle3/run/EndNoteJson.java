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
  /** With six bytes a character, two long texts and two short ones fit into 4 KiB. */
  private static final int MOST_CHARACTERS = 200;

  private static final int MOST_OF_SHAPES = 100;

  private EndNoteJson() {}

  /** One line of ASCII, no longer than the room that was made for it at the launch. */
  static String write(EndNote note) {
    StringWriter text = new StringWriter();
    JsonFactory factory = JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    try (JsonGenerator json = factory.createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("v", 1);
      json.writeStringProperty("by", note.by());
      json.writeStringProperty("since", cut(note.since(), MOST_CHARACTERS));
      if (note.finding().isPresent()) {
        Finding finding = note.finding().get();
        json.writeStringProperty("code", finding.code());
        json.writeStringProperty("severity", finding.severity().word());
        json.writeStringProperty("subject", cut(finding.subject(), MOST_CHARACTERS));
        json.writeStringProperty("expected", cut(finding.expected(), MOST_OF_SHAPES));
        json.writeStringProperty("actual", cut(finding.actual(), MOST_OF_SHAPES));
      }
      json.writeEndObject();
    }
    return text.toString();
  }

  private static String cut(String text, int most) {
    return Printable.line(text, most);
  }
}
