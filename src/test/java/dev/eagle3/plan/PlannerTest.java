package dev.eagle3.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.profile.BuiltInProfiles;
import dev.eagle3.profile.FlagReader;
import dev.eagle3.profile.Profile;
import dev.eagle3.profile.ProfileReader;
import dev.eagle3.profile.ProfileResolver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
  private static final RunId RUN = new RunId("20261129-171500-0a1b");
  private static final Extractor EXTRACTOR = BuiltInExtractors.named("speculators-0.4");

  @Test
  void theBuiltInProfileIsTheCommandOfTheStory() {
    ExtractionPlan plan = plan("", "--host", "root@10.1.230.174", "--layers", "2 30 58 60");

    List<String> command = new ArrayList<>(List.of(plan.python(), plan.script()));
    command.addAll(plan.scriptArguments());
    assertThat(String.join(" ", command))
        .isEqualTo(
            "/root/ml-env/bin/python3 /root/eagle3-train/02_extract_hidden_states.py"
                + " --model-path /shared/kimi-k2.5-int4"
                + " --prepared-data /root/eagle3-train/data_test/prepared/tokenized_data.jsonl"
                + " --output-dir /root/eagle3-train/data_test/hidden_states"
                + " --batch-size 2 --max-seq-len 2048 --tp-size 8"
                + " --gpu-memory-utilization 0.80 --layer-ids 2 30 58 60");
    assertThat(plan.cudaHome()).contains("/usr/local/cuda-12.8");
    assertThat(plan.logFile()).isEqualTo("/root/eagle3-train/extract_debug.log");
    assertThat(plan.environment()).isEmpty();
  }

  @Test
  void thePlanForTestsIsThatOfTheBuiltInProfile() {
    assertThat(plan("", "--host", "root@10.1.230.174")).isEqualTo(Plans.example());
  }

  @Test
  void flagsOfTheScriptAreReplacedInPlaceAndFurtherOnesComeAfterThem() {
    ExtractionPlan plan =
        plan(
            """
            flags:
              gpu-memory-utilization: 0.9
              tp-size: null
              seed: 1
              trust-remote-code: []
              stop: [a b, "-1"]
              layer-ids: "2,30,58,60"
            args: [--max-samples, 5]
            """,
            "--host",
            "h1");

    assertThat(plan.scriptArguments())
        .containsSubsequence("--max-seq-len", "2048", "--gpu-memory-utilization", "0.9")
        .containsSubsequence("--layer-ids", "2,30,58,60", "--seed", "1", "--trust-remote-code")
        .endsWith("--trust-remote-code", "--stop", "a b", "-1", "--max-samples", "5")
        .doesNotContain("--tp-size");
    assertThat(plan.tpSize()).isEqualTo(8);
  }

  @Test
  void aFlagWithoutAValueInTheProfileIsLeftOut() {
    ExtractionPlan plan = plan("gpu-memory-utilization: null", "--host", "h1");

    assertThat(plan.scriptArguments()).doesNotContain("--gpu-memory-utilization");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "flags: {tp-size: 4}|my.yaml:1: flags: --tp-size says something else than tp-size; set"
            + " tp-size instead",
        "flags: {layer-ids: [2, 30]}|my.yaml:1: flags: --layer-ids says something else than layers",
        "flags: {output-dir: /x}|my.yaml:1: flags: --output-dir says something else than",
        "args: [--tp-size, 4]|my.yaml:1: args: --tp-size is given by tp-size; set tp-size instead",
        "args: ['--layer-ids=2']|my.yaml:1: args: --layer-ids is given by layers; set layers",
      })
  void theScriptCannotBeToldSomethingElseThanTheKeysSay(String yaml, String message) {
    Failures failures = catchThrowableOfType(Failures.class, () -> plan(yaml, "--host", "h1"));

    assertThat(failures.exit()).isEqualTo(Exit.PROFILE);
    assertThat(failures.failures().get(0)).hasMessageStartingWith(message);
  }

  @Test
  void aPlanNeedsAHost() {
    Failure failure = catchThrowableOfType(Failure.class, () -> plan(""));

    assertThat(failure.exit()).isEqualTo(Exit.USAGE);
    assertThat(failure.tryNext()).get().asString().contains("EAGLE3_HOST");
  }

  @Test
  void variablesWithAndWithoutAValueAreKeptApart() {
    ExtractionPlan plan =
        plan("env: {B: '1', HF_TOKEN: null, A: ''}", "--host", "h1", "--env", "B=2");

    assertThat(plan.environment()).containsExactly(Map.entry("B", "2"), Map.entry("A", ""));
    assertThat(plan.environmentByName()).containsExactly("HF_TOKEN");
  }

  @ParameterizedTest
  @ValueSource(strings = {"safe", "all", "none"})
  void everyWordOfClearGpusIsKnown(String word) {
    assertThat(plan("", "--host", "h1", "--clear-gpus", word).clearGpus().word()).isEqualTo(word);
    assertThat(ClearGpus.values()).hasSize(3);
  }

  @Test
  void anExtractorMayKnowFewerFlags() {
    Extractor small =
        new Extractor(
            "small",
            EXTRACTOR.versions(),
            Map.of("layers", "--aux"),
            EXTRACTOR.outputs(),
            EXTRACTOR.layerNumbering(),
            List.of(),
            EXTRACTOR.log(),
            List.of());

    assertThat(Planner.plan(profile("", "--host", "h1"), small, RUN).scriptArguments())
        .containsExactly("--aux", "2", "30", "58", "60");
  }

  @Test
  void anyValueSurvivesFromYamlToPlanToJsonToPlan() throws IOException {
    Random random = new Random(20261129);
    for (int round = 0; round < 300; round++) {
      String a = nasty(random);
      String b = nasty(random);
      String c = nasty(random);
      String yaml =
          String.join(
              "\n",
              "model-path: " + quoted("/" + a + "x"),
              "script: " + quoted("/" + b + "x"),
              "env: {A: " + quoted(a) + ", B: " + quoted(b) + "}",
              "setup: [" + quoted(c) + "]",
              "wrap: [" + quoted(a) + ", " + quoted(c) + "]",
              "flags: {x: [" + quoted(b) + ", " + quoted(c) + "]}",
              "args: [" + quoted(a) + ", " + quoted("--" + b) + "]");

      ExtractionPlan plan = plan(yaml, "--host", "h1");

      assertThat(plan.modelPath()).isEqualTo("/" + a + "x");
      assertThat(plan.script()).isEqualTo("/" + b + "x");
      assertThat(plan.environment()).containsEntry("A", a).containsEntry("B", b);
      assertThat(plan.setup()).containsExactly(c);
      assertThat(plan.wrap()).containsExactly(a, c);
      assertThat(plan.scriptArguments()).endsWith("--x", b, c, a, "--" + b);
      assertThat(PlanJson.read(PlanJson.write(plan))).isEqualTo(plan);
    }
  }

  @Test
  void anyValueSurvivesFromTheCommandLine() {
    Random random = new Random(7);
    for (int round = 0; round < 100; round++) {
      String a = nasty(random);
      String b = nasty(random);

      ExtractionPlan plan =
          plan("", "--host", "h1", "--env", "A=" + a, "--env", "B=" + b, "--script", "/" + a + "x");

      assertThat(plan.environment()).containsEntry("A", a).containsEntry("B", b);
      assertThat(plan.script()).isEqualTo("/" + a + "x");
    }
  }

  @Test
  void aNulIsRefusedEverywhere() {
    assertThatThrownBy(() -> plan("args: [\"a\\0b\"]")).hasMessageContaining("NUL");
    assertThatThrownBy(() -> plan("env: {A: \"a\\0b\"}")).hasMessageContaining("NUL");
    assertThatThrownBy(() -> plan("setup: \"a\\0b\"")).hasMessageContaining("NUL");
    assertThatThrownBy(() -> plan("flags: {a: \"a\\0b\"}")).hasMessageContaining("NUL");
    assertThatThrownBy(() -> plan("", "--script", "/a\0b")).hasMessageContaining("NUL");
  }

  private static ExtractionPlan plan(String yaml, String... flags) {
    return Planner.plan(profile(yaml, flags), EXTRACTOR, RUN);
  }

  private static Profile profile(String yaml, String... flags) {
    Map<String, List<String>> words = new LinkedHashMap<>();
    for (int at = 0; at < flags.length; at += 2) {
      words.computeIfAbsent(flags[at].substring(2), key -> new ArrayList<>()).add(flags[at + 1]);
    }
    return ProfileResolver.resolve(
        List.of(
            FlagReader.read(words),
            FlagReader.environment(Map.of()),
            ProfileReader.read(yaml, "my.yaml"),
            BuiltInProfiles.named("kimi-k2.5")));
  }

  /** Text of what makes trouble in shells, YAML and JSON. */
  private static String nasty(Random random) {
    String[] pieces = {
      " ", "  ", "'", "\"", "$", "`", "\\", "\n", "\r", "\t", "-", "--", "#", ": ", ", ", "[", "]",
      "{", "}", "&a", "*a", "!t", "|", ">", "%", "@", "~", "null", "true", "$(id)", "${HOME}", "a",
      "=", "ä", "𝄞", "\u0001", "\u007f", "\u0085", "\u2028", "\ufeff", "?", "<<", ";", "0.80",
      "1e3"
    };
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(8);
    for (int at = 0; at < length; at++) {
      text.append(pieces[random.nextInt(pieces.length)]);
    }
    return text.toString();
  }

  /** The text as a double-quoted YAML scalar. */
  private static String quoted(String text) {
    StringBuilder yaml = new StringBuilder("\"");
    text.chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                yaml.append('\\').append((char) c);
              } else if (c < ' ' || c == 0x7f || c == 0x85 || c == 0x2028 || c == 0xfeff) {
                yaml.append(String.format("\\u%04x", c));
              } else {
                yaml.append((char) c);
              }
            });
    return yaml.append('"').toString();
  }
}
