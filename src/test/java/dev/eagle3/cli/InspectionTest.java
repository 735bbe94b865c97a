package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.tensor.CountingBytes;
import dev.eagle3.tensor.FuzzInputs;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Whatever a file holds, it can be shown. */
class InspectionTest {
  private static final int FILES = 2_000;
  private static final long SEED = 42;

  @Test
  void filesThatNobodyWroteAreShown() throws IOException {
    FuzzInputs inputs = new FuzzInputs();
    ObjectMapper json = new ObjectMapper();
    TensorFileReader reader = new TensorFileReader();

    for (long seed = SEED; seed < SEED + FILES; seed++) {
      TensorFile file = reader.read(new CountingBytes("seed " + seed, inputs.of(seed).content()));
      ByteArrayOutputStream out = new ByteArrayOutputStream();

      InspectionJson.print(file, new PrintStream(out, true, StandardCharsets.UTF_8));

      String text = out.toString(StandardCharsets.UTF_8);
      JsonNode shown = json.readTree(text);
      assertThat(text.strip().chars())
          .as(file.name())
          .allMatch(each -> each >= ' ' && each != 0x7f);
      assertThat(shown.get("tensors")).as(file.name()).hasSize(file.tensors().size());
      assertThat(shown.get("globals")).as(file.name()).hasSize(file.globals().size());
      assertThat(InspectionText.lines(file, true))
          .as(file.name())
          .allSatisfy(
              line -> assertThat(line.chars()).allMatch(each -> each >= ' ' && each != 0x7f))
          .hasSizeGreaterThan(file.tensors().size());
      assertThat(InspectionText.lines(file, false)).as(file.name()).isNotEmpty();
    }
  }
}
