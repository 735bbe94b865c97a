package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeepChooserTest {
  private final DeepChooser chooser = new DeepChooser(new LocalFileTree());

  @TempDir Path folder;

  @Test
  void allSamplesAreChosenAndNothingElse() throws IOException {
    write("data_0.pt", 100);
    write("data_1.pt", 10);
    write("data_config.json", 1000);

    DeepChoice choice = choose(1);

    assertThat(choice.paths()).containsExactlyInAnyOrder(path("data_0.pt"), path("data_1.pt"));
    assertThat(choice.bytes()).isEqualTo(110);
    assertThat(choice.files()).isEqualTo(2);
  }

  @Test
  void aShareIsTheSameEachTimeAndOneAtLeast() throws IOException {
    for (int number = 0; number < 20; number++) {
      write("data_" + number + ".pt", 1);
    }

    assertThat(choose(0.25).paths()).hasSize(5).isEqualTo(choose(0.25).paths());
    assertThat(choose(0.25).files()).isEqualTo(20);
    assertThat(choose(0.001).paths()).hasSize(1);
    assertThat(choose(0.99).paths()).hasSize(20);
  }

  @Test
  void samplesInTheFoldersOfSchemasCountToo() throws IOException {
    for (String inner :
        List.of("rank_0/rows_0-5000", "rows_0-2000", "elsewhere", "rows_0-5000/0")) {
      Files.createDirectories(folder.resolve(inner));
      write(inner + "/data_0.ckpt", 10);
    }
    write("rows_0-2000/data_1.ckpt.gz", 5);
    write("data_7.pt", 1);

    DeepChoice choice = choose(1);

    assertThat(choice.paths())
        .containsExactlyInAnyOrder(
            path("rank_0/rows_0-5000/data_0.ckpt"),
            path("rows_0-2000/data_0.ckpt"),
            path("rows_0-2000/data_1.ckpt.gz"),
            path("rows_0-5000/0/data_0.ckpt"),
            path("data_7.pt"));
    assertThat(choice.bytes()).isEqualTo(36);
    assertThat(choose(0.4).paths()).hasSize(2).isSubsetOf(choice.paths());
  }

  @Test
  @Hostile("folders of samples that may not be listed")
  void foldersThatCannotBeListedAreLeftToTheVerification() throws IOException {
    write("data_0.pt", 10);
    Files.createDirectory(folder.resolve("rows_0-2000"));

    DeepChoice choice =
        new DeepChooser(without(path("rows_0-2000"))).choose(List.of(folder.toString()), 1);

    assertThat(choice.paths()).containsExactly(path("data_0.pt"));
  }

  @Test
  void aFileThatIsNamedTwiceCountsOnce() throws IOException {
    write("data_0.pt", 7);

    DeepChoice choice =
        chooser.choose(List.of(path("data_0.pt"), path("data_0.pt"), path("data_9.pt")), 1);

    assertThat(choice.bytes()).isEqualTo(7);
  }

  @Test
  @Hostile("links among the samples that lead to a file, to nowhere, and to themselves")
  void linksAreFollowedOrLeftToTheVerification() throws IOException {
    write("elsewhere", 50);
    Files.createSymbolicLink(folder.resolve("data_0.pt"), folder.resolve("elsewhere"));
    Files.createSymbolicLink(folder.resolve("data_1.pt"), folder.resolve("nowhere"));
    Files.createSymbolicLink(folder.resolve("data_2.pt"), folder.resolve("data_2.pt"));

    DeepChoice choice = choose(1);

    assertThat(choice.paths()).containsExactly(path("data_0.pt"));
    assertThat(choice.bytes()).isEqualTo(50);
  }

  /** The files of this machine, but for a folder that may not be listed. */
  private static FileTree without(String folder) {
    LocalFileTree files = new LocalFileTree();
    return (FileTree)
        Proxy.newProxyInstance(
            FileTree.class.getClassLoader(),
            new Class<?>[] {FileTree.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("list") && arguments[0].equals(folder)) {
                throw new AccessDeniedException(folder);
              }
              return method.invoke(files, arguments);
            });
  }

  private DeepChoice choose(double share) throws IOException {
    return chooser.choose(List.of(folder.toString()), share);
  }

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  private void write(String name, int bytes) throws IOException {
    Files.write(folder.resolve(name), new byte[bytes]);
  }
}
