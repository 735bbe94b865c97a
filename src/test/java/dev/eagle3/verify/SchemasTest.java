package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.extractor.Outputs;
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
                assertThat(outputs.layout())
                    .isEqualTo(schema.numberedAs() + "{index}" + schema.extension());
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
                      && one.container() == other.container()
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
}
