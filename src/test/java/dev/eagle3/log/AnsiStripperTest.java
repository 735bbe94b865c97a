package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class AnsiStripperTest {
  @Test
  void wholeSequencesGo() {
    assertThat(AnsiStripper.strip("\u001b[1;36mcyan\u001b[0;0m")).isEqualTo("cyan");
    assertThat(AnsiStripper.strip("a\u001b[?25lb\u001b[2Kc\u001b[Ad")).isEqualTo("abcd");
    assertThat(AnsiStripper.strip("\u001b]8;;http://x\u001b\\link\u001b]8;;\u0007"))
        .isEqualTo("link");
    assertThat(AnsiStripper.strip("a\u001bPq#0\u001b\\b\u001b_x\u009cc\u001b^y\u0007d"))
        .isEqualTo("abcd");
    assertThat(AnsiStripper.strip("a\u001b(Bb\u001bcc\u001b=d\u001b#8e")).isEqualTo("abcde");
    assertThat(AnsiStripper.strip("a\u009b31mb\u009d0;t\u009cc\u009cd")).isEqualTo("abcd");
  }

  @Test
  void aSequenceWithoutAnEndHidesNothing() {
    assertThat(AnsiStripper.strip("\u001b]0;ValueError: no")).isEqualTo("0;ValueError: no");
    assertThat(AnsiStripper.strip("\u001b[12;")).isEqualTo("12;");
    assertThat(AnsiStripper.strip("\u001b[" + "1".repeat(100) + "m")).hasSize(101);
    assertThat(AnsiStripper.strip("x\u001b")).isEqualTo("x\u001b");
    assertThat(AnsiStripper.strip("\u001b[é")).isEqualTo("é");
    assertThat(AnsiStripper.strip("\u001b\u001b[31mx")).isEqualTo("x");
  }

  @Test
  void otherTextIsTheSameObject() {
    String text = "plain é × \u0000\t";
    assertThat(AnsiStripper.strip(text)).isSameAs(text);
  }

  @Test
  void anyTextIsStrippedWithoutTrouble() {
    String letters = "\u001b\u001b\u001b[]P(\\;01m\u0007\u009b\u009d\u009cax";
    Random random = new Random(3);
    for (int count = 0; count < 20_000; count++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(20); length > 0; length--) {
        text.append(letters.charAt(random.nextInt(letters.length())));
      }
      assertThat(AnsiStripper.strip(text.toString()))
          .hasSizeLessThanOrEqualTo(text.length())
          .doesNotContain("\u009b", "\u009d", "\u009c");
    }
  }
}
