package dev.eagle3.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.cause.CauseFinder;
import dev.eagle3.expect.Expectation;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Cause;
import dev.eagle3.tensor.TorchFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder of a hundred thousand files, in a JVM of 256 MiB. */
@Tag("slow")
class ManyFilesTest {
  private static final int FILES = 100_000;

  /** File systems allow some ten thousand links to a file. */
  private static final int MOST_LINKS = 10_000;

  /** Far more than it takes, also on a machine that has much else to do. */
  private static final int DEADLINE_SECONDS = 600;

  @TempDir private Path folder;

  @Test
  void aHundredThousandFilesGoodAndBadFitInASmallHeap() throws Exception {
    write(TorchFileWriter.sample(40, 4, "bfloat16", 40, 64), 0, FILES / 2);
    // With six findings each.
    write(TorchFileWriter.sample(44, 3, "int64", 33, 65), FILES / 2, FILES);

    String said = verify();

    assertThat(said).contains("50000 of 100000 good").contains("300000 findings");
  }

  /** Some files, and links to them. */
  private void write(TorchFileWriter file, int from, int to) throws IOException {
    byte[] content = file.bytes();
    for (int number = from; number < to; number++) {
      Path path = folder.resolve("data_" + number + ".pt");
      int first = number - number % MOST_LINKS;
      if (number == first) {
        Files.write(path, content);
      } else {
        Files.createLink(path, folder.resolve("data_" + first + ".pt"));
      }
    }
  }

  private String verify() throws Exception {
    Path out = Files.createTempFile("many-files", ".txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
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
      String said = Files.readString(out);
      assertThat(process.exitValue()).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
      Files.delete(out);
    }
  }

  /** The other JVM. */
  static final class Verifying {
    public static void main(String[] folders) throws IOException {
      Expectation expected = Expectation.NONE.withLayers(4, "test").withHiddenSize(64, "test");
      VerifyResult result =
          new FolderVerifier(new LocalFileTree(), FolderVerifier.IN_FLIGHT_LOCAL)
              .verify(List.of(folders), expected, event -> {});
      List<Cause> causes = new CauseFinder().find(result.files(), expected);
      long findings = result.files().stream().mapToLong(file -> file.findings().size()).sum();
      System.out.println(result.good() + " of " + result.total() + " good");
      System.out.println(findings + " findings, " + causes.size() + " causes");
    }
  }
}
