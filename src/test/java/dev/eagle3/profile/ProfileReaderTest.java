package dev.eagle3.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileReaderTest {
  @Test
  void allProblemsAreNamedAtOnceWithTheirLines() {
    assertThat(
            messages(
                """
                tp_size: 8
                model-path: kimi
                layers: [2, x]
                batch-size: 0
                batch-size: 2
                colour: blue
                """))
        .containsExactlyInAnyOrder(
            "my.yaml:1: tp_size: unknown key; did you mean tp-size?",
            "my.yaml:2: model-path: must be an absolute path on the host, not kimi",
            "my.yaml:3: layers: x is no layer id: a whole number from 0",
            "my.yaml:4: batch-size: must be a whole number of 1 or more, not 0",
            "my.yaml:5: batch-size: stands twice, first in line 4",
            "my.yaml:6: colour: unknown key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "layer-ids: [2]|layer-ids: unknown key; did you mean layers?",
        "tensor_parallel_size: 8|tensor_parallel_size: unknown key; did you mean tp-size?",
        "ouput-dir: /a|ouput-dir: unknown key; did you mean output-dir?",
        "tp-size: -1|tp-size: must be a whole number of 1 or more, not -1",
        "tp-size: 8.0|tp-size: must be a whole number of 1 or more, not 8.0",
        "tp-size: 0x8|tp-size: must be a whole number of 1 or more, not 0x8",
        "tp-size: 3000000000|tp-size: must be a whole number of 1 or more, not 3000000000",
        "tp-size: [8]|tp-size: must be a text, not a list",
        "tp-size: eight|tp-size: must be a whole number of 1 or more, not eight",
        "layers: [2, 2]|layers: layer id 2 stands twice",
        "layers: [-1]|layers: -1 is no layer id: a whole number from 0",
        "layers: [2.5]|layers: 2.5 is no layer id: a whole number from 0",
        "layers: []|layers: has no layer id",
        "layers: {2: 30}|layers: must be a list, not a map",
        "layers: [[2]]|layers: must be a text, not a list",
        "gpus: []|gpus: is empty; leave it out for the first tp-size GPUs",
        "gpus: [0, 0]|gpus: GPU index 0 stands twice",
        "gpus: GPU-8d|gpus: GPU-8d is no GPU index: a whole number from 0",
        "gpu-memory-utilization: 0|gpu-memory-utilization: must be a number over 0 and up to 1, not 0",
        "gpu-memory-utilization: 80|gpu-memory-utilization: must be a number over 0 and up to 1, not 80",
        "gpu-memory-utilization: 1.01|gpu-memory-utilization: must be a number over 0 and up to 1, not 1.01",
        "gpu-memory-utilization: .nan|gpu-memory-utilization: must be a number over 0 and up to 1, not .nan",
        "gpu-memory-utilization: 8e-1|gpu-memory-utilization: must be a number over 0 and up to 1, not 8e-1",
        "script: ~/x.py|script: must be an absolute path on the host, not ~/x.py; ~ is not expanded",
        "script: ''|script: is empty",
        "script: {a: b}|script: must be a text, not a map",
        "host: -oProxyCommand=x|host: is no host: -oProxyCommand=x",
        "host: a b|host: is no host: a b",
        "env: {A B: x}|env.A B: A B is no name of a variable",
        "env: [1A=x]|env: 1A is no name of a variable",
        "env: [A=1, A=2]|env: variable A stands twice",
        "env: {A: 1, A: 2}|env.A: variable A stands twice",
        "env: {A: [x]}|env.A: must be a text, not a list",
        "env: x|env: must be a map, or a list of NAME=value and NAME, not a text",
        "env: {CUDA_VISIBLE_DEVICES: '0'}|env.CUDA_VISIBLE_DEVICES: CUDA_VISIBLE_DEVICES has a key of its own: gpus",
        "env: [CUDA_HOME]|env: CUDA_HOME has a key of its own: cuda-home",
        "clear-gpus: some|clear-gpus: must be one of safe, all, none, not some",
        "previous-output: away|previous-output: must be one of set-aside, delete, keep, not away",
        "setup: {a: b}|setup: must be a list, not a map",
        "wrap: a 'b|wrap: has a ' that is not closed",
        "flags: [x]|flags: must be a map, not a list",
        "flags: {a b: 1}|flags.a b: is no name of a flag",
        "flags: {x: {y: z}}|flags.x: must be a list, not a map",
        "flags: {x: 1, --x: 2}|flags.--x: stands twice, first in line 1",
        "args: {x: 1}|args: must be a list, not a map",
      })
  void aProblemIsSaidInTheWordsOfTheUser(String yaml, String message) {
    assertThat(messages(yaml)).containsExactly("my.yaml:1: " + message);
  }

  @Test
  void aFlagThatIsTrueIsAskedAbout() {
    assertThat(messages("flags: {trust-remote-code: true}"))
        .singleElement()
        .asString()
        .contains("[] is the flag without a value")
        .contains("\"true\" in quotes is the word");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gpu-memory-utilization: 1",
        "gpu-memory-utilization: .5",
        "gpu-memory-utilization: '0.80'",
        "layers: 2 30,58",
        "layers: 2",
        "layers: ['2', 30]",
        "tp-size: '8'",
        "gpus: 0,1",
        "wrap: apptainer exec --nv '/a b.sif'",
        "setup: module load cuda",
        "env: {A: null}",
        "env: [A, B=, C==]",
        "flags: {--x: null, -y: [], z: 'true'}",
        "state-dir: null",
        "layers: null",
        "",
        "# only a comment",
        "extractor: ./mine.yaml",
        "host: user@[::1]:22"
      })
  void whatIsGoodHasNoProblem(String yaml) {
    assertThat(messages(yaml)).isEmpty();
  }

  @Test
  void valuesOfVariablesAreInNoMessage() {
    assertThat(messages("env: [A=hunter2, A=hunter2, 'B C=hunter2', CUDA_HOME=hunter2]"))
        .hasSize(3)
        .noneMatch(message -> message.contains("hunter2"));
  }

  @Test
  void textThatIsNoYamlOrNoMapIsOneProblem() {
    assertThat(messages("a: [")).singleElement().asString().contains("is not valid YAML");
    assertThat(messages("- a")).containsExactly("my.yaml:1: the file: must be a map, not a list");
    assertThat(messages("layers: &a [1]\nargs: *a")).singleElement().asString().contains("aliases");
  }

  @Test
  void problemsOfAProfileHaveItsExitCode() {
    assertThat(ProfileReader.read("a: 1", "my.yaml").problems())
        .extracting(Failure::exit)
        .containsExactly(Exit.PROFILE);
  }

  private static List<String> messages(String yaml) {
    return ProfileReader.read(yaml, "my.yaml").problems().stream()
        .map(Failure::getMessage)
        .toList();
  }
}
