package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.RangedBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TailStartFinderTest {
  private long bytesRead;

  private RangedBytes log(byte[] bytes, long size) {
    return new RangedBytes() {
      @Override
      public String name() {
        return "log";
      }

      @Override
      public long size() {
        return size;
      }

      @Override
      public List<byte[]> read(List<ByteRange> ranges) {
        return ranges.stream().map(range -> part(bytes, size, range)).toList();
      }
    };
  }

  /** The last bytes of the file are {@code bytes}, those before are blanks. */
  private byte[] part(byte[] bytes, long size, ByteRange range) {
    bytesRead += range.length();
    byte[] part = new byte[range.length()];
    Arrays.fill(part, (byte) ' ');
    long shift = size - bytes.length;
    for (int index = 0; index < part.length; index++) {
      long at = range.offset() + index - shift;
      if (at >= 0) {
        part[index] = bytes[Math.toIntExact(at)];
      }
    }
    return part;
  }

  private long start(String text, long lines) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return TailStartFinder.find(log(bytes, bytes.length), lines);
  }

  @Test
  void theLastLinesStartAfterALineEnd() throws IOException {
    assertThat(start("a\nb\nc\n", 1)).isEqualTo(4);
    assertThat(start("a\nb\nc\n", 2)).isEqualTo(2);
    assertThat(start("a\nb\nc\n", 3)).isZero();
    assertThat(start("a\nb\nc\n", 100)).isZero();
    assertThat(start("a\nb\nc", 1)).isEqualTo(4);
    assertThat(start("a\n\n\n", 2)).isEqualTo(2);
    assertThat(start("a\rb\rc\nd", 2)).isZero();
  }

  @Test
  void noLinesStartAtTheEndAndAnEmptyLogAtZero() throws IOException {
    assertThat(start("a\nb\n", 0)).isEqualTo(4);
    assertThat(start("a\nb\n", -1)).isEqualTo(4);
    assertThat(start("", 5)).isZero();
    assertThat(start("\n", 5)).isZero();
  }

  @Test
  void anyLogIsCutAsCountingFromTheFrontSays() throws IOException {
    Random random = new Random(5);
    for (int count = 0; count < 200; count++) {
      StringBuilder text = new StringBuilder();
      for (int line = random.nextInt(300); line > 0; line--) {
        text.append("x".repeat(random.nextInt(2000))).append('\n');
      }
      int lines = 1 + random.nextInt(300);
      List<String> all = text.toString().lines().toList();
      long before =
          all.stream()
              .limit(Math.max(0, all.size() - lines))
              .mapToLong(line -> line.length() + 1)
              .sum();
      assertThat(start(text.toString(), lines)).isEqualTo(before);
    }
  }

  @Test
  void anEndlessLineIsReadInPart() throws IOException {
    long size = 1L << 40;
    assertThat(TailStartFinder.find(log(new byte[0], size), 10))
        .isEqualTo(size - TailStartFinder.MOST_BYTES);
    assertThat(bytesRead).isEqualTo(TailStartFinder.MOST_BYTES);
  }

  @Test
  void aLogThatBecameShorterIsReadAsFarAsItGoes() throws IOException {
    RangedBytes shrunk =
        new RangedBytes() {
          @Override
          public String name() {
            return "log";
          }

          @Override
          public long size() {
            return 100;
          }

          @Override
          public List<byte[]> read(List<ByteRange> ranges) {
            return List.of(new byte[0]);
          }
        };
    assertThat(TailStartFinder.find(shrunk, 3)).isZero();
  }
}
