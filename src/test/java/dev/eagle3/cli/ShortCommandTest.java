package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.ssh.OpenSshServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a command that is over in a quarter of a second leaves alone, since it takes a good part of
 * that: JSON, SSH, and methods of records, which Java puts together when they are first called.
 * Told by the classes that a real process loads.
 */
class ShortCommandTest {
  private static final Path SAMPLE =
      Path.of("src/test/resources/fixtures/tiny-lm/hidden_states/data_0.pt").toAbsolutePath();

  private static final List<String> SLOW =
      List.of(
          "tools.jackson.databind.ObjectMapper",
          "tools.jackson.core.json.JsonFactory",
          "org.apache.sshd.",
          "java.lang.runtime.ObjectMethods");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "verify-shapes --help",
        "inspect FILE",
        "verify-shapes FILE",
        "verify-shapes FOLDER",
      })
  void nothingIsLoadedThatItCanDoWithout(String words) throws Exception {
    List<String> loaded = loaded(words);

    assertThat(loaded).contains("dev.eagle3.cli.Eagle3");
    assertThat(loaded.stream().filter(ShortCommandTest::isSlow).toList()).isEmpty();
  }

  @Test
  void whatIsLeftAloneWouldBeSeen() throws Exception {
    Files.writeString(folder.resolve("config.json"), "{\"hidden_size\": 64}");

    assertThat(loaded("verify-shapes FOLDER --model-path " + folder))
        .anyMatch(ShortCommandTest::isSlow);
  }

  @Test
  void nothingButSshIsLoadedToAskForTheStateOfARun() throws Exception {
    try (FaultBench bench = FaultBench.open(Files.createDirectories(folder.resolve("bench")))) {
      CommandLineRun launched =
          bench.run(
              "extract", "--clear-gpus", "none", "--profile", bench.host().profile().toString());
      assertThat(launched.code()).as(launched.err()).isZero();
      // Progress in a log is compared with what was said of it before, as records are.
      Files.writeString(bench.runs().resolve(bench.ids().get(0)).resolve("log"), "");
      OpenSshServer server = bench.host().server();

      List<String> loaded =
          loaded(server.clientHome(), List.of("status", "--host", server.target()));

      assertThat(loaded).contains("org.apache.sshd.client.SshClient");
      // The plan of the run is read as JSON, without data binding.
      assertThat(
              loaded.stream()
                  .filter(ShortCommandTest::isSlow)
                  .filter(name -> !name.startsWith("org.apache.sshd."))
                  .filter(name -> !name.startsWith("tools.jackson.core.json.JsonFactory"))
                  .toList())
          .isEmpty();
    }
  }

  private static boolean isSlow(String name) {
    return SLOW.stream().anyMatch(name::startsWith);
  }

  private List<String> loaded(String words) throws IOException, InterruptedException {
    Path samples = Files.createDirectories(folder.resolve("samples"));
    Files.copy(SAMPLE, samples.resolve("data_0.pt"));
    Files.copy(SAMPLE, samples.resolve("data_1.pt"));
    List<String> arguments =
        List.of(
            words
                .replace("FILE", samples.resolve("data_0.pt").toString())
                .replace("FOLDER", samples.toString())
                .split(" "));
    return loaded(folder, arguments);
  }

  /** All classes that a process loads for a command. */
  private List<String> loaded(Path home, List<String> arguments)
      throws IOException, InterruptedException {
    Path classes = folder.resolve("classes");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("java.class.path"),
                "dev.eagle3.cli.Main"));
    command.addAll(arguments);
    Path out = folder.resolve("out");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", home.toString());
    builder.environment().keySet().removeIf(name -> name.startsWith("EAGLE3_"));
    Process process = builder.redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(out)).isIn(0, 16);
    // [0.012s][info][class,load] java.lang.Object source: shared objects file
    return Files.readString(classes)
        .lines()
        .map(line -> line.substring(line.lastIndexOf("] ") + 2).split(" ", 2)[0])
        .toList();
  }
}
