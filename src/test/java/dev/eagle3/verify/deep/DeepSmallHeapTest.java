package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.testing.Hostile;
import dev.eagle3.verify.FolderVerifier;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of hundreds of megabytes, most of them holes, in a JVM of 64 MiB. */
@Tag("slow")
class DeepSmallHeapTest {
  /** Ten times what it takes on a slow machine, and more. */
  private static final int DEADLINE_SECONDS = 240;

  private static final int TOKENS = 4096;
  private static final int LAYERS = 4;
  private static final int CHANNELS = 7168;

  @TempDir private Path folder;

  @Test
  @Hostile("files of many times the memory, the last value of each of them NaN")
  void filesOfManyTimesTheMemoryAreReadToTheirEnds() throws Exception {
    write("hs_0.safetensors", "BF16", 2, new byte[] {(byte) 0xC0, 0x7F});
    write("hs_1.safetensors", "F8_E4M3", 1, new byte[] {0x7F});
    write("hs_2.safetensors", "F32", 4, new byte[] {0, 0, (byte) 0xC0, 0x7F});

    List<String> lines = verify();

    assertThat(lines)
        .filteredOn(line -> line.startsWith("values.nan"))
        .hasSize(3)
        .allMatch(line -> line.contains("row 4095, channel 7167"));
    assertThat(lines).filteredOn(line -> line.startsWith("values.all-zero")).hasSize(3);
    assertThat(lines).filteredOn(line -> line.startsWith("values.not-read")).isEmpty();
  }

  /** A file of vLLM's connector: zeros, and {@code last} at its end. */
  private void write(String name, String dtype, int width, byte[] last) throws IOException {
    long size = (long) TOKENS * LAYERS * CHANNELS * width;
    byte[] header =
        String.format(
                Locale.ROOT,
                "{\"token_ids\":{\"dtype\":\"I64\",\"shape\":[%d],\"data_offsets\":[0,%d]},"
                    + "\"hidden_states\":{\"dtype\":\"%s\",\"shape\":[%d,%d,%d],"
                    + "\"data_offsets\":[%d,%d]}}",
                TOKENS,
                8 * TOKENS,
                dtype,
                TOKENS,
                LAYERS,
                CHANNELS,
                8 * TOKENS,
                8 * TOKENS + size)
            .getBytes(StandardCharsets.UTF_8);
    ByteBuffer start =
        ByteBuffer.allocate(8 + header.length + 8 * TOKENS).order(ByteOrder.LITTLE_ENDIAN);
    start.putLong(header.length).put(header);
    for (int token = 0; token < TOKENS; token++) {
      start.putLong(token);
    }
    try (RandomAccessFile file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
      file.write(start.array());
      file.setLength(start.capacity() + size);
      file.seek(start.capacity() + size - last.length);
      file.write(last);
    }
  }

  private List<String> verify() throws Exception {
    Path out = Files.createTempFile("deep-small-heap", ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Verifying.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)).as("ends in time").isTrue();
      List<String> lines = Files.readAllLines(out);
      assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
      return lines;
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  /** The other JVM: one line a finding. */
  static final class Verifying {
    public static void main(String[] folders) throws IOException {
      LocalFileTree files = new LocalFileTree();
      new FolderVerifier(files, 2, new DeepVerifier(files, path -> true))
          .verify(
              List.of(folders),
              Expectation.NONE,
              event -> {
                if (event instanceof Event.Found found) {
                  System.out.println(
                      found.finding().code()
                          + " "
                          + found.finding().actual()
                          + " "
                          + found.finding().evidence());
                }
              });
    }
  }
}
