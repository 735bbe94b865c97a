package dev.eagle3.expect;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Small JSON files of a machine, read whole within a limit. */
final class JsonFile {
  /** Model configs have tens of KB; lengths of a million samples have 16 MB. */
  private static final int MOST_BYTES = 32 << 20;

  private final FileTree files;

  JsonFile(FileTree files) {
    this.files = files;
  }

  /** The object in the file; empty when no file is there. */
  Optional<JsonNode> read(String path) throws IOException {
    Optional<FileStat> there = files.stat(path);
    if (there.isEmpty() || there.get().kind() != FileKind.FILE) {
      return Optional.empty();
    }
    long bytes = there.get().bytes();
    if (bytes > MOST_BYTES) {
      throw new UnreadableJsonException("has " + bytes + " bytes, more than " + MOST_BYTES);
    }
    try {
      byte[] content = files.read(path, List.of(new ByteRange(0, (int) bytes))).get(0);
      return Optional.of(parsed(content));
    } catch (NoSuchFileException vanished) {
      return Optional.empty();
    }
  }

  /** Made when a file is there to be read: that takes a third of the time of a short command. */
  private static final class Parser {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Parser() {}
  }

  private static JsonNode parsed(byte[] content) throws UnreadableJsonException {
    try {
      JsonNode node = Parser.MAPPER.readTree(content);
      if (node != null && node.isObject()) {
        return node;
      }
      throw new UnreadableJsonException("is no JSON object");
    } catch (JacksonException broken) {
      throw new UnreadableJsonException("is no JSON: " + placeOf(broken));
    }
  }

  private static String placeOf(JacksonException broken) {
    return broken.getLocation() == null
        ? "it cannot be parsed"
        : "line " + broken.getLocation().getLineNr();
  }

  /** A whole number from 1 to {@code most} under the key; empty for anything else. */
  static Optional<Long> positive(JsonNode node, String key, long most) {
    JsonNode value = node.path(key);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      return Optional.empty();
    }
    return Optional.of(value.longValue()).filter(number -> number >= 1 && number <= most);
  }
}
