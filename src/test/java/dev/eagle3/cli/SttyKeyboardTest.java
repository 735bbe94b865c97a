package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a line that was typed is read; the terminal itself is in {@link TypedSecretTest}. */
class SttyKeyboardTest {
  @Test
  void aLineEndsAtItsEnd() throws Exception {
    assertThat(typed("sécret\nnext\n")).isEqualTo(Optional.of("sécret"));
    assertThat(typed("without an end")).isEqualTo(Optional.of("without an end"));
    assertThat(typed("\n")).isEqualTo(Optional.of(""));
  }

  @Test
  void theEndOfInputIsNoLine() throws Exception {
    assertThat(typed("")).isEmpty();
  }

  @Test
  void aLineWithoutAnEndIsCut() throws Exception {
    assertThat(typed("x".repeat(10_000)).orElseThrow()).hasSize(4096);
  }

  private static Optional<String> typed(String text) throws IOException {
    return SttyKeyboard.lineOf(new ByteArrayInputStream(text.getBytes(UTF_8))).map(String::new);
  }
}
