package dev.eagle3.plan;

import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The properties of one JSON object, each of which is taken once: texts, whole numbers, lists of
 * either, a map of texts, or null. Deeper nesting is refused.
 */
final class JsonFields {
  private final Map<String, Object> fields;

  private JsonFields(Map<String, Object> fields) {
    this.fields = fields;
  }

  /** Reads the object that is the whole of the input. */
  static JsonFields parse(JsonParser json) throws IOException {
    if (json.nextToken() != JsonToken.START_OBJECT) {
      throw new IOException("plan is not a JSON object");
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      if (fields.put(name, value(json, name)) != null) {
        throw new IOException("plan: " + Printable.line(name, 60) + " stands twice");
      }
    }
    if (json.nextToken() != null) {
      throw new IOException("plan: something follows the JSON object");
    }
    return new JsonFields(fields);
  }

  String text(String name) throws IOException {
    return take(name, String.class, "a text");
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  Optional<String> optionalText(String name) throws IOException {
    Object value = fields.get(name);
    if (value == JsonToken.VALUE_NULL) {
      fields.remove(name);
      return Optional.empty();
    }
    return Optional.of(text(name));
  }

  int number(String name) throws IOException {
    return take(name, Integer.class, "a whole number");
  }

  List<String> texts(String name) throws IOException {
    return items(name, String.class);
  }

  List<Integer> numbers(String name) throws IOException {
    return items(name, Integer.class);
  }

  Map<String, String> map(String name) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    Map<?, ?> entries = take(name, Map.class, "an object");
    entries.forEach((key, value) -> texts.put((String) key, (String) value));
    return texts;
  }

  /** Called when all known properties were taken. */
  void refuseOthers() throws IOException {
    if (!fields.isEmpty()) {
      throw new IOException(
          "plan: unknown property " + Printable.line(fields.keySet().iterator().next(), 60));
    }
  }

  private <T> List<T> items(String name, Class<T> type) throws IOException {
    List<T> items = new ArrayList<>();
    for (Object item : take(name, List.class, "a list")) {
      if (!type.isInstance(item)) {
        throw wrong(name, type == String.class ? "a list of texts" : "a list of whole numbers");
      }
      items.add(type.cast(item));
    }
    return items;
  }

  private <T> T take(String name, Class<T> type, String wanted) throws IOException {
    Object value = fields.remove(name);
    if (value == null) {
      throw new IOException("plan: " + name + " is missing");
    }
    if (!type.isInstance(value)) {
      throw wrong(name, wanted);
    }
    return type.cast(value);
  }

  private static Object value(JsonParser json, String name) throws IOException {
    JsonToken token = json.nextToken();
    return switch (token) {
      case START_ARRAY -> list(json, name);
      case START_OBJECT -> object(json, name);
      case VALUE_NULL -> JsonToken.VALUE_NULL;
      default -> scalar(json, token, name);
    };
  }

  private static List<Object> list(JsonParser json, String name) throws IOException {
    List<Object> items = new ArrayList<>();
    for (JsonToken token = json.nextToken();
        token != JsonToken.END_ARRAY;
        token = json.nextToken()) {
      items.add(scalar(json, token, name));
    }
    return items;
  }

  private static Map<String, String> object(JsonParser json, String name) throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = json.currentName();
      if (json.nextToken() != JsonToken.VALUE_STRING) {
        throw wrong(name, "an object of texts");
      }
      if (entries.put(key, json.getString()) != null) {
        throw new IOException("plan: " + name + " has " + Printable.line(key, 60) + " twice");
      }
    }
    return entries;
  }

  private static Object scalar(JsonParser json, @Nullable JsonToken token, String name)
      throws IOException {
    if (token == JsonToken.VALUE_STRING) {
      return json.getString();
    }
    if (token == JsonToken.VALUE_NUMBER_INT) {
      return json.getIntValue();
    }
    throw wrong(name, "a text or a whole number");
  }

  private static IOException wrong(String name, String wanted) {
    return new IOException("plan: " + Printable.line(name, 60) + " is not " + wanted);
  }
}
