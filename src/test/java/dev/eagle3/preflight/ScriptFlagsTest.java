package dev.eagle3.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of which scripts all flags are known, and of which they may know more than can be seen. */
class ScriptFlagsTest {
  private static final Path SCRIPTS = Path.of("src/test/resources/preflight/scripts.txt");
  private static final Path PROBE = Path.of("src/main/resources/host/probe-job.py");

  /** MORE is what a test puts there. */
  private static final String FLAGS =
      """
      import argparse
      def parse_arguments():
          parser = argparse.ArgumentParser()
          parser.add_argument("--model-path", required=True)
          MORE
          return parser.parse_args()
      def train(parser):
          parser.add_argument("--dtype", required=True)
      if __name__ == "__main__":
          parse_arguments()
      """;

  @TempDir Path folder;

  /** A script, and why it may know more flags; {@code closed} where it does not. */
  private record Case(String why, String script) {
    @Override
    public String toString() {
      return why + ": " + script.replace("\n", " / ");
    }
  }

  static Stream<Case> scripts() throws IOException {
    List<Case> all = new ArrayList<>();
    for (String section : Files.readString(SCRIPTS).split("(?m)^== ", -1)) {
      if (!section.isBlank()) {
        int end = section.indexOf('\n');
        all.add(new Case(section.substring(0, end), section.substring(end + 1)));
      }
    }
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void whatIsNotUnderstoodIsSaid(Case one) throws Exception {
    List<String> said = said(one.script(), "flags-open");

    if (one.why().equals("closed")) {
      assertThat(said).isEmpty();
    } else {
      assertThat(said).contains(one.why());
    }
  }

  @Test
  void whatMayNotBeAddedIsNotNeeded() throws Exception {
    assertThat(said(FLAGS.replace("MORE", "train(parser)"), "required"))
        .containsExactly("--model-path", "--dtype");
    assertThat(said(FLAGS.replace("MORE", "pass"), "required")).containsExactly("--model-path");
    assertThat(said(FLAGS.replace("MORE", "if parser: train(parser)"), "required"))
        .containsExactly("--model-path");
    assertThat(
            said(
                FLAGS.replace(
                    "MORE", "if X: return\n    parser.add_argument('--dtype', required=True)"),
                "required"))
        .containsExactly("--model-path");
  }

  /** The first field of each row of a kind that the program answers. */
  private List<String> said(String text, String kind) throws Exception {
    Path script = Files.writeString(folder.resolve("script.py"), text);
    Process program =
        new ProcessBuilder(
                ReadyHost.python().toString(), PROBE.toString(), "script", script.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines =
        new String(program.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(program.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(lines).anyMatch(line -> line.startsWith("flag\t"));
    return lines.stream()
        .map(line -> line.split("\t", -1))
        .filter(fields -> fields[0].equals(kind))
        .map(fields -> fields[1])
        .toList();
  }
}
