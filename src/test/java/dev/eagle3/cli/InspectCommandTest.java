package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.tensor.TorchFileWriter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

class InspectCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  /** What torch 2.13 says of every file that it loads. */
  static Stream<JsonNode> whatTorchLoads() throws IOException {
    List<JsonNode> says = new ArrayList<>();
    for (String line : Files.readAllLines(fixture("torch-2.13-says.jsonl"))) {
      JsonNode file = JSON.readTree(line);
      if (file.has("tensors")) {
        says.add(file);
      }
    }
    return says.stream();
  }

  @ParameterizedTest
  @MethodSource("whatTorchLoads")
  void whatTorchLoadsIsShownTheSame(JsonNode says) {
    CommandLineRun run =
        CommandLineRun.of("inspect", "--json", fixture(says.get("file").asString()).toString());

    JsonNode shown = JSON.readTree(run.out());
    assertThat(run.out().lines()).hasSize(1);
    assertThat(shown.get("bytes").asLong()).isEqualTo(says.get("bytes").asLong());
    assertThat(shown.get("tensors")).hasSize(says.get("tensors").size());
    for (int index = 0; index < shown.get("tensors").size(); index++) {
      JsonNode ours = shown.get("tensors").get(index);
      JsonNode torchs = says.get("tensors").get(index);
      for (String field : List.of("path", "dtype", "shape", "stride", "offset")) {
        if (torchs.has(field)) {
          assertThat(ours.get(field)).as(field).isEqualTo(torchs.get(field));
        }
      }
      if (torchs.has("layout")) {
        assertThat("torch." + ours.get("layout").asString())
            .isEqualTo(torchs.get("layout").asString());
      }
    }
  }

  @Test
  void theObjectHasTheFieldsOfItsPage() {
    JsonNode shown =
        JSON.readTree(
            CommandLineRun.of("inspect", "--json", fixture("real/kimi-shape-t17.pt").toString())
                .out());

    assertThat(shown.propertyNames())
        .containsExactly("v", "file", "container", "bytes", "tensors", "globals", "findings");
    assertThat(shown.get("tensors").get(0).propertyNames())
        .containsExactly("path", "dtype", "shape", "stride", "offset", "storage");
    assertThat(shown.get("tensors").get(0).get("storage").propertyNames())
        .containsExactly("key", "bytes", "used");
    assertThat(shown.get("tensors").get(1).get("storage").get("bytes").asLong())
        .isEqualTo(17 * 7168 * 2);
  }

  @Test
  void textHasALineForEachTensor() {
    String file = fixture("real/kimi-shape-t17.pt").toString();
    CommandLineRun run = CommandLineRun.of("inspect", file);

    assertThat(run.code()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .startsWith(
            file + ": torch zip, 978,029 bytes, 6 tensors",
            "  input_ids         int64     [17]        storage 0, 136 B",
            "  hidden_states[0]  bfloat16  [17, 7168]  storage 1, 238.0 KiB");
  }

  @Test
  void hundredsOfTensorsThatAreAllAlikeAreOneLine() throws IOException {
    Path file = folder.resolve("data_0.pt");
    Files.write(file, TorchFileWriter.sample(512, 771, "bfloat16", 512).bytes());

    assertThat(CommandLineRun.of("inspect", file.toString()).out().lines().toList().get(2))
        .isEqualTo("  hidden_states[0 .. 770]  bfloat16  771 × [512]  all alike; -v shows each");
    assertThat(CommandLineRun.of("inspect", "-v", file.toString()).out().lines())
        .hasSize(1 + 773 + 1);
  }

  @Test
  void aDamagedFileSaysWhatItHasAndWhatItNeeds() {
    CommandLineRun run = CommandLineRun.of("inspect", fixture("corrupt/trunc_half.pt").toString());

    assertThat(run.code()).isEqualTo(16);
    assertThat(run.out())
        .contains("a  float32  [4096]  storage 0, 16.0 KiB, 8,307 bytes of it in the file")
        .contains("8,691 bytes: none of its 2 storages is whole, wanted 17,383 bytes [file.cut]");
  }

  @Test
  void whatIsInNoTensorFileIsNamed() throws IOException {
    Path file = folder.resolve("data_0.pt");
    Files.writeString(file, "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");

    CommandLineRun run = CommandLineRun.of("inspect", file.toString());

    assertThat(run.code()).isEqualTo(16);
    assertThat(run.out()).contains("a Git LFS pointer");
  }

  @Test
  void namesInAFileNeverPutControlCharactersOnTheTerminal() throws IOException {
    Path file = folder.resolve("data_0.pt");
    Files.write(file, new TorchFileWriter("archive").tensor("a\u001b[2Jb\nc", "int64", 2).bytes());

    for (List<String> flags : List.of(List.<String>of(), List.of("--json"))) {
      List<String> words = new ArrayList<>(flags);
      words.add(0, "inspect");
      words.add(file.toString());
      CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));

      assertThat(run.code()).isZero();
      assertThat(run.out()).doesNotContain("\u001b");
    }
    assertThat(CommandLineRun.of("inspect", file.toString()).out())
        .contains("  a\\x1b[2Jb\\nc  int64");
  }

  @Test
  void aFileOfAHostIsReadThroughIt() {
    String file = fixture("real/kimi-shape-t17.pt").toString();

    CommandLineRun run = CommandLineRun.of("inspect", "--host", "local", file);

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out()).contains(file + ": torch zip, 978,029 bytes, 6 tensors");
    CommandLineRun missing =
        CommandLineRun.of("inspect", "--host", "local", folder.resolve("missing").toString());
    assertThat(missing.code()).isEqualTo(11);
    assertThat(missing.err()).contains("there is no such file", "try: ls -l ");
  }

  @Test
  void whatIsNoFileIsSaid() throws IOException {
    Path pipe = folder.resolve("pipe");
    new ProcessBuilder("mkfifo", pipe.toString()).start().onExit().join();

    assertThat(CommandLineRun.of("inspect", folder.resolve("missing").toString()))
        .satisfies(run -> assertThat(run.code()).isEqualTo(3))
        .satisfies(run -> assertThat(run.err()).contains("there is no such file"));
    assertThat(CommandLineRun.of("inspect", folder.toString()).err()).contains("is a folder");
    assertThat(CommandLineRun.of("inspect", pipe.toString()).err())
        .contains("is no regular file, so it was not opened");
    assertThat(CommandLineRun.of("inspect", "latest"))
        .satisfies(run -> assertThat(run.code()).isEqualTo(2))
        .satisfies(run -> assertThat(run.err()).contains("names a run"));
  }

  private static Path fixture(String name) {
    try {
      return Path.of(
              Objects.requireNonNull(InspectCommandTest.class.getResource("/fixtures/tensors/real"))
                  .toURI())
          .resolveSibling(name);
    } catch (URISyntaxException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
