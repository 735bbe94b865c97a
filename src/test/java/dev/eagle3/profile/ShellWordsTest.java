package dev.eagle3.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "apptainer exec --nv /img/ml.sif",
        "  a   b  ",
        "'a b' \"c d\" e\\ f",
        "a'b'\"c\"d",
        "'' \"\"",
        "'a\\b' \"a\\b\" \"a\\\\b\" \"a\\\"b\" \"a\\$b\"",
        "a\\\nb \"c\\\nd\"",
        "'$HOME;`id`' a#b a~b",
        "--env 'A=b c'",
        "a\tb",
      })
  void wordsAreThoseOfARealShell(String text) throws IOException, InterruptedException {
    assertThat(ShellWords.split(text).problem()).isEmpty();
    assertThat(ShellWords.split(text).words()).isEqualTo(shell(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "a 'b|has a ' that is not closed",
        "a \"b|has a \" that is not closed",
        "a \\|ends with a backslash",
        "a $HOME|has a $",
        "a \"$HOME\"|has a $",
        "a `id`|has a",
        "a; b|has a ;",
        "a *|has a *",
        "~/x|has a ~",
        "a #b|has a #",
      })
  void whatAShellWouldActUponIsRefused(String text, String problem) {
    assertThat(ShellWords.split(text).problem()).get().asString().startsWith(problem);
    assertThat(ShellWords.split(text).words()).isEmpty();
  }

  @Test
  void aLineEndSeparatesWords() {
    assertThat(ShellWords.split("a\nb\n").words()).containsExactly("a", "b");
  }

  @Test
  void noTextHasNoWords() {
    assertThat(ShellWords.split("").words()).isEmpty();
  }

  private static List<String> shell(String text) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", "printf '%s\\0' " + text).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    List<String> words = Arrays.asList(out.split("\0", -1));
    return words.subList(0, words.size() - 1);
  }
}
