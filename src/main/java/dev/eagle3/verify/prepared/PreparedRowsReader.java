package dev.eagle3.verify.prepared;

import dev.eagle3.files.FileTree;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the token ids of prepared data, {@code {"input_ids": [1, 2, 3], …}} in each line, as a
 * stream: no row is held, whatever its length.
 */
final class PreparedRowsReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(64)
                  .maxNumberLength(32)
                  .maxNameLength(10_000)
                  .maxStringLength(1 << 20)
                  .build())
          .build();

  private final FileTree files;

  PreparedRowsReader(FileTree files) {
    this.files = files;
  }

  /** Takes the rows, one after the other. */
  @FunctionalInterface
  interface Rows {
    /**
     * Takes one.
     *
     * @param tokens how many ids it has
     * @param all hash of all of them
     * @param first hashes of the first {@code limit - 1} and {@code limit}, where there are more
     */
    void take(long tokens, long all, long[] first);
  }

  /**
   * Reads all rows; false when there is something else than rows with ids, behind those that were
   * taken. Blocks as long as the file takes to come.
   *
   * @param limit rows are said to be cut to so many ids, or one less
   * @throws IOException when the file cannot be read
   */
  boolean read(String path, int limit, Rows rows) throws IOException {
    try (InputStream bytes = new BufferedInputStream(files.open(path, 0), 1 << 16);
        JsonParser parser = JSON.createParser(ObjectReadContext.empty(), bytes)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() != JsonToken.START_OBJECT || !readRow(parser, limit, rows)) {
          return false;
        }
      }
      return true;
    } catch (JacksonException broken) {
      if (broken.getCause() instanceof IOException lost) {
        throw lost;
      }
      return false;
    }
  }

  private static boolean readRow(JsonParser parser, int limit, Rows rows) {
    boolean found = false;
    while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
      boolean ids = parser.currentName().equals("input_ids");
      JsonToken value = parser.nextToken();
      if (ids && !found && value == JsonToken.START_ARRAY) {
        if (!readIds(parser, limit, rows)) {
          return false;
        }
        found = true;
      } else {
        parser.skipChildren();
      }
    }
    return found;
  }

  private static boolean readIds(JsonParser parser, int limit, Rows rows) {
    IdsHash hash = new IdsHash();
    long[] first = new long[2];
    long tokens = 0;
    while (parser.nextToken() == JsonToken.VALUE_NUMBER_INT) {
      hash.add(parser.getLongValue());
      tokens++;
      if (tokens == limit - 1L || tokens == limit) {
        first[(int) (tokens - limit + 1)] = hash.value();
      }
    }
    if (parser.currentToken() != JsonToken.END_ARRAY) {
      return false;
    }
    rows.take(tokens, hash.value(), first);
    return true;
  }
}
