package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.outcome.Exit;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.law.TinyLm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code verify-shapes} as people and scripts use it, on this machine. */
class VerifyShapesTest {
  private static final Path TINY = Path.of("src/test/resources/fixtures/tiny-lm").toAbsolutePath();
  private static final Path MODEL = TINY.resolve("model");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--dtype bf16     | --dtype: \"bf16\" is not one of bfloat16, float16",
        "--hidden-size 0  | --hidden-size: is 0, must be 1 or more",
        "--layers two     | --layers: two is no layer id",
        "--schema zz      | --schema: \"zz\" is not one of speculators-list",
        "--deep=0         | is no share of the files",
        "--model gpu7:/m  | --model gpu7:/m: is on another machine than the files",
        "--model /nowhere | --model /nowhere: is not there",
        "--model-path /   | --model-path /: is no folder with a config.json",
        "--only all       | --only: \"all\" is neither good nor bad",
        "gpu7:/data       | targets: lie on several machines",
        "latest           | targets: a run stands alone",
      })
  void whatIsWrongOnTheCommandLineIsSaidBeforeAnythingIsRead(String words, String says)
      throws IOException {
    save(0);

    CommandLineRun run = verify(words.split(" "));

    assertThat(run.code()).as(run.err()).isEqualTo(Exit.USAGE.code());
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains(says);
  }

  @Test
  void withoutFilesAndAHostItSaysBothWays() {
    CommandLineRun run = CommandLineRun.of("verify-shapes");

    assertThat(run.code()).isEqualTo(Exit.USAGE.code());
    assertThat(run.err()).contains("name no files").contains("--host root@gpu7");
  }

  @Test
  void aFileThatIsNamedBesideItsFolderCountsOnce() throws IOException {
    save(0);
    save(1);

    String file = folder.resolve("data_1.pt").toString();
    CommandLineRun run = verify(folder + "/", file, file);

    assertThat(run.out()).contains("2 of 2 good");
    assertThat(run.out().lines().filter(line -> line.endsWith("data_1.pt"))).hasSize(1);
  }

  @Test
  void goodDataPredictsItsOwnTokens() throws IOException {
    for (int number = 0; number < 4; number++) {
      save(number);
    }

    CommandLineRun run = verify("--model", MODEL.toString());

    assertThat(run.code()).isEqualTo(Exit.DONE.code());
    assertThat(run.out())
        .containsPattern("4 of 4 files: predict their own tokens \\(0\\.9\\d\\) \\[law")
        .doesNotContain(", wanted states");
  }

  @Test
  @Hostile("files that are good by their headers hold states of each other")
  void aFileThatBreaksALawIsSaidToBeBadWithAllOthers() throws IOException {
    TinyLm tiny = TinyLm.in(folder, 6);
    tiny.swap(2, 4);
    tiny.swap(4, 2);

    CommandLineRun run = verify("--model", MODEL.toString(), "--only", "bad", "--json");

    assertThat(run.code()).as(run.out()).isEqualTo(Exit.WRONG.code());
    assertThat(run.out().lines())
        .filteredOn(line -> line.contains("\"type\":\"file\""))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("\"verdict\":\"bad\""));
    assertThat(run.out()).contains("\"code\":\"law.prediction-broken\"");
  }

  @Test
  @Hostile("the extractor has written half of its last file")
  void aBadFileThatWasJustWrittenMayBeUnfinished() throws IOException {
    byte[] whole = Files.readAllBytes(TINY.resolve("hidden_states/data_0.pt"));
    Files.write(folder.resolve("data_0.pt"), Arrays.copyOf(whole, whole.length / 2));

    CommandLineRun run =
        CommandLineRun.at(
            folder, Map.of(), "verify-shapes", folder.resolve("data_0.pt").toString());

    assertThat(run.code()).isEqualTo(Exit.WRONG.code());
    assertThat(run.err()).contains("data_0.pt was just written, and may not be finished");
    assertThat(verify().err()).doesNotContain("just written");
  }

  @Test
  @Tag("slow")
  @Hostile("Ctrl-C while files are verified")
  void ctrlCSaysHowFarItWas() throws Exception {
    byte[] whole = Files.readAllBytes(TINY.resolve("hidden_states/data_0.pt"));
    Path first = Files.write(folder.resolve("data_0.pt"), whole);
    for (int number = 1; number < 3000; number++) {
      Files.createLink(folder.resolve("data_" + number + ".pt"), first);
    }
    Process process = spawn("verify-shapes", "--json", folder.toString());
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(out.readLine()).contains("\"type\":\"file\"");
      // Nobody reads on, so it waits; the thread is there once the signal has done its work.
      Process kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
      assertThat(kill.waitFor()).isZero();
      Await.until(() -> hasThread(process, "leave-after"));

      List<String> rest = out.lines().toList();

      assertThat(process.waitFor()).isEqualTo(Exit.INTERRUPTED.code());
      assertThat(rest.get(rest.size() - 2)).containsPattern("interrupted after [0-9,]+ files");
      assertThat(rest.get(rest.size() - 1)).contains("\"type\":\"end\"", "\"exit\":130");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @Tag("slow")
  @Hostile("the reader of the output goes away (| head)")
  void whereNobodyReadsItEnds() throws Exception {
    byte[] whole = Files.readAllBytes(TINY.resolve("hidden_states/data_0.pt"));
    Path first = Files.write(folder.resolve("data_0.pt"), whole);
    for (int number = 1; number < 3000; number++) {
      Files.createLink(folder.resolve("data_" + number + ".pt"), first);
    }
    Process process = spawn("verify-shapes", "--json", folder.toString());
    try (InputStream out = process.getInputStream()) {
      assertThat(out.read()).isEqualTo('{');
    }

    assertThat(process.waitFor()).isEqualTo(Exit.INTERRUPTED.code());
  }

  private static boolean hasThread(Process process, String name) {
    try (Stream<Path> threads = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
      return threads.anyMatch(thread -> nameOf(thread).equals(name));
    } catch (IOException ended) {
      return false;
    }
  }

  private static String nameOf(Path thread) {
    try {
      return Files.readString(thread.resolve("comm")).strip();
    } catch (IOException ended) {
      return "";
    }
  }

  private static Process spawn(String... words) throws IOException {
    List<String> command =
        Stream.concat(
                Stream.of(
                    System.getProperty("java.home") + "/bin/java",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "dev.eagle3.cli.Main"),
                Arrays.stream(words))
            .toList();
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
  }

  private void save(int number) throws IOException {
    Path name = Path.of("data_" + number + ".pt");
    Files.copy(TINY.resolve("hidden_states").resolve(name), folder.resolve(name));
  }

  private CommandLineRun verify(String... words) {
    List<String> all =
        Stream.concat(Stream.of("verify-shapes", folder.toString()), Arrays.stream(words)).toList();
    return CommandLineRun.of(all.toArray(String[]::new));
  }
}
