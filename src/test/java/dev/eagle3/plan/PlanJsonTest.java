package dev.eagle3.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanJsonTest {
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "a b",
          "it's",
          "\"",
          "$HOME",
          "$(id)",
          "`id`",
          "a\nb",
          "a\\b",
          "--",
          "-x",
          "\t",
          "\u001b[31m",
          "\u0001",
          "näme",
          "𝄞",
          "*",
          "~",
          "#",
          "%",
          "\r\n",
          "</script>",
          "\u2028");

  @Test
  void aPlanComesBackAsItWas() throws IOException {
    ExtractionPlan plan = Plans.example();

    assertThat(PlanJson.read(PlanJson.write(plan))).isEqualTo(plan);
  }

  @Test
  void aPlanOfARunThatDoesNotSayItsSchemaIsReadTheSame() throws IOException {
    String text = PlanJson.write(Plans.example());
    String without = text.replaceAll(",\\s*\"schema\" : \"speculators-list\"", "");

    assertThat(without).isNotEqualTo(text);
    assertThat(PlanJson.read(without).schema()).isEmpty();
    assertThat(PlanJson.read(text).schema()).contains("speculators-list");
  }

  @Test
  void everyComponentComesBackWithItsOrderAndItsCharacters() throws IOException {
    ExtractionPlan plan = nasty();

    ExtractionPlan back = PlanJson.read(PlanJson.write(plan));

    assertThat(back).isEqualTo(plan);
    assertThat(List.copyOf(back.environment().keySet()))
        .isEqualTo(List.copyOf(plan.environment().keySet()));
  }

  @Test
  void secretsAreNotWritten() throws IOException {
    ExtractionPlan example = Plans.example();
    ExtractionPlan plan =
        new ExtractionPlan(
            example.run(),
            example.host(),
            example.extractor(),
            example.python(),
            example.script(),
            List.of("--hub-token", "hunter2", "--api-key=hunter2", "--layer-ids", "2"),
            Map.of("HF_TOKEN", "hunter2"),
            List.of("WANDB_API_KEY"),
            List.of("export my_password='hunter2 hunter2'; module load cuda"),
            List.of("apptainer", "--env", "HF_TOKEN=hunter2", "exec"),
            example.cudaHome(),
            example.modelPath(),
            example.preparedData(),
            example.outputDir(),
            example.logFile(),
            example.layers(),
            example.tpSize(),
            example.batchSize(),
            example.maxSeqLen(),
            example.gpus(),
            example.clearGpus(),
            example.previousOutput(),
            example.stateDir());

    String text = PlanJson.write(plan);

    assertThat(text).doesNotContain("hunter2");
    ExtractionPlan back = PlanJson.read(text);
    assertThat(back.scriptArguments())
        .containsExactly("--hub-token", "<redacted>", "--api-key=<redacted>", "--layer-ids", "2");
    assertThat(back.environment()).containsEntry("HF_TOKEN", "<redacted>");
    assertThat(back.environmentByName()).containsExactly("WANDB_API_KEY");
    assertThat(back.setup()).containsExactly("export my_password=<redacted>; module load cuda");
    assertThat(back.wrap()).containsExactly("apptainer", "--env", "HF_TOKEN=<redacted>", "exec");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"v\" : 1|\"v\" : 2|another version",
        "\"v\" : 1,|'' |v is missing",
        "\"host\" :|\"hots\" :|host is missing",
        "\"tp-size\" : 8|\"tp-size\" : \"8\"|tp-size is not a whole number",
        "\"tp-size\" : 8|\"tp-size\" : 8.5|tp-size is not a text or a whole number",
        "\"tp-size\" : 8|\"tp-size\" : 99999999999|not valid JSON",
        "\"tp-size\" : 8|\"tp-size\" : 8, \"tp-size\" : 8|tp-size stands twice",
        "\"tp-size\" : 8|\"tp-size\" : 8, \"more\" : 8|unknown property more",
        "\"wrap\" : [ ]|\"wrap\" : [ [ ] ]|wrap is not",
        "\"wrap\" : [ ]|\"wrap\" : [ 1 ]|wrap is not a list of texts",
        "\"wrap\" : [ ]|\"wrap\" : null|wrap is not a list",
        "\"environment\" : { }|\"environment\" : { \"A\" : { } }|environment is not an object of texts",
        "\"safe\"|\"most\"|clear-gpus is most",
        "\"20261129-171500-0a1b\"|\"../../etc\"|not a run id",
      })
  void aTextThatIsNotQuiteAPlanIsRefused(String from, String to, String says) {
    String text = PlanJson.write(Plans.example());
    String wrong = text.replace(from, to);

    assertThat(wrong).isNotEqualTo(text);
    assertThatThrownBy(() -> PlanJson.read(wrong))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(says);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "[]", "{", "{}", "{\"v\":1", "\u0000", "{\"v\":1}{}", "nonsense"})
  void aTextThatIsNoPlanIsRefused(String text) {
    assertThatThrownBy(() -> PlanJson.read(text)).isInstanceOf(IOException.class);
  }

  @Test
  void aPlanCutAnywhereIsRefused() {
    String text = PlanJson.write(Plans.example()).strip();

    for (int length = 0; length < text.length(); length++) {
      String cut = text.substring(0, length);
      assertThatThrownBy(() -> PlanJson.read(cut)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void textAfterThePlanIsRefused() {
    String text = PlanJson.write(Plans.example()) + "{}";

    assertThatThrownBy(() -> PlanJson.read(text)).hasMessageContaining("follows");
  }

  @Test
  void deepNestingAndEndlessTextAreRefusedQuickly() {
    assertThatThrownBy(() -> PlanJson.read("[".repeat(1 << 20))).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> PlanJson.read("{\"a\":" + "[".repeat(1 << 20)))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> PlanJson.read(" ".repeat((8 << 20) + 1)))
        .hasMessageContaining("too long");
  }

  private static ExtractionPlan nasty() {
    Map<String, String> environment = new LinkedHashMap<>();
    for (int index = 0; index < NASTY.size(); index++) {
      environment.put("V" + (97 * index) % NASTY.size(), NASTY.get(index));
    }
    return new ExtractionPlan(
        new RunId("20260101-000000-ffff"),
        "gpu 7\n",
        "my own",
        "/py thon",
        "/it's.py",
        NASTY,
        environment,
        List.of("B", "A"),
        NASTY,
        NASTY,
        Optional.empty(),
        "/m\\o",
        "/$d",
        "/o\"",
        "/l\n",
        List.of(60, 2),
        1,
        3,
        4,
        List.of(1, 0),
        ClearGpus.NONE,
        PreviousOutput.SET_ASIDE,
        Optional.of("/st ate"));
  }
}
