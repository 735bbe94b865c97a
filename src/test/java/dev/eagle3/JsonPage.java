package dev.eagle3;

import dev.eagle3.outcome.Event;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What {@code docs/json.md} says about the types of events, and what the records say. */
final class JsonPage {
  private static final List<String> LINES = MarkdownTable.lines(Path.of("docs", "json.md"));
  private static final String HEADING = "## `";

  private JsonPage() {}

  /** The types that have a section. */
  static List<String> types() {
    return LINES.stream()
        .filter(line -> line.startsWith(HEADING))
        .map(line -> line.substring(HEADING.length(), line.length() - 1))
        .toList();
  }

  /** The fields that the section of a type lists. */
  static List<String> fields(String type) {
    return MarkdownTable.rows(section(type), "field", "is", "meaning").stream()
        .map(row -> MarkdownTable.code(row.get(0)))
        .toList();
  }

  /** The names of the fields in the example line of a type. */
  static List<String> namesInExample(String type) {
    List<String> section = section(type);
    int fence = section.indexOf("```json");
    if (fence < 0) {
      throw new AssertionError("no example of " + type + " in docs/json.md");
    }
    JsonNode example = new JsonMapper().readTree(section.get(fence + 1));
    if (!type.equals(example.path("type").asString())) {
      throw new AssertionError("the example of " + type + " is of another type");
    }
    return List.copyOf(example.propertyNames());
  }

  /** The fields of an event's JSON line: those of a record inside stand in the line itself. */
  static List<String> components(Class<?> event) {
    return Arrays.stream(event.getRecordComponents())
        .flatMap(
            component ->
                component.getType().isRecord()
                    ? components(component.getType()).stream()
                    : Stream.of(component.getName()))
        .toList();
  }

  /** The word in the field {@code type}. */
  static String typeWord(Class<?> event) {
    return ((Event) blank(event)).type();
  }

  private static List<String> section(String type) {
    int start = LINES.indexOf(HEADING + type + "`");
    if (start < 0) {
      throw new AssertionError("no section for `" + type + "` in docs/json.md");
    }
    List<String> rest = LINES.subList(start + 1, LINES.size());
    int end = 0;
    while (end < rest.size() && !rest.get(end).startsWith("## ")) {
      end++;
    }
    return rest.subList(0, end);
  }

  /** A record of empty texts, zeros and empty lists. */
  private static Object blank(Class<?> record) {
    List<Object> values = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    for (RecordComponent component : record.getRecordComponents()) {
      types.add(component.getType());
      values.add(blankValue(component.getType()));
    }
    try {
      Constructor<?> constructor = record.getDeclaredConstructor(types.toArray(Class<?>[]::new));
      return constructor.newInstance(values.toArray());
    } catch (ReflectiveOperationException refused) {
      throw new LinkageError("an event that takes no empty values: " + record, refused);
    }
  }

  private static Object blankValue(Class<?> type) {
    if (type.isRecord()) {
      return blank(type);
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == String.class) {
      return "";
    }
    if (type == List.class) {
      return List.of();
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == double.class) {
      return 0.0;
    }
    if (type == boolean.class) {
      return false;
    }
    throw new AssertionError("docs/json.md has no word for a field of " + type);
  }
}
