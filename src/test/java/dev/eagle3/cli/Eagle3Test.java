package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Eagle3Test {
  @TempDir Path folder;

  @Test
  void aDryRunPrintsTheGoldenText() throws IOException {
    CommandLineRun run =
        CommandLineRun.of(
            "extract",
            "--host",
            "root@10.1.230.174",
            "--layers",
            "2",
            "30",
            "58",
            "60",
            "--dry-run");

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(withoutScripts(run.out()))
        .as("after a wanted change: mvn test -Dtest=Eagle3Test -Deagle3.golden.update=true")
        .isEqualTo(golden(withoutScripts(run.out())));
  }

  /** The golden text names the scripts of the host where the printed text holds them. */
  private static String withoutScripts(String text) throws IOException {
    String rest = text;
    try (Stream<Path> scripts = Files.list(Path.of("src/main/resources/host"))) {
      for (Path script : scripts.sorted().toList()) {
        String body = Files.readString(script);
        String name = "<<" + script.getFileName() + ">>\n";
        rest = rest.replace(body, name).replace(body.replace("'", "'\\''"), name);
      }
    }
    return rest;
  }

  private static String golden(String now) throws IOException {
    Path golden = Path.of("src/test/resources/golden/dry-run.sh");
    if (Boolean.getBoolean("eagle3.golden.update")) {
      Files.writeString(golden, now);
    }
    return Files.readString(golden);
  }

  @Test
  void theWayBackNamesTheStateFolderThatWasNamed() {
    CommandLineRun run =
        CommandLineRun.of(
            "extract",
            "--host",
            "gpu7",
            "--layers",
            "2",
            "--state-dir",
            "/data/my state",
            "--dry-run");

    assertThat(run.out()).contains("--host gpu7 --state-dir '/data/my state'");
  }

  @Test
  void layersAreTakenAsWordsAndWithCommas() {
    CommandLineRun words = dryRun("--layers", "2", "30", "58", "60");
    CommandLineRun commas = dryRun("--layers", "2,30,58,60");

    assertThat(words.code()).isZero();
    assertThat(commas.out()).isEqualTo(words.out()).contains("--layer-ids");
  }

  @Test
  void wordsAfterTwoDashesGoToTheScript() {
    CommandLineRun run = dryRun("--layers", "2", "30", "--", "--seed", "a b");

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("--seed").contains("a b");
  }

  @Test
  void aWordThatBelongsToNoFlagIsNotGivenToTheScript() {
    CommandLineRun slip = dryRun("--layers", "2", "3O", "58");
    CommandLineRun before = dryRun("--layers", "2", "x", "--", "--seed", "1");
    CommandLineRun secret = dryRun("API_TOKEN=geheim");

    assertThat(slip.code()).isEqualTo(2);
    assertThat(slip.out()).isEmpty();
    assertThat(slip.err())
        .contains("eagle3: 3O: belongs to no flag")
        .endsWith("try: eagle3 extract --help\n");
    assertThat(before.code()).isEqualTo(2);
    assertThat(before.err()).contains("eagle3: x: ");
    assertThat(secret.err()).contains("API_TOKEN=").doesNotContain("geheim");
    assertThat(CommandLineRun.of("init", "--layers", "2", "x").code()).isEqualTo(2);
  }

  @Test
  void aDryRunSaysWhatReplaceDoes() {
    CommandLineRun run = dryRun("--layers", "2", "--replace");

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("# First, because of --replace").contains("# eagle3 stop RUN ");
    assertThat(dryRun("--layers", "2").out()).doesNotContain("because of --replace");
  }

  @Test
  void aStateFolderThatDependsOnWhereAShellStartsIsAUsageError() {
    for (String command : List.of("runs", "status", "stop", "undo", "prune", "clear-gpus")) {
      CommandLineRun run = CommandLineRun.of(command, "--host", "local", "--state-dir", "runs");

      assertThat(run.code()).as(command).isEqualTo(2);
      assertThat(run.err()).as(command).contains("--state-dir: must be an absolute path");
    }
  }

  @Test
  void anEmptyCommandIsNoWayToAHost() {
    CommandLineRun run = CommandLineRun.of("runs", "--via", " ");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo("eagle3: --via: is an empty command\ntry: --via 'ssh HOST sh'\n");
  }

  @Test
  void aLayerThatIsNoNumberIsAUsageError() {
    CommandLineRun run = dryRun("--layers", "x");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("--layers").contains("x is no layer id");
  }

  @Test
  void aProfileWithThreeMistakesGetsThreeMessages() throws IOException {
    Path profile = folder.resolve("bad.yaml");
    Files.writeString(profile, "tp-size: 0\nlayerz: [1]\npython: python3\n");

    CommandLineRun run =
        CommandLineRun.of("extract", "--host", "gpu7", "--profile", profile.toString());

    assertThat(run.code()).isEqualTo(10);
    assertThat(run.err().lines().filter(line -> line.startsWith("eagle3: "))).hasSize(3);
    assertThat(run.err()).contains("did you mean layers?");
  }

  @Test
  void aMissingHostSaysHowToNameIt() {
    CommandLineRun run = CommandLineRun.of("extract", "--layers", "2", "30", "58", "60");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--host");
  }

  @Test
  void anUnknownOptionSuggestsTheNearest() {
    CommandLineRun run = CommandLineRun.of("extract", "--laers", "2");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("eagle3: unknown option").contains("--layers");
  }

  @Test
  void anUnknownCommandIsAUsageErrorWithoutAStackTrace() {
    CommandLineRun run = CommandLineRun.of("extrct");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("extract").doesNotContain("\tat ");
    assertThat(CommandLineRun.of("bogus", "--help").code()).isEqualTo(2);
    assertThat(CommandLineRun.of("bogus").err())
        .isEqualTo("eagle3: 'bogus' is no command\ntry: eagle3 --help\n");
  }

  @Test
  void yesRemoveOfAnotherFolderThanTheOutputIsAUsageError() {
    CommandLineRun run =
        CommandLineRun.of(
            "extract",
            "--host",
            "gpu7",
            "--dry-run",
            "--output-dir",
            "/data/out",
            "--yes-remove",
            "/data/other");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("--yes-remove /data/other: is not the output folder, which is /data/out")
        .endsWith("try: --yes-remove /data/out\n");
    assertThat(
            CommandLineRun.of(
                    "extract",
                    "--host",
                    "gpu7",
                    "--dry-run",
                    "--output-dir",
                    "/data/out",
                    "--yes-remove",
                    "/data/out/")
                .code())
        .isZero();
  }

  @Test
  void jsonEndsWithAnEndLineWhateverHappens() {
    for (List<String> words :
        List.of(
            List.of("extract", "--json", "--layers", "x", "--host", "h"),
            List.of("extract", "--json", "--no-such-option"),
            List.of("verify-shapes", "--json", folder.resolve("missing").toString()),
            List.of("inspect", "--json", folder.resolve("missing").toString()),
            List.of("status", "--json", "--host", "gpu7", "not-a-run"))) {
      CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));

      List<String> lines = run.out().lines().toList();
      assertThat(lines)
          .as("%s", words)
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line).startsWith("{\"v\":1"));
      assertThat(lines.get(lines.size() - 1))
          .contains("\"type\":\"end\"", "\"exit\":" + run.code());
    }
  }

  @Test
  void everyHelpHasAnExampleAndItsExitCodes() {
    for (String command :
        List.of(
            "extract",
            "init",
            "tail-log",
            "verify-shapes",
            "pull",
            "inspect",
            "status",
            "runs",
            "stop",
            "clear-gpus",
            "undo",
            "demo",
            "completion")) {
      CommandLineRun run = CommandLineRun.of(command, "--help");

      assertThat(run.code()).as(command).isZero();
      assertThat(run.out())
          .as(command)
          .contains("Example")
          .contains("eagle3 " + command)
          .contains("Exit codes:");
    }
    assertThat(CommandLineRun.of("--help").out()).contains("Examples:").contains("Exit codes:");
    assertThat(CommandLineRun.of("--version").out()).startsWith("eagle3 ");
  }

  @Test
  void hostileWordsNeverPutControlCharactersOnTheTerminal() {
    CommandLineRun run =
        CommandLineRun.of("extract", "--host", "\u001b[31mx", "--layers", "2", "--bad\u0007");

    assertThat(run.code()).isEqualTo(2);
    assertThat((run.out() + run.err()).getBytes(StandardCharsets.UTF_8))
        .doesNotContain((byte) 0x1b, (byte) 7);
  }

  private static CommandLineRun dryRun(String... more) {
    String[] words = {"extract", "--host", "root@gpu7", "--dry-run"};
    return CommandLineRun.of(
        Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new));
  }
}
