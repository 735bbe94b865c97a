package dev.eagle3.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LayersParserTest {
  @ParameterizedTest
  @ValueSource(strings = {"2|30|58|60", "2,30,58,60", "2 30 58 60", "2,30|58 60", "2,|30 ,58,60,"})
  void idsAreTakenHoweverTheyAreSeparated(String words) {
    LayersParser.Parsed parsed = LayersParser.parse(Arrays.asList(words.split("\\|")));

    assertThat(parsed.ids()).containsExactly(2, 30, 58, 60);
    assertThat(parsed.problems()).isEmpty();
  }

  @Test
  void theOrderStays() {
    assertThat(LayersParser.parse(List.of("60,2")).ids()).containsExactly(60, 2);
  }

  @ParameterizedTest
  @CsvSource({
    "x,x is no layer id: a whole number from 0",
    "-1,-1 is no layer id: a whole number from 0",
    "2.0,2.0 is no layer id: a whole number from 0",
    "02,02 is no layer id: a whole number from 0",
    "99999999999,99999999999 is no layer id: a whole number from 0",
    "2 2,layer id 2 stands twice",
    "' ',has no layer id",
  })
  void whatIsNoIdIsNamed(String word, String problem) {
    assertThat(LayersParser.parse(List.of(word)).problems()).containsExactly(problem);
  }

  @Test
  void allThatIsWrongIsNamed() {
    assertThat(LayersParser.parse(List.of("x", "y", "2,2")).problems()).hasSize(3);
  }

  @Test
  void aFloodOfIdsIsCutOff() {
    List<String> flood = Collections.nCopies(100_000, "x");

    assertThat(LayersParser.parse(flood).problems())
        .hasSize(1_001)
        .endsWith("has more than 1000 entries");
  }
}
