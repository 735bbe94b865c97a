package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Outputs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemasTest {
  @Test
  void everyBuiltInExtractorSavesAKnownSchemaUnderItsNames() {
    for (String name : BuiltInExtractors.NAMES) {
      Outputs outputs = BuiltInExtractors.named(name).outputs();

      assertThat(Schemas.KNOWN)
          .as(name)
          .anySatisfy(
              schema -> {
                assertThat(schema.name()).isEqualTo(outputs.schema());
                String folder = outputs.layout().replaceFirst("[^/]*$", "");
                assertThat(outputs.layout())
                    .isEqualTo(folder + schema.numberedAs() + "{index}" + schema.extension());
                assertThat(folder.isEmpty()).isEqualTo(schema.layout().folders().isEmpty());
              });
    }
  }

  @Test
  void noTwoSchemasCanBeTakenForEachOther() {
    for (Schema one : Schemas.KNOWN) {
      for (Schema other : Schemas.KNOWN) {
        boolean modelOpt = one.name().startsWith("modelopt") && other.name().startsWith("modelopt");
        if (!one.equals(other) && !modelOpt) {
          assertThat(one.name()).isNotEqualTo(other.name());
          assertThat(
                  one.keys().equals(other.keys())
                      && one.containers().equals(other.containers())
                      && one.encoding() == other.encoding())
              .isFalse();
        }
      }
    }
  }

  @Test
  void everySchemaNamesItsOwnKeys() {
    for (Schema schema : Schemas.KNOWN) {
      assertThat(schema.keys()).contains(schema.layersKey(), schema.tokensKey());
      schema.maskKey().ifPresent(mask -> assertThat(schema.keys()).contains(mask));
    }
  }

  @Test
  void thePageOfFormatsHasARowForEverySchema() throws IOException {
    List<String> rows =
        Files.readAllLines(Path.of("docs/formats.md")).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("`", 3)[1])
            .toList();

    assertThat(rows).containsExactlyElementsOf(Schemas.KNOWN.stream().map(Schema::name).toList());
  }
}
