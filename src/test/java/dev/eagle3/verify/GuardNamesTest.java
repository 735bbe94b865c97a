package dev.eagle3.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guard of a run, by its own program under a real Python, finds what eagle3 finds. */
class GuardNamesTest {
  private static final Path GUARD = Path.of("src/main/resources/host/guard.py");

  /** Says the samples below the folder that it is given, in the order in which it looks at them. */
  private static final String DRIVER =
      """
      import os, sys
      guard = {'__name__': 'guard'}
      exec(compile(open(sys.argv[1], encoding='utf-8').read(), sys.argv[1], 'exec'), guard)
      class Plan: name, since = None, 0
      one = object.__new__(guard['Guard'])
      one.plan, one.settled = Plan, set()
      for path in sorted(one.list(sys.argv[2]), key=guard['natural']):
          sys.stdout.buffer.write(os.fsencode(path) + b'\\n')
      """;

  /** Stems of files and of folders. */
  private static final List<String> STEMS =
      List.of(
          "data_0",
          "data_12",
          "hs_3",
          "0",
          "00000000000000000000000000000000000007",
          "8371236498712364987",
          "conversation-a",
          "dp_0_1",
          "dp_0",
          "token_freq",
          "vocab_mapping",
          "d2t",
          "t2d",
          "target_embeddings",
          "target_weights",
          "target_x",
          "RAY_CHECK_0",
          "data_1 (1)",
          "data_1 copy",
          "data_1 copy 2",
          "data_1 - Copy",
          "data_1 - Copy (2)",
          "copy",
          ".data_1",
          "._data_1",
          ".nfs0001");

  /** Names of folders in an output folder: of samples, of others, and of eagle3's own. */
  private static final List<String> FOLDERS =
      List.of(
          "rows_0-2000",
          "rows_2000-4000",
          "rows_0",
          "rows_a-b",
          "rank_0",
          "rank_12",
          "rank_",
          "samples",
          "samples2",
          "0",
          "999999",
          "1000000",
          "vocab_mapping",
          "_tmp",
          "old",
          "checkpoints",
          "lost+found",
          ".before-20260101-000000-aaaa",
          ".before-20260101-000000-aaaa.part",
          ".quarantine-20260101-000000-aaaa",
          ".undone-20260101-000000-aaaa",
          ".eagle3-lock",
          ".rows_0-2000",
          "rows_0-2000.before-20260101-000000-aaaa",
          "data_9.pt");

  @TempDir Path folder;

  @Test
  void samplesOfAllKindsOfNamesAreThoseOfEagle3() throws Exception {
    assertThat(Schemas.KNOWN_EXTENSIONS)
        .containsExactlyInAnyOrder(".pt", ".ckpt", ".ckpt.gz", ".safetensors");
    for (String stem : STEMS) {
      for (String extension :
          List.of(".pt", ".ckpt", ".ckpt.gz", ".safetensors", ".pt.tmp", ".pt.gz", ".bin", "")) {
        save(stem + extension);
      }
    }

    assertThat(guard()).containsExactlyInAnyOrderElementsOf(eagle3()).hasSizeGreaterThan(40);
  }

  @Test
  @Hostile("the output folder is a mount point, and bad files were set aside within it")
  void itEntersTheFoldersThatEagle3EntersAndNoOthers() throws Exception {
    for (String name : FOLDERS) {
      save(name + "/data_7.ckpt");
      for (String inner : FOLDERS) {
        save(name + "/" + inner + "/data_8.ckpt");
      }
      save(name + "/rows_0-1/rows_0-1/data_9.ckpt");
    }
    Files.createSymbolicLink(folder.resolve("rank_7"), folder.resolve("old"));

    assertThat(guard()).containsExactlyInAnyOrderElementsOf(eagle3()).hasSizeGreaterThan(20);
  }

  @Test
  void besideSamplesItEntersOnlyFoldersWhoseNamesNobodyGivesByChance() throws Exception {
    for (String name : FOLDERS) {
      save(name + "/data_7.ckpt");
    }
    save("rank_0/data_8.ckpt");
    save("rank_0/0/data_9.ckpt");
    save("hand.ckpt.gz");

    assertThat(guard())
        .containsExactlyInAnyOrderElementsOf(eagle3())
        .contains(folder + "/rank_0/data_8.ckpt")
        .doesNotContain(folder + "/0/data_7.ckpt", folder + "/rank_0/0/data_9.ckpt");
  }

  @Test
  @Hostile("numbers of more digits than a long holds in names")
  void numbersOfAnyLengthAreInOrder() throws Exception {
    for (String name : List.of("8371236498712364987", "137123649871236498", "9", "10", "08")) {
      save(name + ".pt");
    }
    String longest = "9".repeat(200);
    save(longest + ".pt");

    assertThat(guard())
        .containsExactlyElementsOf(eagle3())
        .containsExactly(
            folder + "/08.pt",
            folder + "/9.pt",
            folder + "/10.pt",
            folder + "/137123649871236498.pt",
            folder + "/8371236498712364987.pt",
            folder + "/" + longest + ".pt");
  }

  @Test
  @Hostile("names with digits of other scripts, and names that are no text")
  void namesThatAreNoAsciiAreInSomeOrder() throws Exception {
    // Made by Python, as Java takes such names in some locales only.
    String make =
        """
        import os, sys
        for name in (b'1\\xc2\\xb22', b'1\\xe0\\xa5\\xa72', b'1a2', b'\\xff\\xfe1', b'12'):
            open(os.path.join(os.fsencode(sys.argv[2]), name + b'.pt'), 'wb').close()
        """;

    assertThat(guard(make + DRIVER)).hasSize(5).first().isEqualTo(folder + "/1a2.pt");
  }

  private void save(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[1]);
  }

  private List<String> eagle3() throws IOException {
    return new SampleLister(new LocalFileTree())
        .list(folder.toString()).stream().map(FileStat::path).toList();
  }

  private List<String> guard() throws Exception {
    return guard(DRIVER);
  }

  private List<String> guard(String program) throws Exception {
    Path driver = Files.writeString(folder.resolve("driver.py"), program);
    Process python =
        new ProcessBuilder(
                Tools.find("python3").toString(),
                "-X",
                "utf8",
                "-I",
                "-S",
                driver.toString(),
                GUARD.toString(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    python.getOutputStream().close();
    String said = new String(python.getInputStream().readAllBytes(), UTF_8);
    assertThat(python.waitFor()).as(said).isZero();
    return said.lines().toList();
  }
}
