package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.outcome.Exit;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code verify-shapes} looks at beyond headers, and what it moves, on a real OpenSSH host.
 */
@Tag("slow")
class VerifyOverSshTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures").toAbsolutePath();
  private static final Path MODEL = FIXTURES.resolve("tiny-lm/model");

  @TempDir static Path shared;
  private static OpenSshServer server;
  private static Path config;

  private Path out;

  @BeforeAll
  static void startTheServer() throws Exception {
    server = OpenSshServer.in(shared.resolve("sshd")).start();
    config = server.clientConfiguration();
  }

  @AfterAll
  static void endTheServer() {
    server.close();
  }

  @BeforeEach
  void saveGoodFiles() throws IOException {
    out = Files.createTempDirectory(server.home(), "out");
    for (int number = 0; number < 6; number++) {
      Files.copy(
          FIXTURES.resolve("tiny-lm/hidden_states/data_" + number + ".pt"),
          out.resolve("data_" + number + ".pt"));
    }
  }

  @Test
  void valuesAreReadOnTheHost() throws IOException {
    assertThat(verify("--deep").code()).isEqualTo(Exit.DONE.code());
    Files.copy(FIXTURES.resolve("values/captured-twice.pt"), out.resolve("data_6.pt"));

    CommandLineRun run = verify("--deep");

    assertThat(run.code()).isEqualTo(Exit.WRONG.code());
    assertThat(run.err()).contains("reading ").contains(" of 7 files, about ");
    assertThat(run.out()).contains("[layers.captured-twice]").contains("box:" + out);
  }

  @Test
  void aSchemaThatIsNamedIsHeldAgainstTheFiles() {
    assertThat(verify("--schema", "speculators-list").code()).isEqualTo(Exit.DONE.code());

    CommandLineRun other = verify("--schema", "specforge-eagle3");

    assertThat(other.code()).isEqualTo(Exit.WRONG.code());
    assertThat(other.out()).contains("0 of 6 good");
  }

  @Test
  void aModelOfTheHostIsNamedWithOrWithoutTheHost() {
    for (String model : List.of(MODEL.toString(), "box:" + MODEL)) {
      CommandLineRun run = verify("--model", model);

      assertThat(run.code()).isEqualTo(Exit.DONE.code());
      assertThat(run.out())
          .containsPattern("6 of 6 files: predict their own tokens \\(0\\.9\\d\\)");
    }
    CommandLineRun elsewhere = verify("--model", "gpu8:/models/kimi");
    assertThat(elsewhere.code()).isEqualTo(Exit.USAGE.code());
    assertThat(elsewhere.err()).contains("is on another machine than the files, which are on box");
  }

  @Test
  @Hostile("a model is named that is not on the host but, perhaps, here")
  void aModelThatIsNotThereEndsItBeforeAnythingIsRead() {
    CommandLineRun run = verify("--model", "meta/tiny");

    assertThat(run.code()).isEqualTo(Exit.USAGE.code());
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("--model box:" + server.home() + "/meta/tiny: is not there")
        .contains("names of a hub are not looked up");
  }

  @Test
  @Hostile("two files on the host were cut")
  void badFilesAreMovedOnTheHostWithPathsFromItsHome() throws Exception {
    cut("data_4.pt");
    cut("data_5.pt");
    Path bad = server.home().resolve(out.getFileName() + ".bad");

    CommandLineRun run =
        CommandLineRun.at(
            server.clientHome(),
            Map.of(),
            "verify-shapes",
            "-F",
            config.toString(),
            "box:" + out.getFileName(),
            "--quarantine",
            out.getFileName() + ".bad",
            "--yes",
            "--only",
            "bad",
            "--json");

    assertThat(run.code()).isEqualTo(Exit.WRONG.code());
    assertThat(names(out)).containsExactly("data_0.pt", "data_1.pt", "data_2.pt", "data_3.pt");
    assertThat(names(bad)).containsExactly(".eagle3-put-back.sh", "data_4.pt", "data_5.pt");
    assertThat(run.out().lines().filter(line -> line.contains("\"verdict\":\"bad\""))).hasSize(2);
    assertThat(run.out()).contains("\"command\":\"sh " + bad + "/.eagle3-put-back.sh\"");
    assertThat(new ProcessBuilder("sh", bad + "/.eagle3-put-back.sh").start().waitFor()).isZero();
    assertThat(names(out)).hasSize(6);
  }

  @Test
  void aFolderThatTakesNoFilesIsRefusedBeforeAnythingIsRead() throws IOException {
    Path file = Files.writeString(server.home().resolve("a-file"), "");

    CommandLineRun run = verify("--quarantine", file.toString(), "--yes");

    assertThat(run.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(file + ": takes no files: it is not a folder");
  }

  private CommandLineRun verify(String... words) {
    List<String> all =
        Stream.concat(
                Stream.of("verify-shapes", "-F", config.toString(), "box:" + out),
                Arrays.stream(words))
            .toList();
    return CommandLineRun.at(server.clientHome(), Map.of(), all.toArray(String[]::new));
  }

  private void cut(String name) throws IOException {
    byte[] whole = Files.readAllBytes(out.resolve(name));
    Files.write(out.resolve(name), Arrays.copyOf(whole, whole.length / 2));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
