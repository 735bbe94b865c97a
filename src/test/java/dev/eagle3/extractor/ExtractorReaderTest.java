package dev.eagle3.extractor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExtractorReaderTest {
  private static final String GOOD =
      """
      versions: {torch: ">=2.0"}
      flags:
        model-path: --model
        layers: --aux-layers
      outputs: {layout: "rows/data_{index}.ckpt", schema: my-own, padding: none, resume: missing}
      layer-numbering: input-of-layer
      processes: []
      log:
        milestones:
          - name: model-loaded
            pattern: loaded (\\d+)
            example: loaded 3
        failures:
          - code: gpu.gone
            pattern: GPU (\\d) is gone
            example: "error: GPU 3 is gone"
            says: GPU $1 is gone
            try: look for GPU $1
      probe: {targets: ["a.b:C.d"]}
      """;

  @Test
  void aDescriptionOfAnotherProgramIsRead() {
    Extractor extractor = ExtractorReader.read(GOOD, "mine", "mine.yaml");

    assertThat(extractor.name()).isEqualTo("mine");
    assertThat(extractor.flags())
        .containsExactly(entry("model-path", "--model"), entry("layers", "--aux-layers"));
    assertThat(extractor.outputs().resume()).isEqualTo(Outputs.Resume.MISSING);
    assertThat(extractor.layerNumbering()).isEqualTo(LayerNumbering.INPUT_OF_LAYER);
    assertThat(extractor.log().failures()).hasSize(1);
    assertThat(extractor.probeTargets()).containsExactly("a.b:C.d");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "processes: []|proceses: []|mine.yaml:7: proceses: unknown key; did you mean processes?",
        "processes: []|# none|mine.yaml:1: processes: is missing",
        "processes: []|processes: x|mine.yaml:7: processes: must be a list, not a text",
        "layers: --aux-layers|layer: --aux-layers|mine.yaml:4: flags.layer: unknown key; did you"
            + " mean layers?",
        "layers: --aux-layers|layers: --model|mine.yaml:4: flags.layers: --model stands twice",
        "layers: --aux-layers|layers: '--a b'|mine.yaml:4: flags.layers: must be a flag",
        "layers: --aux-layers|model-path: --m|mine.yaml:4: flags.model-path: stands twice, first in"
            + " line 3",
        "\">=2.0\"|2.0|mine.yaml:1: versions.torch: must be a range",
        "\">=2.0\"|\"2.x\"|mine.yaml:1: versions.torch: must be a range",
        "data_{index}.ckpt|data.ckpt|mine.yaml:5: outputs.layout: must hold {index}",
        "rows/data|../data|mine.yaml:5: outputs.layout: must stay below",
        "padding: none|padding: top|mine.yaml:5: outputs.padding: must be one of none, right, left",
        "padding: none|padding: {a: b}|mine.yaml:5: outputs.padding: must be a text, not a map",
        "input-of-layer|mine|mine.yaml:6: layer-numbering: must be one of output-of-layer,",
        "loaded (\\d+)|loaded (\\d+|mine.yaml:11: log.milestones.pattern: is not a valid RE2"
            + " pattern",
        "loaded (\\d+)|(?=x)y|mine.yaml:11: log.milestones.pattern: is not a valid RE2 pattern",
        "loaded (\\d+)|saved (\\d+)|mine.yaml:11: log.milestones.pattern: is not found in its"
            + " example",
        "loaded (\\d+)|(\\d*)|mine.yaml:11: log.milestones.pattern: must not be found in an empty"
            + " line",
        "name: model-loaded|name: Model loaded|mine.yaml:10: log.milestones.name: must be a word",
        "code: gpu.gone|code: gone|mine.yaml:14: log.failures.code: must be area.name",
        "says: GPU $1|says: GPU $2|mine.yaml:17: log.failures.says: has $2, but the pattern has 1"
            + " groups",
        "a.b:C.d|a.b.C.d|mine.yaml:19: probe.targets: must be module:Class.method",
        "probe: {targets: [\"a.b:C.d\"]}|probe: 1|mine.yaml:19: probe: must be a map, not a number",
      })
  void whatIsWrongIsNamed(String from, String to, String message) {
    String text = GOOD.replace(from, to);
    assertThat(text).isNotEqualTo(GOOD);

    Failures failures =
        catchThrowableOfType(Failures.class, () -> ExtractorReader.read(text, "mine", "mine.yaml"));

    assertThat(failures.exit()).isEqualTo(Exit.PROFILE);
    assertThat(failures.failures()).hasSize(1);
    assertThat(failures.failures().get(0)).hasMessageStartingWith(message);
  }

  @Test
  void heartbeatsAreHeldToTheirExamples() {
    String good =
        GOOD.replace(
            "  failures:",
            "  heartbeats: [{pattern: still waiting, example: still waiting 60 s}]\n  failures:");
    String bad = good.replace("still waiting 60 s", "gone on");

    assertThat(ExtractorReader.read(good, "mine", "mine.yaml").log().heartbeats())
        .extracting(LogFollower::example)
        .containsExactly("still waiting 60 s");
    Failures failures =
        catchThrowableOfType(Failures.class, () -> ExtractorReader.read(bad, "mine", "mine.yaml"));
    assertThat(failures.failures())
        .singleElement()
        .extracting(Failure::getMessage)
        .asString()
        .contains("log.heartbeats.pattern: is not found in its example");
  }

  @Test
  void allProblemsAreNamedAtOnce() {
    Failures failures =
        catchThrowableOfType(
            Failures.class, () -> ExtractorReader.read("logs: {}\nflags: []\n", "x", "x.yaml"));

    assertThat(failures.failures())
        .extracting(Failure::getMessage)
        .contains(
            "x.yaml:1: logs: unknown key; did you mean log?",
            "x.yaml:2: flags: must be a map, not a list",
            "x.yaml:1: versions: is missing",
            "x.yaml:1: outputs: is missing",
            "x.yaml:1: probe: is missing");
  }

  @Test
  void aRuleThatAnEarlierOneHidesIsNamed() {
    String more =
        "    - {code: gpu.other, pattern: is gone now, example: GPU 3 is gone now, says: a, try:"
            + " b}\n";
    String text = GOOD.replace("probe:", more + "probe:");

    assertThatThrownBy(() -> ExtractorReader.read(text, "mine", "mine.yaml"))
        .hasMessageContaining("is already found by gpu.gone");
  }

  @Test
  void textThatIsNoYamlIsRefused() {
    assertThatThrownBy(() -> ExtractorReader.read("a: [", "mine", "mine.yaml"))
        .isInstanceOf(Failure.class);
    assertThatThrownBy(() -> ExtractorReader.read("just words", "mine", "mine.yaml"))
        .hasMessageContaining("the file: must be a map, not a text");
  }
}
