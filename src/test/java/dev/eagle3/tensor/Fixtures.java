package dev.eagle3.tensor;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * Files written by real torch and safetensors, damaged and hostile ones, and what torch 2.13 says
 * of each ({@code torch-2.13-says.jsonl}).
 */
final class Fixtures {
  private static final LocalFileTree FILES = new LocalFileTree();

  private Fixtures() {}

  static Path path(String name) {
    try {
      return Path.of(
              Objects.requireNonNull(Fixtures.class.getResource("/fixtures/tensors/real")).toURI())
          .resolveSibling(name);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static RangedBytes ranged(String name) {
    String path = path(name).toString();
    try {
      return RangedBytes.of(FILES, FILES.stat(path).orElseThrow());
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  static byte[] bytes(String name) {
    try {
      return Files.readAllBytes(path(name));
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  static TensorFile read(String name) {
    try {
      return new TensorFileReader().read(ranged(name));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** Every file of a folder, as {@code folder/name}. */
  static Stream<String> in(String folder) {
    try (Stream<Path> files = Files.list(path(folder))) {
      return files
          .map(file -> folder + "/" + file.getFileName())
          .filter(name -> !name.endsWith("/VERSION"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  /** What torch says, one object a file. */
  static List<JsonNode> says() {
    ObjectMapper json = new ObjectMapper();
    try (Stream<String> lines = Files.lines(path("torch-2.13-says.jsonl"))) {
      return lines.map(json::readTree).toList();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }
}
