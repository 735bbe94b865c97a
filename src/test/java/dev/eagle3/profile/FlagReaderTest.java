package dev.eagle3.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlagReaderTest {
  @Test
  void aMistakeInAFlagIsAUsageErrorThatNamesTheFlag() {
    List<Failure> problems = FlagReader.read(Map.of("layers", List.of("2", "x"))).problems();

    assertThat(problems).extracting(Failure::exit).containsExactly(Exit.USAGE);
    assertThat(problems)
        .extracting(Failure::getMessage)
        .containsExactly("--layers: x is no layer id: a whole number from 0");
  }

  @Test
  void aVariableKeepsAllBehindItsFirstEqualsSign() {
    ProfileLayer layer = FlagReader.read(Map.of("env", List.of("A=b=c", "B")));

    assertThat(layer.problems()).isEmpty();
    assertThat(layer.get(ProfileKey.ENV).orElseThrow().value().orElseThrow())
        .hasToString("{A=Optional[b=c], B=Optional.empty}");
  }

  @Test
  void oneArgumentIsAnArgumentAndNoTextToSplit() {
    ProfileLayer layer = FlagReader.read(Map.of("args", List.of("--x 'a b")));

    assertThat(layer.get(ProfileKey.ARGS).orElseThrow().value()).contains(List.of("--x 'a b"));
  }

  @Test
  void theEnvironmentNamesTheHostOnly() {
    assertThat(
            FlagReader.environment(Map.of("EAGLE3_HOST", "gpu7", "EAGLE3_LAYERS", "2"))
                .get(ProfileKey.HOST)
                .orElseThrow()
                .value())
        .contains("gpu7");
    assertThat(FlagReader.environment(Map.of("EAGLE3_HOST", "")).get(ProfileKey.HOST)).isEmpty();
    assertThat(FlagReader.environment(Map.of("EAGLE3_HOST", "a b")).problems())
        .extracting(Failure::getMessage)
        .containsExactly("EAGLE3_HOST: is no host: a b");
  }
}
