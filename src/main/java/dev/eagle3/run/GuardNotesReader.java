package dev.eagle3.run;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Lines of {@code guard.jsonl} and {@code end.json} → what they say. They come from a host and are
 * not trusted: a line that is no flat JSON object of that form is left out.
 */
final class GuardNotesReader {
  private static final int MOST_LINES = 100;
  private static final int MOST_CHARACTERS = 16 << 10;

  private GuardNotesReader() {}

  /**
   * Reads them.
   *
   * @param end the line of {@code end.json}; empty when there is none
   */
  static GuardNotes read(List<String> lines, String end) {
    List<Finding> findings = new ArrayList<>();
    List<String> says = new ArrayList<>();
    for (String line : lines.subList(0, Math.min(MOST_LINES, lines.size()))) {
      Map<String, String> fields = fields(line);
      if ("finding".equals(fields.get("type"))) {
        finding(fields).ifPresent(findings::add);
      } else if ("note".equals(fields.get("type")) && fields.containsKey("says")) {
        says.add(fields.getOrDefault("says", ""));
      }
    }
    return new GuardNotes(findings, says, end(fields(end)));
  }

  private static Optional<EndNote> end(Map<String, String> fields) {
    String since = fields.getOrDefault("since", "");
    return since.isEmpty()
        ? Optional.empty()
        : Optional.of(new EndNote(fields.getOrDefault("by", ""), since, finding(fields)));
  }

  private static Optional<Finding> finding(Map<String, String> fields) {
    String code = fields.getOrDefault("code", "");
    @Nullable Severity severity = severity(fields.getOrDefault("severity", ""));
    if (severity == null || !code.matches("[a-z0-9]+\\.[a-z0-9-]+")) {
      return Optional.empty();
    }
    String evidence = fields.getOrDefault("evidence", "");
    return Optional.of(
        new Finding(
            code,
            severity,
            fields.getOrDefault("subject", ""),
            fields.getOrDefault("expected", ""),
            fields.getOrDefault("actual", ""),
            evidence.isEmpty() ? List.of() : List.of(evidence)));
  }

  private static @Nullable Severity severity(String word) {
    for (Severity severity : Severity.values()) {
      if (severity.word().equals(word)) {
        return severity;
      }
    }
    return null;
  }

  /** The texts of the object that a line is; none when it is something else. */
  private static Map<String, String> fields(String line) {
    Map<String, String> fields = new HashMap<>();
    if (!line.startsWith("{") || line.length() > MOST_CHARACTERS) {
      return fields;
    }
    try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        JsonToken token = json.nextToken();
        if (token == JsonToken.VALUE_STRING) {
          fields.put(name, json.getString());
        } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
          return Map.of();
        }
      }
      return json.currentToken() == JsonToken.END_OBJECT ? fields : Map.of();
    } catch (JacksonException malformed) {
      return Map.of();
    }
  }
}
