package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thousands of real files with random damage: each is read to an end, within memory. */
@Timeout(120)
class MutatedFilesTest {
  private static final int ROUNDS = 4_000;
  private static final long SEED = 20260701;
  private static final long MOST_ALLOCATED_BYTES = 64L << 20;

  /** Values that length and offset fields are overwritten with. */
  private static final List<byte[]> TELLING =
      List.of(
          new byte[4],
          new byte[] {-1, -1, -1, -1},
          new byte[] {-1, -1, -1, 127},
          new byte[] {0, 0, 0, -128},
          new byte[] {-1, -1, -1, -1, -1, -1, -1, 127},
          new byte[] {-1, -1},
          new byte[] {'P', 'K', 5, 6},
          new byte[] {'P', 'K', 1, 2});

  private final TensorFileReader reader = new TensorFileReader(ReadLimits.forHeap(256L << 20));
  private final com.sun.management.ThreadMXBean threads =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void noDamageIsThrownOrHangsOrExhaustsMemory() throws IOException {
    List<byte[]> originals =
        Stream.of(
                "torch-2.14/ckpt_optim.pt",
                "torch-2.14/numpy.pt",
                "torch-2.14/proto5.pt",
                "torch-2.14/dt_uint64.pt",
                "torch-2.14/torchscript.pt",
                "torch-2.14/nested.pt",
                "torch-1.13/shared.pt",
                "torch-1.13/statedict.pt",
                "torch-2.11/nan_inf_zero_h16.pt",
                "torch-2.11/meta.safetensors",
                "corrupt/deflated.pt",
                "hostile/key_traversal.pt")
            .map(Fixtures::bytes)
            .toList();
    Random random = new Random(SEED);

    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = originals.get(random.nextInt(originals.size())).clone();
      for (int damage = random.nextInt(4); damage >= 0; damage--) {
        damaged = damage(damaged, random);
      }
      read(round, damaged);
    }
  }

  private void read(int round, byte[] damaged) throws IOException {
    CountingBytes file = new CountingBytes("round " + round, damaged);
    long before = threads.getCurrentThreadAllocatedBytes();

    TensorFile read = reader.read(file);

    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .as("round %d allocates", round)
        .isLessThan(MOST_ALLOCATED_BYTES);
    assertThat(file.calls()).as("round %d calls", round).isLessThanOrEqualTo(6);
    assertThat(file.bytesRead()).isLessThanOrEqualTo(damaged.length * 2L);
    assertThat(read.bytes()).isEqualTo(damaged.length);
  }

  private static byte[] damage(byte[] file, Random random) {
    if (file.length < 16) {
      return file;
    }
    int at = random.nextInt(file.length - 8);
    return switch (random.nextInt(6)) {
      case 0 -> overwritten(file, at, new byte[] {(byte) random.nextInt(256)});
      case 1 -> overwritten(file, at, new byte[] {(byte) (file[at] ^ 1 << random.nextInt(8))});
      case 2 -> overwritten(file, at, TELLING.get(random.nextInt(TELLING.size())));
      case 3 -> Arrays.copyOf(file, at);
      case 4 -> spliced(file, at, Math.min(file.length, at + random.nextInt(200)));
      default -> spliced(file, at, Math.max(0, at - random.nextInt(200)));
    };
  }

  private static byte[] overwritten(byte[] file, int at, byte[] bytes) {
    System.arraycopy(bytes, 0, file, at, bytes.length);
    return file;
  }

  /** The file up to one place, and from another on: bytes are lost, or stand twice. */
  private static byte[] spliced(byte[] file, int to, int from) {
    byte[] spliced = Arrays.copyOf(file, to + file.length - from);
    System.arraycopy(file, from, spliced, to, file.length - from);
    return spliced;
  }
}
