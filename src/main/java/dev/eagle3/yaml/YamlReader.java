package dev.eagle3.yaml;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * Reads the text of one YAML file into a tree, without ever constructing what a tag names. A file
 * of more than {@link #MOST_CHARACTERS} or {@link #MOST_VALUES}, nesting beyond {@link
 * #MOST_DEPTH}, aliases, tags and second documents are refused.
 */
public final class YamlReader {
  /** Characters of a file; also the bytes that {@link YamlFile} reads at most. */
  public static final int MOST_CHARACTERS = 1 << 20;

  /** Lists and maps inside each other. */
  public static final int MOST_DEPTH = 16;

  /** Texts, lists and maps in a file. */
  public static final int MOST_VALUES = 20_000;

  private static final String TEXT_TAG = "tag:yaml.org,2002:str";

  private final String name;
  private final JsonParser parser;
  private int values;

  private YamlReader(String name, JsonParser parser) {
    this.name = name;
    this.parser = parser;
  }

  /**
   * The tree of a text; an empty text is an empty map.
   *
   * @param name of the file, for messages
   * @throws Failure {@code PROFILE}, with the subject {@code name:line}, when it is not YAML
   */
  public static YamlNode read(String text, String name) {
    refuseUnreadable(text, name);
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(name)
            .setSchema(new CoreSchema())
            // Repeated keys are for the caller to name, with both lines.
            .setAllowDuplicateKeys(true)
            .build();
    YAMLFactory factory = YAMLFactory.builder().loadSettings(settings).build();
    try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
      return new YamlReader(name, parser).document();
    } catch (JacksonException malformed) {
      throw malformed(name, malformed);
    }
  }

  private YamlNode document() {
    JsonToken token = parser.nextToken();
    if (token == null) {
      return new YamlNode.Entries(1, List.of());
    }
    YamlNode root = value(token, 0);
    if (parser.nextToken() != null) {
      throw refusal(line(), "a second document starts here; only one is taken");
    }
    return root;
  }

  private YamlNode value(@Nullable JsonToken token, int depth) {
    int line = line();
    if (token == null) {
      throw refusal(line, "the file ends in the middle of a value");
    }
    if (((YAMLParser) parser).isCurrentAlias()) {
      throw refusal(line, "aliases (*name) are not taken; write the value out");
    }
    Object tag = parser.getTypeId();
    if (tag != null && !(tag.equals(TEXT_TAG) && token.isScalarValue())) {
      throw refusal(line, "tags (!name) are not taken");
    }
    if (++values > MOST_VALUES) {
      throw refusal(line, "more than " + MOST_VALUES + " values");
    }
    if (depth == MOST_DEPTH) {
      throw refusal(line, "more than " + MOST_DEPTH + " lists and maps inside each other");
    }
    return switch (token) {
      case START_ARRAY -> items(line, depth);
      case START_OBJECT -> entries(line, depth);
      case VALUE_NULL -> new YamlNode.Nothing(line);
      default -> new YamlNode.Text(line, parser.getString(), form(token, tag != null));
    };
  }

  private YamlNode items(int line, int depth) {
    List<YamlNode> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(value(token, depth + 1));
    }
    return new YamlNode.Items(line, items);
  }

  private YamlNode entries(int line, int depth) {
    List<YamlNode.Entry> entries = new ArrayList<>();
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String key = parser.getString();
      int at = line();
      entries.add(new YamlNode.Entry(at, key, value(parser.nextToken(), depth + 1)));
    }
    return new YamlNode.Entries(line, entries);
  }

  private static YamlNode.Form form(JsonToken token, boolean taggedAsText) {
    if (taggedAsText) {
      return YamlNode.Form.TEXT;
    }
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> YamlNode.Form.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> YamlNode.Form.TRUTH;
      default -> YamlNode.Form.TEXT;
    };
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private Failure refusal(int line, String problem) {
    return Failure.of(Exit.PROFILE, name + ":" + line, problem);
  }

  /** Says it with a line of its own: the parser names none for characters that it cannot read. */
  private static void refuseUnreadable(String text, String name) {
    if (text.length() > MOST_CHARACTERS) {
      throw Failure.of(Exit.PROFILE, name, "is longer than 1 MiB; this is no profile");
    }
    int line = 1;
    for (int at = 0; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '\n') {
        line++;
      } else if ((c < ' ' && c != '\t' && c != '\r') || c == 0x7f) {
        throw Failure.of(
            Exit.PROFILE,
            name + ":" + line,
            String.format("holds the control character \\x%02x", (int) c));
      }
    }
  }

  private static Failure malformed(String name, JacksonException malformed) {
    // Where the text goes wrong, and not where the last good token stood.
    if (malformed.getCause() instanceof MarkedYamlEngineException marked
        && marked.getProblemMark().isPresent()) {
      int line = marked.getProblemMark().get().getLine() + 1;
      return notYaml(name + ":" + line, marked.getProblem());
    }
    int line = malformed.getLocation() == null ? 0 : malformed.getLocation().getLineNr();
    String said = malformed.getOriginalMessage().lines().findFirst().orElse("");
    return notYaml(line > 0 ? name + ":" + line : name, said);
  }

  /** Without the exception, which quotes the lines around: they may hold secrets. */
  private static Failure notYaml(String subject, String said) {
    return Failure.of(Exit.PROFILE, subject, "is not valid YAML: " + said);
  }
}
