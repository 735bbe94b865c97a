package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobScriptWriterTest {
  /** A job that writes its arguments and its environment down, byte by byte. */
  private static final String DUMP =
      "cat </proc/$$/environ >\"$HOME/environment\"\n"
          + "for word; do printf '%s\\0' \"$word\"; done >\"$HOME/arguments\"\n";

  @TempDir Path folder;
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void argumentsAndVariablesReachTheJobByteByByte() throws IOException {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      List<String> arguments = new ArrayList<>();
      Map<String, String> environment = new LinkedHashMap<>();
      for (int count = 0; count < 30; count++) {
        arguments.add(hostileText(random));
        environment.put("VAR_" + count, hostileText(random));
      }
      ExtractionPlan plan = bench.plan(DUMP, arguments.toArray(String[]::new));

      run(Replaced.environment(plan, environment));

      assertThat(strings("arguments")).as("seed %s", seed).isEqualTo(arguments);
      assertThat(environment()).as("seed %s", seed).containsAllEntriesOf(environment);
    }
  }

  @Test
  void wrapWordsStandBeforeTheInterpreterAndReachTheirProgramUnchanged() throws IOException {
    List<String> words = List.of("/bin/sh", "-c", "$*\n'\\", "two words", "-", "");
    Path wrap = Files.writeString(bench.home().resolve("wrap it"), "#!/bin/sh\n" + DUMP);
    Files.setPosixFilePermissions(wrap, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> all = new ArrayList<>(List.of(wrap.toString()));
    all.addAll(words);
    ExtractionPlan plan = bench.plan("", "--flag", "value");

    run(Replaced.wrap(plan, all.toArray(String[]::new)));

    List<String> wanted = new ArrayList<>(words);
    wanted.addAll(List.of(plan.python(), plan.script(), "--flag", "value"));
    assertThat(strings("arguments")).isEqualTo(wanted);
  }

  @Test
  void theEnvironmentIsTheOneThatTheUserTestedIn() throws IOException {
    ExtractionPlan plan = Replaced.gpus(bench.plan(DUMP), 0, 3);

    run(plan);

    assertThat(environment())
        .containsEntry("PATH", "/bin:" + System.getenv("PATH"))
        .containsEntry("PYTHONUNBUFFERED", "1")
        .containsEntry("PYTHONUTF8", "1")
        .containsEntry("COLUMNS", "300")
        .containsEntry("CUDA_HOME", "/usr/local/cuda-12.8")
        .containsEntry("CUDA_VISIBLE_DEVICES", "0,3")
        .containsEntry("EAGLE3_RUN", plan.run().text())
        .containsEntry("HOME", bench.home().toString());
  }

  @Test
  void whatTheUserSetsHoldsButNotOverTheMarkOfTheRun() throws IOException {
    ExtractionPlan plan =
        Replaced.environment(bench.plan(DUMP), Map.of("COLUMNS", "80", "EAGLE3_RUN", "x"));

    run(plan);

    assertThat(environment())
        .containsEntry("COLUMNS", "80")
        .containsEntry("EAGLE3_RUN", plan.run().text())
        .doesNotContainKeys("CUDA_HOME", "CUDA_VISIBLE_DEVICES");
  }

  @Test
  void variablesByNameAreThoseOfTheHostAndMissingOnesAreSaid() throws IOException {
    bench.close();
    bench = new RunBench(folder, Map.of("HF_TOKEN", "of the host"));
    ExtractionPlan plan = Replaced.environmentByName(bench.plan(DUMP), "HF_TOKEN", "NOT_THERE");

    run(plan);

    assertThat(environment())
        .containsEntry("HF_TOKEN", "of the host")
        .doesNotContainKey("NOT_THERE");
    assertThat(JobScriptWriter.write(plan)).doesNotContain("of the host");
    assertThat(bench.folder(plan).resolve("log"))
        .hasContent("eagle3: the variable NOT_THERE is not set on this host\n");
  }

  @Test
  void setupLinesRunInTheShellOfTheJob() throws IOException {
    ExtractionPlan plan =
        Replaced.setup(
            bench.plan(DUMP, "a  b"),
            "cd /",
            "export FROM_SETUP='it''s set'",
            "f() {",
            "  export FROM_FUNCTION=$1",
            "}",
            "f 'two words'",
            "",
            "# a comment",
            "if false; then",
            "  exit 9",
            "fi",
            "false || true",
            "cat >/dev/null <<END",
            "exit 8",
            "END",
            "set -- \"$@\" --more \"$PWD\" '$PWD'");

    run(plan);

    assertThat(environment())
        .containsEntry("FROM_SETUP", "its set")
        .containsEntry("FROM_FUNCTION", "two words")
        .containsEntry("PWD", "/");
    assertThat(strings("arguments")).containsExactly("a  b", "--more", "/", "$PWD");
  }

  @Test
  void setupLinesAreNotAmongTheWordsOfAProcess() throws IOException {
    ExtractionPlan plan =
        Replaced.setup(
            bench.plan(DUMP), "tr '\\0' ' ' </proc/$$/cmdline >words", "export HF_TOKEN=sesame");

    run(plan);

    assertThat(environment()).containsEntry("HF_TOKEN", "sesame");
    assertThat(bench.home().resolve("words")).content().doesNotContain("sesame");
    assertThat(bench.folder(plan).resolve("setup.sh")).content().contains("sesame");
    assertThat(Files.getPosixFilePermissions(bench.folder(plan).resolve("setup.sh")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void theJobReadsNothingAndCanBeInterrupted() throws IOException {
    ExtractionPlan plan =
        bench.plan("cat; readlink /proc/$$/fd/0; grep SigIgn /proc/$$/status | cut -f2\n");

    run(plan);

    // Bit 1 is SIGINT, bit 0 is SIGHUP: a job must survive the latter.
    List<String> lines = Files.readAllLines(bench.folder(plan).resolve("log"));
    assertThat(lines.get(0)).isEqualTo("/dev/null");
    assertThat(Long.parseLong(lines.get(1), 16) & 3).isEqualTo(1);
  }

  @Test
  void aVariableThatNoShellCanSetIsRefused() throws IOException {
    for (String name : List.of("A-B", "1A", "", "A=B", "A\n", "$(id)")) {
      ExtractionPlan plan = Replaced.environment(bench.plan(""), Map.of(name, "x"));
      assertThatThrownBy(() -> JobScriptWriter.write(plan))
          .isInstanceOfSatisfying(
              Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.PROFILE));
    }
    ExtractionPlan nul = bench.plan("", "a\0b");
    assertThatThrownBy(() -> JobScriptWriter.write(nul)).isInstanceOf(Failure.class);
  }

  @Test
  void whatIsShownHoldsNoSecret() throws IOException {
    ExtractionPlan plan =
        Replaced.environment(bench.plan("", "--x", "y"), Map.of("HF_TOKEN", "hf_abc", "A", "b"));

    assertThat(String.join("\n", Launcher.shownCall(plan).arguments()))
        .doesNotContain("hf_abc")
        .contains("export A=b");
    assertThat(Launcher.call(plan).arguments().get(4)).contains("hf_abc");
    assertThat(Launcher.call(plan).arguments().get(3)).doesNotContain("hf_abc");
  }

  private void run(ExtractionPlan plan) {
    bench.launch(plan);
    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
  }

  private List<String> strings(String file) throws IOException {
    String text = Files.readString(bench.home().resolve(file), StandardCharsets.UTF_8);
    if (text.isEmpty()) {
      return List.of();
    }
    return List.of(text.substring(0, text.length() - 1).split("\0", -1));
  }

  private Map<String, String> environment() throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String variable : strings("environment")) {
      int equals = variable.indexOf('=');
      variables.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    return variables;
  }

  /** Pieces that shells trip over; dash marks things with bytes 0x81 to 0x88 internally. */
  private static String hostileText(Random random) {
    String[] pieces = {
      " ",
      "'",
      "\"",
      "$",
      "`",
      "\\",
      "\n",
      "\t",
      "-",
      "--",
      "=",
      "*",
      "?",
      "[a]",
      "~",
      "#",
      "!",
      "&",
      ";",
      "|",
      "<",
      ">",
      "(",
      ")",
      "{",
      "}",
      "$(id)",
      "${HOME}",
      "$$",
      "\\n",
      "\\'",
      "'\\''",
      "%s",
      "\r",
      "\u0001",
      "\u007f",
      "é",
      "\u00c1",
      "\u0081",
      "\u0088",
      "日本",
      "\ud83d\ude00",
      "EAGLE3_END",
      "eagle3_job",
      "word",
      "\\\n",
      "a b"
    };
    StringBuilder text = new StringBuilder();
    for (int count = random.nextInt(7); count > 0; count--) {
      text.append(pieces[random.nextInt(pieces.length)]);
    }
    return text.toString();
  }
}
