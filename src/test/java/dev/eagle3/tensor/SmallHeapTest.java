package dev.eagle3.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All damaged and hostile files, and larger ones made here, in a JVM of 128 MiB. */
@Tag("slow")
class SmallHeapTest {
  /** Ten times what it takes on a slow machine, and more. */
  private static final int DEADLINE_SECONDS = 120;

  /** Ten times the goal for one file. */
  private static final long MOST_MILLIS = 20_000;

  @TempDir private Path folder;

  @Test
  void everyHostileFileIsNamedInASmallHeap() throws Exception {
    write("lists.pt", TorchFiles.with(TorchFiles.pickle("]".repeat(30 << 20))));
    write("marks.pt", TorchFiles.with(TorchFiles.pickle("(".repeat(7 << 20))));
    write("places.pt", TorchFiles.with(TorchFiles.pickle(placesOfOneTensor()), new byte[16]));
    write("keys.pt", TorchFiles.with(TorchFiles.pickle(longKeys())));
    write("entries.pt", new TorchFileWriter("many").layers("a", 60_000, "uint8", 1).bytes());
    write("tensors.safetensors", manyTensors());
    write("blanks.safetensors", blankHeader());
    write("zeros.ckpt.gz", gzip(new byte[100 << 20]));
    write("text.ckpt.gz", gzip(longText()));
    write("keys-legacy.pt", legacyOfManyKeys());
    write("objects.pt", TorchFiles.with(TorchFiles.pickle(objectsWithinObjects())));
    write("arrays.pt", TorchFiles.with(TorchFiles.pickle(manyArrays())));

    List<String> lines =
        readAll(List.of(Fixtures.path("corrupt"), Fixtures.path("hostile"), folder));

    assertThat(lines)
        .hasSize(12 + (int) Stream.of("corrupt", "hostile").flatMap(Fixtures::in).count());
    assertThat(lines)
        .filteredOn(line -> !line.startsWith("bigendian.pt"))
        .filteredOn(line -> !line.startsWith("entries.pt") && !line.startsWith("objects.pt"))
        .allMatch(line -> line.contains("file."));
    assertThat(lines).allSatisfy(line -> assertThat(millis(line)).as(line).isLessThan(MOST_MILLIS));
  }

  private static long millis(String line) {
    return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
  }

  /** A zip whose pickle holds a text of 64 MiB. */
  private static byte[] longText() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(Arrays.copyOf(Fixtures.bytes("torch-2.14/half.pt"), 64));
    out.writeBytes(TorchFiles.pickle("\200\002](X\000\000\000\004"));
    out.writeBytes(new byte[64 << 20]);
    return out.toByteArray();
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  /** A legacy file whose list names one storage a million times. */
  private static byte[] legacyOfManyKeys() {
    String preamble =
        "\200\002\212\012\154\374\234\106\371\040\152\250\120\031."
            + "\200\002M\351\003.\200\002}.\200\002";
    return TorchFiles.pickle(
        preamble
            + TorchFiles.tensor()
            + ".\200\002](X\001\000\000\0000q\000"
            + "h\000".repeat(1 << 20)
            + "e.");
  }

  /** Each object is the state of the one before. */
  private static String objectsWithinObjects() {
    return "\200\002" + "cmine\nParent\n)R".repeat(50_000) + "b".repeat(49_999) + ".";
  }

  private static String manyArrays() {
    String array =
        "cnumpy.core.multiarray\n_reconstruct\n)R(K\001K\003\205cnumpy\ndtype\n"
            + "X\002\000\000\000f4\205R\211Ntb";
    return "\200\002](" + array + "q\000" + "h\000".repeat(1 << 20) + "e.";
  }

  private static String placesOfOneTensor() {
    return "](" + TorchFiles.tensor() + "q\000" + "h\000".repeat(3 << 20) + "e.";
  }

  /** Each list is named by ever longer paths. */
  private static String longKeys() {
    String key = "X\240\017\000\000" + "k".repeat(4000);
    return "}" + key + "](" + TorchFiles.tensor() + "q\000" + "h\000".repeat(500_000) + "es.";
  }

  private static byte[] blankHeader() {
    byte[] header = ("{" + " ".repeat(20 << 20) + "}").getBytes(StandardCharsets.UTF_8);
    return new LittleEndian().i64(header.length).bytes(header).toBytes();
  }

  private static byte[] manyTensors() {
    StringBuilder header = new StringBuilder("{");
    for (int index = 0; index < 100_000; index++) {
      header.append("\"t").append(index).append("\":");
      header.append("{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},");
    }
    header.append("\"t0\":{}}");
    byte[] bytes = header.toString().getBytes(StandardCharsets.UTF_8);
    return new LittleEndian().i64(bytes.length).bytes(bytes).toBytes();
  }

  private void write(String name, byte[] content) throws IOException {
    Files.write(folder.resolve(name), content);
  }

  private static List<String> readAll(List<Path> folders) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Reading.class.getName()));
    folders.forEach(each -> command.add(each.toString()));
    Path out = Files.createTempFile("small-heap", ".txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
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

  /** The other JVM: one line a file: its name, the codes of its errors, and milliseconds. */
  static final class Reading {
    public static void main(String[] folders) throws IOException {
      LocalFileTree files = new LocalFileTree();
      TensorFileReader reader = new TensorFileReader();
      for (String folder : folders) {
        for (FileStat stat : files.list(folder, 1_000)) {
          long began = System.nanoTime();
          TensorFile file = reader.read(RangedBytes.of(files, stat));
          long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
          List<String> codes =
              file.findings().stream()
                  .filter(finding -> finding.severity() == Severity.ERROR)
                  .map(Finding::code)
                  .toList();
          System.out.println(stat.name() + " " + codes + " " + millis);
        }
      }
    }
  }
}
