package dev.eagle3.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NearestWordTest {
  private static final List<String> KNOWN =
      List.of("model-path", "output-dir", "tp-size", "batch-size", "layers", "env");

  @ParameterizedTest
  @CsvSource({
    "tp_size,tp-size",
    "TP-SIZE,tp-size",
    "tpsize,tp-size",
    "pt-size,tp-size",
    "batchsize,batch-size",
    "outptu-dir,output-dir",
    "ouput-dirs,output-dir",
    "modelpath,model-path",
    "layer,layers",
    "enb,env",
  })
  void aSlipOfTheKeyIsUnderstood(String word, String meant) {
    assertThat(NearestWord.find(word, KNOWN)).contains(meant);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "something-else", "temperature"})
  void anotherWordIsNotGuessed(String word) {
    assertThat(NearestWord.find(word, KNOWN)).isEmpty();
  }

  @Test
  void aHugeWordIsNotCompared() {
    assertThat(NearestWord.find("layers".repeat(100_000), KNOWN)).isEmpty();
  }
}
