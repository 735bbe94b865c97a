package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Exit;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --quarantine} and {@code --only} of {@code verify-shapes}, on this machine. */
class QuarantineTest {
  private static final Path STATES =
      Path.of("src/test/resources/fixtures/tiny-lm/hidden_states").toAbsolutePath();

  @TempDir Path folder;
  private Path out;
  private Path bad;

  @BeforeEach
  void saveTwoGoodAndTwoBad() throws IOException {
    out = Files.createDirectory(folder.resolve("out"));
    bad = folder.resolve("bad");
    for (int number = 0; number < 4; number++) {
      byte[] whole = Files.readAllBytes(STATES.resolve("data_" + number + ".pt"));
      byte[] saved = number < 2 ? whole : Arrays.copyOf(whole, whole.length / number);
      Files.write(out.resolve("data_" + number + ".pt"), saved);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--host local"})
  void badFilesAreMovedAndComeBack(String where) throws Exception {
    CommandLineRun run = verify(where, "--quarantine", bad.toString(), "--yes");

    assertThat(run.code()).isEqualTo(Exit.WRONG.code());
    assertThat(names(out)).containsExactly("data_0.pt", "data_1.pt");
    assertThat(names(bad)).containsExactly(".eagle3-put-back.sh", "data_2.pt", "data_3.pt");
    assertThat(run.out()).contains("moved ", out + "/data_2.pt -> " + bad + "/data_2.pt");
    assertThat(run.err())
        .contains("2 bad files (data_2.pt, data_3.pt; ")
        .contains("  sh " + bad + "/.eagle3-put-back.sh");

    assertThat(new ProcessBuilder("sh", bad + "/.eagle3-put-back.sh").start().waitFor()).isZero();
    assertThat(names(out)).hasSize(4);
  }

  @Test
  void whatBecomesOfEachFileIsAnEventOfJson() {
    CommandLineRun run = verify("--json", "--quarantine", bad.toString(), "--yes");

    assertThat(run.out().lines().filter(line -> line.contains("\"type\":\"transfer\"")))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).endsWith("\"verdict\":\"moved\"}"));
    assertThat(run.out().lines().reduce((first, last) -> last))
        .hasValueSatisfying(last -> assertThat(last).contains("\"type\":\"end\"", "\"exit\":16"));
  }

  @Test
  void nothingIsReadWhereNobodyCanBeAsked() throws IOException {
    CommandLineRun run = verify("--quarantine", bad.toString());

    assertThat(run.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("nobody can be asked before bad files are moved");
    assertThat(names(out)).hasSize(4);
  }

  @Test
  void whoSaysNothingDoesNotAgree() throws IOException {
    CommandLineRun run =
        CommandLineRun.typing(
            folder,
            Map.of(),
            ask -> Optional.empty(),
            "verify-shapes",
            out.toString(),
            "--quarantine",
            bad.toString());

    assertThat(run.code()).isEqualTo(Exit.REFUSED.code());
    assertThat(run.out()).contains("2 of 4 good");
    assertThat(run.err())
        .contains("eagle3: move 2 bad files (data_2.pt, data_3.pt; ")
        .contains("to " + bad + "? [y/N]")
        .contains("you did not agree; nothing was moved");
    assertThat(names(out)).hasSize(4);
  }

  @Test
  void filesOfSeveralFoldersDoNotMeet() throws IOException {
    Path more = Files.createDirectory(folder.resolve("more"));
    Files.copy(out.resolve("data_2.pt"), more.resolve("data_2.pt"));

    CommandLineRun run =
        CommandLineRun.of(
            "verify-shapes",
            out.toString(),
            more.toString(),
            "--quarantine",
            bad.toString(),
            "--yes");

    assertThat(run.code()).isEqualTo(Exit.WRONG.code());
    assertThat(bad.resolve("out/data_2.pt")).exists();
    assertThat(bad.resolve("more/data_2.pt")).exists();
  }

  @Test
  void oneFileIsMovedByItsName() throws IOException {
    CommandLineRun run =
        CommandLineRun.of(
            "verify-shapes", out + "/data_3.pt", "--quarantine", bad.toString(), "--yes");

    assertThat(run.code()).isEqualTo(Exit.WRONG.code());
    assertThat(names(bad)).contains("data_3.pt");
    assertThat(names(out)).containsExactly("data_0.pt", "data_1.pt", "data_2.pt");
  }

  @Test
  @Hostile("bad files may not be read, or are gone: nobody knows that they are bad")
  void whatWasNotReadStays() throws IOException {
    Path pipe = out.resolve("data_4.pt");
    Files.createSymbolicLink(pipe, folder.resolve("nowhere"));

    verify("--quarantine", bad.toString(), "--yes");

    assertThat(names(out)).containsExactly("data_0.pt", "data_1.pt", "data_4.pt");
  }

  @Test
  void aFolderInTheOutputIsRefusedBeforeAnythingIsRead() {
    CommandLineRun run = verify("--quarantine", out + "/bad", "--yes");

    assertThat(run.code()).isEqualTo(Exit.USAGE.code());
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains("where it would count as output")
        .contains("try: --quarantine " + out + ".bad");
  }

  @Test
  void aFolderOfAnotherMachineIsRefused() {
    CommandLineRun run = verify("--quarantine", "gpu7:/data/bad", "--yes");

    assertThat(run.code()).isEqualTo(Exit.USAGE.code());
    assertThat(run.err()).contains("is on another machine than the files, which are on this one");
  }

  @Test
  void withoutABadFileNothingIsMade() throws IOException {
    Files.delete(out.resolve("data_2.pt"));
    Files.delete(out.resolve("data_3.pt"));

    CommandLineRun run = verify("--quarantine", bad.toString(), "--yes");

    assertThat(run.code()).isEqualTo(Exit.DONE.code());
    assertThat(run.err()).contains("no bad file to move");
    assertThat(bad).doesNotExist();
  }

  @Test
  void onlyFilesOfOneVerdictAreListed() {
    assertThat(verify("--only", "bad").out())
        .contains("data_2.pt", "data_3.pt", "[file.cut]", "2 of 4 good")
        .doesNotContain("data_0.pt", "data_1.pt");
    assertThat(verify("--only", "good").out())
        .contains("data_0.pt", "data_1.pt", "2 of 4 good")
        .doesNotContain("data_2.pt", "data_3.pt", "file.cut");
    assertThat(verify("--only", "bad", "--json").out().lines())
        .filteredOn(line -> line.contains("\"type\":\"file\""))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("\"verdict\":\"bad\""));
  }

  @Test
  void aListThatWasAskedForIsWhole() throws IOException {
    for (int number = 4; number < 60; number++) {
      Files.copy(out.resolve("data_0.pt"), out.resolve("data_" + number + ".pt"));
    }

    assertThat(verify("--only", "good").out().lines())
        .filteredOn(line -> line.startsWith("good "))
        .hasSize(58);
    assertThat(verify("").out()).contains("… and 40 more files");
  }

  @Test
  void anotherVerdictIsUsage() {
    CommandLineRun run = verify("--only", "ugly");

    assertThat(run.code()).isEqualTo(Exit.USAGE.code());
    assertThat(run.err()).contains("--only: \"ugly\" is neither good nor bad");
  }

  private CommandLineRun verify(String... words) {
    Stream<String> split = Arrays.stream(words).flatMap(word -> Arrays.stream(word.split(" ")));
    List<String> all =
        Stream.concat(Stream.of("verify-shapes", out.toString()), split)
            .filter(word -> !word.isEmpty())
            .toList();
    return CommandLineRun.of(all.toArray(String[]::new));
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
