package dev.eagle3.expect;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads {@code manifest.jsonl} of TorchSpec, a line for every sample that is done: {@code {"split",
 * "data_id", "file": "samples/SHA1.pt", "seq_len"}}. A trainer refuses the whole set when a file of
 * it is missing.
 */
final class SampleManifestReader {
  private static final int MOST_LETTERS_OF_A_LINE = 64 << 10;

  private final FileTree files;

  SampleManifestReader(FileTree files) {
    this.files = files;
  }

  /**
   * The samples and their tokens; nothing where there is no such file, or it has more than 64 MiB.
   * A line that is no such row, as the last one of a run that was killed, is passed over.
   */
  Expectation read(String folder) throws IOException {
    String path = folder + "/manifest.jsonl";
    Optional<FileStat> there = files.stat(path).filter(SampleCounter::counts);
    if (there.isEmpty()) {
      return Expectation.NONE;
    }
    Map<String, Long> tokens = new HashMap<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(files.open(path, 0), StandardCharsets.UTF_8))) {
      long left = SampleCounter.MOST_BYTES;
      StringBuilder line = new StringBuilder();
      for (int letter = lines.read(); letter >= 0 && left > 0; letter = lines.read()) {
        left--;
        if (letter == '\n') {
          add(line, tokens);
          line.setLength(0);
        } else if (line.length() <= MOST_LETTERS_OF_A_LINE) {
          line.append((char) letter);
        }
      }
      add(line, tokens);
    }
    return tokens.isEmpty()
        ? Expectation.NONE
        : Expectation.NONE.withFileTokens(tokens).withSamples(tokens.size(), path);
  }

  /** Made with the first line: most folders have none, and it takes longer than a sample. */
  private static final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
  }

  private static void add(StringBuilder line, Map<String, Long> tokens) {
    if (line.isEmpty() || line.length() > MOST_LETTERS_OF_A_LINE) {
      return;
    }
    try {
      JsonNode row = Json.MAPPER.readTree(line.toString());
      @Nullable String file = row.path("file").stringValue(null);
      if (file != null && row.path("seq_len").canConvertToLong()) {
        tokens.put(file, row.path("seq_len").longValue());
      }
    } catch (JacksonException broken) {
      // No row.
    }
  }
}
