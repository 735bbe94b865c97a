package dev.eagle3.verify;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.ContainerKind;
import dev.eagle3.tensor.TensorFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Headers for tests of everything around them: a file with the text {@code 512 4 512 7168} is a
 * sample of 512 tokens with 4 layers {@code [512, 7168]}; one that says {@code cut} is cut.
 */
final class PlainHeaders implements FileVerifier.HeaderReader {
  @Override
  public TensorFile read(RangedBytes bytes) throws IOException {
    byte[] content = bytes.read(List.of(new ByteRange(0, (int) bytes.size()))).get(0);
    String text = new String(content, StandardCharsets.UTF_8);
    if (text.startsWith("cut")) {
      Finding cut = Finding.of("file.cut", Severity.ERROR, bytes.name(), "more", "cut");
      return new TensorFile(
          bytes.name(), ContainerKind.FOREIGN, 3, List.of(), List.of(), List.of(), List.of(cut));
    }
    Long[] numbers = Arrays.stream(text.split(" ")).map(Long::valueOf).toArray(Long[]::new);
    Long[] shape = Arrays.copyOfRange(numbers, 2, numbers.length);
    return SampleFiles.sample(bytes.name(), numbers[0], numbers[1].intValue(), shape);
  }
}
