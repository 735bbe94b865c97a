package dev.eagle3.expect;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads in which shard of a model a tensor lies: {@code model.safetensors.index.json}, as a stream,
 * since those of large mixtures of experts have tens of MB.
 */
public final class ShardIndexReader {
  private static final String NAME = "model.safetensors.index.json";
  private static final long MOST_BYTES = 256L << 20;
  private static final int MOST_FOUND = 1024;

  private final FileTree files;

  /** Reads through {@code files}, which stays open. */
  public ShardIndexReader(FileTree files) {
    this.files = files;
  }

  /**
   * The tensors that are wanted, with the names of their shards; empty when the model has no index.
   *
   * @throws UnreadableJsonException when the index is no such JSON, or names files elsewhere
   */
  public Optional<Map<String, String>> find(String modelFolder, Predicate<String> wanted)
      throws IOException {
    String path = modelFolder + "/" + NAME;
    Optional<FileStat> there = files.stat(path);
    if (there.isEmpty() || there.get().kind() != FileKind.FILE) {
      return Optional.empty();
    }
    if (there.get().bytes() > MOST_BYTES) {
      throw new UnreadableJsonException("has " + there.get().bytes() + " bytes");
    }
    try (InputStream in = new BufferedInputStream(files.open(path, 0), 1 << 16);
        JsonParser parser =
            JsonFactory.builder().build().createParser(ObjectReadContext.empty(), in)) {
      return Optional.of(find(parser, wanted));
    } catch (JacksonException broken) {
      throw new UnreadableJsonException("is no JSON of the kind that is wanted");
    }
  }

  private static Map<String, String> find(JsonParser parser, Predicate<String> wanted)
      throws UnreadableJsonException {
    Map<String, String> found = new TreeMap<>();
    expect(parser.nextToken(), JsonToken.START_OBJECT);
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      String section = parser.currentName();
      JsonToken value = parser.nextToken();
      if (!section.equals("weight_map")) {
        parser.skipChildren();
        continue;
      }
      expect(value, JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String tensor = parser.currentName();
        expect(parser.nextToken(), JsonToken.VALUE_STRING);
        if (wanted.test(tensor) && found.size() < MOST_FOUND) {
          found.put(tensor, shard(parser.getString()));
        }
      }
    }
    return found;
  }

  /** A name in the model's folder, and nothing else. */
  private static String shard(String name) throws UnreadableJsonException {
    if (name.isEmpty() || name.startsWith(".") || name.indexOf('/') >= 0 || name.indexOf(0) >= 0) {
      throw new UnreadableJsonException("names a shard that is no file of the model's folder");
    }
    return name;
  }

  private static void expect(JsonToken token, JsonToken wanted) throws UnreadableJsonException {
    if (token != wanted) {
      throw new UnreadableJsonException("is no JSON of the kind that is wanted");
    }
  }
}
