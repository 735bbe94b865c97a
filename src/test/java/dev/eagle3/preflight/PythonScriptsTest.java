package dev.eagle3.preflight;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Programs that go to a host are for any Python 3.8 or later, with nothing installed. */
class PythonScriptsTest {
  private static final String CHECK =
      """
      import ast, sys
      tree = ast.parse(open(sys.argv[1], encoding="utf-8").read(), feature_version=(3, 8))
      for node in ast.walk(tree):
          names = [n.name for n in node.names] if isinstance(node, ast.Import) else []
          names += [node.module] if isinstance(node, ast.ImportFrom) else []
          for name in names:
              if name.split(".")[0] not in getattr(sys, "stdlib_module_names", [name.split(".")[0]]):
                  print("imports", name)
      """;

  static List<Path> programs() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("src/main/resources/host"))) {
      return all.filter(path -> path.toString().endsWith(".py")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void eachIsPython38AndNeedsTheStandardLibraryOnly(Path program) throws Exception {
    Process check =
        new ProcessBuilder(ReadyHost.python().toString(), "-c", CHECK, program.toString())
            .redirectErrorStream(true)
            .start();

    assertThat(new String(check.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(check.waitFor()).isZero();
  }

  /** One argument of a program may have 128 KiB on Linux. */
  @ParameterizedTest
  @MethodSource("programs")
  void eachFitsInOneArgument(Path program) throws IOException {
    assertThat(Files.size(program)).isLessThan(100_000);
    assertThat(Files.readString(program)).doesNotContain("EAGLE3_PYTHON");
  }
}
