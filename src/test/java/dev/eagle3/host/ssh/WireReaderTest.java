package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes of strangers. */
class WireReaderTest {
  @Test
  void valuesAreReadInTheirOrder() throws Exception {
    byte[] bytes =
        ByteBuffer.allocate(19)
            .put((byte) 0xff)
            .putInt(-1)
            .putLong(-2)
            .putInt(2)
            .put((byte) 'o')
            .put((byte) 'k')
            .array();
    WireReader reader = new WireReader(bytes);

    assertThat(reader.uint8()).isEqualTo(255);
    assertThat(reader.uint32()).isEqualTo(0xffff_ffffL);
    assertThat(reader.uint64()).isEqualTo(-2);
    assertThat(reader.text()).isEqualTo("ok");
    assertThat(reader.isAtEnd()).isTrue();
    assertThatThrownBy(reader::uint8).isInstanceOf(IOException.class);
    assertThatThrownBy(reader::uint64).isInstanceOf(IOException.class);
  }

  @Test
  void aLengthBeyondTheEndTakesNoMemory() {
    for (int length : new int[] {5, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      WireReader reader = new WireReader(ByteBuffer.allocate(8).putInt(length).array());
      assertThatThrownBy(reader::string)
          .isInstanceOf(IOException.class)
          .hasMessage("ends too early");
    }
  }

  @Test
  void noBytesMakeACertificateThrowAnythingElse() {
    Random random = new Random(7);
    for (int turn = 0; turn < 2_000; turn++) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      byte[] type =
          "ssh-ed25519-cert-v01@openssh.com".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
      ByteBuffer bytes = ByteBuffer.allocate(4 + type.length + noise.length);
      bytes.putInt(type.length).put(type).put(noise);
      // Small lengths, so that some get further than others.
      for (int at = 4 + type.length; at + 4 < bytes.capacity(); at += 8) {
        bytes.putInt(at, random.nextInt(12));
      }
      try {
        Certificate.parse("x", KeyBlob.of(bytes.array()));
      } catch (IOException refused) {
        assertThat(refused.getMessage()).isNotEmpty();
      }
    }
  }
}
