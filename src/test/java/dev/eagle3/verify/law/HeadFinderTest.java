package dev.eagle3.verify.law;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.LocalFileTree;
import dev.eagle3.testing.Hostile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeadFinderTest {
  private static final String PLAIN = "{\"hidden_size\": 4, \"rms_norm_eps\": 1e-5}";

  @TempDir Path folder;

  private final List<String> header = new ArrayList<>();
  private final ByteArrayOutputStream values = new ByteArrayOutputStream();

  @BeforeEach
  void writeConfig() throws IOException {
    config(PLAIN);
  }

  @Test
  void theHeadOfARealModelIsFoundByItsIndex() throws Exception {
    HeadPlace place = new HeadFinder(new LocalFileTree()).find(TinyLm.MODEL.toString());

    assertThat(place.path()).endsWith("/model-00004-of-00004.safetensors");
    assertThat(place.vocabulary()).isEqualTo(256);
    assertThat(place.hiddenSize()).isEqualTo(128);
    assertThat(place.epsilon()).isEqualTo(1e-6);
    assertThat(place.norm()).hasSize(128);
  }

  @Test
  void namesInsideAPartAreFoundAndThoseOfOtherPartsAreNot() throws Exception {
    tensor("language_model.lm_head.weight", "BF16", 8, 4);
    tensor("language_model.model.norm.weight", "BF16", 4);
    tensor("language_model.model.layers.0.norm.weight", "BF16", 4);
    tensor("vision_tower.norm.weight", "BF16", 3);
    tensor("visual.merger.norm.weight", "BF16", 3);
    config("{\"text_config\": {\"hidden_size\": 4, \"rms_norm_eps\": 1e-5}}");

    HeadPlace place = find();

    assertThat(place.head().path()).isEqualTo("language_model.lm_head.weight");
    assertThat(place.hiddenSize()).isEqualTo(4);
    assertThat(place.epsilon()).isEqualTo(1e-5);
  }

  @Test
  void tiedEmbeddingsAreTheHeadWhereTheConfigSaysSo() throws Exception {
    tensor("model.embed_tokens.weight", "F16", 8, 4);
    tensor("model.norm.weight", "F16", 4);

    assertThatThrownBy(this::find).hasMessage("it has no lm_head.weight");
    config("{\"hidden_size\": 4, \"rms_norm_eps\": 1e-5, \"tie_word_embeddings\": true}");

    assertThat(find().head().path()).isEqualTo("model.embed_tokens.weight");
  }

  @Test
  void aNormThatIsStoredAsItsDifferenceFromOneGetsTheOne() throws Exception {
    tensor("lm_head.weight", "F32", 8, 4);
    tensor("model.norm.weight", "F32", 4);
    config("{\"hidden_size\": 4, \"rms_norm_eps\": 1e-5, \"model_type\": \"gemma2\"}");

    assertThat(find().norm()).containsExactly(1, 1, 1, 1);
  }

  @Test
  void aQuantisedHeadIsSaid() throws Exception {
    tensor("lm_head.weight_packed", "I32", 8, 1);
    tensor("lm_head.weight_scale", "BF16", 8, 1);
    tensor("model.norm.weight", "BF16", 4);

    assertThatThrownBy(this::find).hasMessage("its head is quantised");
  }

  @Test
  void aHeadOfEightBitsIsSaid() throws Exception {
    tensor("lm_head.weight", "F8_E4M3", 8, 4);
    tensor("model.norm.weight", "BF16", 4);

    assertThatThrownBy(this::find).hasMessage("its lm_head.weight is quantised (float8_e4m3fn)");
  }

  @Test
  void aModelWithAnotherNormIsSaid() throws Exception {
    config("{\"hidden_size\": 4, \"layer_norm_epsilon\": 1e-5}");

    assertThatThrownBy(this::find).hasMessage("its config.json names no epsilon of an RMSNorm");
  }

  @Test
  @Hostile("a model's index names a shard outside of its folder")
  void shardsOutsideOfTheFolderAreNotOpened() throws Exception {
    Files.writeString(
        folder.resolve("model.safetensors.index.json"),
        "{\"weight_map\": {\"lm_head.weight\": \"../../etc/passwd\"}}");

    assertThatThrownBy(this::find).hasMessageContaining("names a shard that is no file of");
  }

  @Test
  @Hostile("a model's index is cut in the middle")
  void anIndexThatIsCutIsSaid() throws Exception {
    Files.writeString(
        folder.resolve("model.safetensors.index.json"),
        "{\"weight_map\": {\"lm_head.weight\": \"a");

    assertThatThrownBy(this::find).hasMessageContaining("is no JSON of the kind");
  }

  @Test
  @Hostile("the shard with the model's head was not downloaded to its end")
  void aShardThatIsCutIsSaid() throws Exception {
    tensor("lm_head.weight", "BF16", 8, 4);
    tensor("model.norm.weight", "BF16", 4);
    write(values.size() - 10);

    assertThatThrownBy(() -> new HeadFinder(new LocalFileTree()).find(folder.toString()))
        .hasMessageContaining("is damaged");
  }

  private HeadPlace find() throws Exception {
    if (!Files.exists(folder.resolve("model.safetensors.index.json"))) {
      write(values.size());
    }
    return new HeadFinder(new LocalFileTree()).find(folder.toString());
  }

  private void config(String json) throws IOException {
    Files.writeString(folder.resolve("config.json"), json);
  }

  /** A tensor of zeros. */
  private void tensor(String name, String dtype, long... shape) {
    long bytes =
        switch (dtype) {
          case "F32", "I32" -> 4;
          case "F8_E4M3" -> 1;
          default -> 2;
        };
    for (long size : shape) {
      bytes *= size;
    }
    int begin = values.size();
    values.writeBytes(new byte[(int) bytes]);
    header.add(
        String.format(
            "\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}",
            name, dtype, Arrays.toString(shape), begin, values.size()));
  }

  private void write(int valueBytes) throws IOException {
    byte[] json = ("{" + String.join(",", header) + "}").getBytes(StandardCharsets.UTF_8);
    ByteBuffer file =
        ByteBuffer.allocate(8 + json.length + valueBytes).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(json.length).put(json).put(values.toByteArray(), 0, valueBytes);
    Files.write(folder.resolve("model.safetensors"), file.array());
  }
}
