package dev.eagle3.expect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.LocalFileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelConfigReaderTest {
  @TempDir Path model;

  @Test
  void aPlainConfigIsReadFromItsTopLevel() throws IOException {
    ModelConfig config =
        read("""
            {"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
             "num_nextn_predict_layers": 1, "torch_dtype": "bfloat16"}
            """)
            .orElseThrow();

    assertThat(config.hiddenSize()).isEqualTo(7168);
    assertThat(config.layers()).as("layers for prediction are not counted").isEqualTo(61);
    assertThat(config.dtype()).contains("bfloat16");
    assertThat(config.source()).isEqualTo(model + "/config.json");
  }

  @Test
  void theLanguageModelOfKimiIsFoundBesideItsVisionPart() throws IOException {
    ModelConfig config =
        read("""
            {"vision_config": {"hidden_size": 1152, "num_hidden_layers": 27,
                               "vt_hidden_size": 1152, "mm_hidden_size": 1152},
             "text_config": {"model_type": "kimi_k2", "hidden_size": 7168,
                             "num_hidden_layers": 61, "num_nextn_predict_layers": 0,
                             "dtype": "bfloat16"},
             "model_type": "kimi_k25", "hidden_size": 1152}
            """)
            .orElseThrow();

    assertThat(config.hiddenSize()).isEqualTo(7168);
    assertThat(config.layers()).isEqualTo(61);
    assertThat(config.source()).isEqualTo(model + "/config.json (text_config)");
  }

  @Test
  void theVocabularyAndTheSizesOfOtherTensorsAreRead() throws IOException {
    ModelConfig config =
        read("""
            {"vision_config": {"hidden_size": 1152, "vt_intermediate_size": 4304},
             "text_config": {"hidden_size": 7168, "num_hidden_layers": 61, "vocab_size": 163840,
                             "intermediate_size": 18432, "kv_lora_rank": 512,
                             "num_attention_heads": 64, "head_dim": 64}}
            """)
            .orElseThrow();

    assertThat(config.vocabulary()).contains(163840L);
    assertThat(config.otherSizes())
        .containsEntry(1152L, "vision_config.hidden_size")
        .containsEntry(4304L, "vision_config.vt_intermediate_size")
        .containsEntry(18432L, "text_config.intermediate_size")
        .containsEntry(512L, "text_config.kv_lora_rank")
        .containsEntry(4096L, "text_config.num_attention_heads * text_config.head_dim")
        .doesNotContainKey(7168L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text_config", "llm_config", "language_config"})
  void eachNameOfTheLanguagePartIsKnown(String part) throws IOException {
    String nested = "{\"hidden_size\": 4096, \"num_hidden_layers\": 36}";
    String decoy = "{\"hidden_size\": 1, \"num_hidden_layers\": 2}";
    assertThat(
            read("{\"audio_config\": " + decoy + ", \"" + part + "\": " + nested + "}")
                .map(ModelConfig::hiddenSize))
        .contains(4096L);
  }

  @Test
  void aThinkerIsLookedInto() throws IOException {
    assertThat(
            read("""
                    {"talker_config": {"text_config": {"hidden_size": 1, "num_hidden_layers": 1}},
                     "thinker_config": {"hidden_size": 2, "audio_config": {"hidden_size": 3},
                       "text_config": {"hidden_size": 2048, "num_hidden_layers": 48}}}
                    """)
                .map(ModelConfig::source))
        .contains(model + "/config.json (thinker_config.text_config)");
  }

  @Test
  void aFloat32ModelDoesNotSettleTheDtype() throws IOException {
    assertThat(
            read("{\"hidden_size\": 8, \"num_hidden_layers\": 2, \"dtype\": \"float32\"}")
                .flatMap(ModelConfig::dtype))
        .isEmpty();
    assertThat(
            read("{\"hidden_size\": 8, \"num_hidden_layers\": 2, \"dtype\": \"torch.float16\"}")
                .flatMap(ModelConfig::dtype))
        .contains("float16");
  }

  @Test
  void theDtypeOfTheTopLevelHoldsForTheParts() throws IOException {
    assertThat(
            read("""
                    {"torch_dtype": "bfloat16",
                     "text_config": {"hidden_size": 8, "num_hidden_layers": 2}}
                    """)
                .flatMap(ModelConfig::dtype))
        .contains("bfloat16");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"hidden_size\": 8}",
        "{\"hidden_size\": \"8\", \"num_hidden_layers\": 2}",
        "{\"hidden_size\": 8.5, \"num_hidden_layers\": 2}",
        "{\"hidden_size\": -8, \"num_hidden_layers\": 2}",
        "{\"hidden_size\": 99999999999999999999999, \"num_hidden_layers\": 2}",
        "{\"text_config\": [1, 2]}"
      })
  void aConfigWithoutBothSizesSaysNothing(String json) throws IOException {
    assertThat(read(json)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{\"hidden_size\": 8,", "\u0000\u0001", "<html>"})
  void aConfigThatIsNoJsonObjectIsUnreadable(String json) {
    assertThatThrownBy(() -> read(json)).isInstanceOf(UnreadableJsonException.class);
  }

  @Test
  void nestingWithoutEndIsRefused() {
    assertThatThrownBy(() -> read("{\"a\":".repeat(100_000)))
        .isInstanceOf(UnreadableJsonException.class);
  }

  @Test
  void noConfigIsEmpty() throws IOException {
    assertThat(new ModelConfigReader(new LocalFileTree()).read(model.toString())).isEmpty();
    assertThat(new ModelConfigReader(new LocalFileTree()).read(model + "/nowhere")).isEmpty();
  }

  private Optional<ModelConfig> read(String json) throws IOException {
    Files.writeString(model.resolve("config.json"), json);
    return new ModelConfigReader(new LocalFileTree()).read(model.toString());
  }
}
