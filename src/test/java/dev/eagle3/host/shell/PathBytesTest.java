package dev.eagle3.host.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathBytesTest {
  @Test
  void everySequenceOfBytesComesBack() {
    byte[] all = new byte[255];
    for (int value = 1; value < 256; value++) {
      all[value - 1] = (byte) value;
    }

    assertThat(PathBytes.encode(PathBytes.decode(all))).isEqualTo(all);
  }

  @Test
  void textIsTextAndOtherBytesAreLoneSurrogates() {
    assertThat(PathBytes.decode(new byte[] {'a', (byte) 0xc3, (byte) 0xa4, 'b', (byte) 0xff}))
        .isEqualTo("aäb\udcff");
    assertThat(PathBytes.decode(new byte[] {(byte) 0xe6, (byte) 0xbc})).isEqualTo("\udce6\udcbc");
    assertThat(PathBytes.encode("漢🦅")).isEqualTo("漢🦅".getBytes(UTF_8));
  }

  @Test
  void aFieldIsPrintable() {
    assertThat(PathBytes.field("/a b\\c\td\ne\u007f$(x)"))
        .isEqualTo("/a b\\0134c\\0011d\\0012e\\0177$(x)");
    assertThat(PathBytes.field("/ä\udcff")).isEqualTo("/\\0303\\0244\\0377");
  }
}
