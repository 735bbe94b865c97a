package dev.eagle3.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every file tree must do; run against each implementation. */
public interface FileTreeContract {
  /** Names that a shell, a protocol or a careless program would stumble over. */
  List<String> HOSTILE_NAMES =
      List.of(
          "new\nline", "quo'te", "dou\"ble", "-rf", "näme 漢字", " blank ", "$(x)`y`", "a\\b", "*");

  /** The tree under test; the implementing class makes it and closes it. */
  FileTree tree();

  /** A folder of the tree that is also one of this machine; new for each test. */
  Path folder();

  @Test
  default void aFileHasItsSizeTimeAndPermissions() throws Exception {
    Path file = file("data_0.pt", bytes(12_345));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L));

    assertThat(tree().stat(file.toString()))
        .contains(new FileStat(file.toString(), FileKind.FILE, 12_345, 1_700_000_000L, 0640));
    assertThat(tree().stat(folder().toString()).orElseThrow().kind()).isEqualTo(FileKind.FOLDER);
  }

  @Test
  default void nothingIsThereWhereNothingIs() throws Exception {
    file("file", bytes(1));

    assertThat(tree().stat(at("missing"))).isEmpty();
    assertThat(tree().linkStat(at("missing"))).isEmpty();
    assertThat(tree().stat(at("missing/below"))).isEmpty();
    assertThat(tree().stat(at("file/below"))).isEmpty();
  }

  @Test
  default void aLinkIsFollowedOrShown() throws Exception {
    file("target", bytes(10));
    link("link", "target");
    link("dangling", "missing");
    link("circle", "circle");

    assertThat(tree().stat(at("link")).orElseThrow().bytes()).isEqualTo(10);
    assertThat(tree().stat(at("link")).orElseThrow().kind()).isEqualTo(FileKind.FILE);
    assertThat(tree().linkStat(at("link")).orElseThrow().kind()).isEqualTo(FileKind.LINK);
    assertThat(tree().stat(at("dangling"))).isEmpty();
    assertThat(tree().linkStat(at("dangling")).orElseThrow().kind()).isEqualTo(FileKind.LINK);
    assertThat(tree().stat(at("circle"))).isEmpty();
    assertThat(tree().linkStat(at("circle")).orElseThrow().kind()).isEqualTo(FileKind.LINK);
  }

  @Test
  default void aDeviceIsNeitherFileNorFolder() throws Exception {
    assertThat(tree().stat("/dev/null").orElseThrow().kind()).isEqualTo(FileKind.OTHER);
  }

  @Test
  default void aFolderIsListedByNameWithWhatItsEntriesAre() throws Exception {
    file("b", bytes(2));
    Files.createDirectory(folder().resolve("c"));
    file("a", bytes(1));
    link("d", "c");
    file(".hidden", bytes(3));

    List<FileStat> entries = tree().list(folder().toString(), 100);

    assertThat(entries).extracting(FileStat::name).containsExactly(".hidden", "a", "b", "c", "d");
    assertThat(entries).extracting(FileStat::path).contains(at("b"));
    assertThat(entries)
        .extracting(FileStat::kind)
        .containsExactly(
            FileKind.FILE, FileKind.FILE, FileKind.FILE, FileKind.FOLDER, FileKind.LINK);
    assertThat(entries.get(2).bytes()).isEqualTo(2);
    assertThat(tree().list(folder() + "/", 100)).isEqualTo(entries);
    assertThat(tree().list(at("c"), 100)).isEmpty();
  }

  @Test
  default void aLargeFolderIsListedWholeOrRefused() throws Exception {
    for (int number = 0; number < 2_500; number++) {
      file(String.format("data_%04d.pt", number), new byte[0]);
    }

    List<FileStat> entries = tree().list(folder().toString(), 2_500);

    assertThat(entries).hasSize(2_500);
    assertThat(entries.get(2_499).name()).isEqualTo("data_2499.pt");
    assertThatThrownBy(() -> tree().list(folder().toString(), 2_499))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("more than 2499 entries");
    assertThat(tree().stat(at("data_0000.pt"))).isPresent();
  }

  @Test
  default void onlyAFolderCanBeListed() throws Exception {
    file("file", bytes(1));

    assertThatThrownBy(() -> tree().list(at("missing"), 10))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(at("missing"));
    assertThatThrownBy(() -> tree().list(at("file"), 10)).isInstanceOf(IOException.class);
  }

  @Test
  default void anyNameCanBeListedReadWrittenAndRenamed() throws Exception {
    for (String name : HOSTILE_NAMES) {
      tree().write(at(name), name.getBytes(UTF_8), 0600);
    }

    assertThat(tree().list(folder().toString(), 100))
        .extracting(FileStat::name)
        .containsExactlyInAnyOrderElementsOf(HOSTILE_NAMES);
    for (String name : HOSTILE_NAMES) {
      assertThat(text(tree(), at(name))).isEqualTo(name);
      assertThat(folder().resolve(name)).hasContent(name);
      tree().rename(at(name), at(name + ".moved"));
      assertThat(tree().stat(at(name))).isEmpty();
      assertThat(text(tree(), at(name + ".moved"))).isEqualTo(name);
    }
  }

  @Test
  default void rangesComeInTheirOrderAndShorterOnlyAtTheEnd() throws Exception {
    byte[] content = bytes(1_000_000);
    file("data", content);
    List<ByteRange> ranges =
        List.of(
            new ByteRange(999_990, 100),
            new ByteRange(0, 10),
            new ByteRange(5, 700_001),
            new ByteRange(0, 0),
            new ByteRange(1_000_000, 5),
            new ByteRange(5_000_000_000L, 5),
            new ByteRange(3, 4));

    List<byte[]> answers = tree().read(at("data"), ranges);

    assertThat(answers).hasSize(7);
    assertThat(answers.get(0)).isEqualTo(Arrays.copyOfRange(content, 999_990, 1_000_000));
    assertThat(answers.get(1)).isEqualTo(Arrays.copyOfRange(content, 0, 10));
    assertThat(answers.get(2)).isEqualTo(Arrays.copyOfRange(content, 5, 700_006));
    assertThat(answers.get(3)).isEmpty();
    assertThat(answers.get(4)).isEmpty();
    assertThat(answers.get(5)).isEmpty();
    assertThat(answers.get(6)).isEqualTo(Arrays.copyOfRange(content, 3, 7));
  }

  @Test
  default void aRangeLargerThanAnythingUnderWayIsReadWhole() throws Exception {
    byte[] content = bytes(40_000_000);
    file("data", content);

    List<byte[]> answers =
        tree()
            .read(
                at("data"),
                List.of(new ByteRange(1, 39_000_000), new ByteRange(0, Integer.MAX_VALUE)));

    assertThat(Arrays.equals(answers.get(0), Arrays.copyOfRange(content, 1, 39_000_001))).isTrue();
    assertThat(Arrays.equals(answers.get(1), content)).isTrue();
  }

  @Test
  default void whatAFileIsLikeComesWithItsRanges() throws Exception {
    byte[] content = bytes(100_000);
    Path file = file("data", content);

    RangesRead read =
        tree()
            .readThenStat(
                at("data"), List.of(new ByteRange(99_990, 100), new ByteRange(0, 50_000)));

    assertThat(read.ranges().get(0)).isEqualTo(Arrays.copyOfRange(content, 99_990, 100_000));
    assertThat(read.ranges().get(1)).isEqualTo(Arrays.copyOfRange(content, 0, 50_000));
    assertThat(read.after()).isEqualTo(tree().stat(file.toString()));
    assertThat(tree().readThenStat(at("data"), List.of()).after()).isEqualTo(read.after());
    assertThatThrownBy(() -> tree().readThenStat(at("missing"), List.of(new ByteRange(0, 1))))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(at("missing"));
  }

  @Test
  default void whatIsMissingCannotBeReadAndIsNamed() {
    assertThatThrownBy(() -> tree().read(at("missing"), List.of(new ByteRange(0, 1))))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(at("missing"));
    assertThatThrownBy(() -> tree().open(at("missing"), 0))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(at("missing"));
    assertThatThrownBy(() -> tree().open(folder().toString(), 0).read())
        .isInstanceOf(IOException.class);
  }

  @Test
  default void whatMayNotBeReadIsAnAccessDenied() {
    // The kernel refuses to read this one even for root.
    String writeOnly = "/sys/bus/platform/drivers_probe";

    assertThatThrownBy(() -> tree().read(writeOnly, List.of(new ByteRange(0, 1))))
        .isInstanceOf(AccessDeniedException.class)
        .hasMessageContaining(writeOnly);
  }

  @Test
  default void aStreamGivesTheWholeFileFromAnOffset() throws Exception {
    byte[] content = bytes(20_000_000);
    file("data", content);

    try (InputStream in = tree().open(at("data"), 0)) {
      assertThat(Arrays.equals(in.readAllBytes(), content)).isTrue();
    }
    try (InputStream in = tree().open(at("data"), 19_999_000)) {
      assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 19_999_000, 20_000_000));
    }
    try (InputStream in = tree().open(at("data"), 20_000_001)) {
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  default void aStreamMayBeClosedInTheMiddle() throws Exception {
    byte[] content = bytes(20_000_000);
    file("data", content);

    for (int turn = 0; turn < 20; turn++) {
      try (InputStream in = tree().open(at("data"), turn)) {
        assertThat(in.readNBytes(100)).isEqualTo(Arrays.copyOfRange(content, turn, turn + 100));
      }
    }
    assertThat(tree().stat(at("data"))).isPresent();
  }

  @Test
  default void aStreamGoesOnWhenTheFileHasGrown() throws Exception {
    Path log = file("log", "one\n".getBytes(UTF_8));

    try (InputStream in = tree().open(log.toString(), 0)) {
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("one\n");
      assertThat(in.read()).isEqualTo(-1);
      Files.writeString(log, "two\n", UTF_8, StandardOpenOption.APPEND);
      assertThat(new String(in.readAllBytes(), UTF_8)).isEqualTo("two\n");
      byte[] more = bytes(2_000_000);
      Files.write(log, more, StandardOpenOption.APPEND);
      assertThat(Arrays.equals(in.readAllBytes(), more)).isTrue();
    }
  }

  @Test
  default void writingLeavesTheNewContentItsPermissionsAndNothingElse() throws Exception {
    byte[] large = bytes(3_000_000);

    tree().write(at("plan.json"), "old".getBytes(UTF_8), 0600);
    tree().write(at("plan.json"), large, 0640);
    tree().write(at("empty"), new byte[0], 0755);

    assertThat(Arrays.equals(Files.readAllBytes(folder().resolve("plan.json")), large)).isTrue();
    assertThat(tree().stat(at("plan.json")).orElseThrow().permissions()).isEqualTo(0640);
    assertThat(tree().stat(at("empty")).orElseThrow().permissions()).isEqualTo(0755);
    assertThat(names()).containsExactlyInAnyOrder("plan.json", "empty");
  }

  @Test
  default void writingReplacesALinkAndLeavesWhatItLedTo() throws Exception {
    file("target", bytes(5));
    link("link", "target");

    tree().write(at("link"), bytes(7), 0600);

    assertThat(tree().linkStat(at("link")).orElseThrow().kind()).isEqualTo(FileKind.FILE);
    assertThat(Files.size(folder().resolve("link"))).isEqualTo(7);
    assertThat(Files.size(folder().resolve("target"))).isEqualTo(5);
  }

  @Test
  default void aWriteThatCannotBeLeavesEverythingAsItWas() throws Exception {
    Files.createDirectory(folder().resolve("taken"));
    file("taken/inside", bytes(1));

    assertThatThrownBy(() -> tree().write(at("taken"), bytes(10), 0600))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> tree().write(at("missing/file"), bytes(10), 0600))
        .isInstanceOf(NoSuchFileException.class);

    assertThat(names()).containsExactly("taken");
    assertThat(folder().resolve("taken/inside")).exists();
  }

  @Test
  default void aReaderSeesTheOldContentOrTheNewNeverHalf() throws Exception {
    byte[] zeros = new byte[300_000];
    byte[] ones = new byte[300_000];
    Arrays.fill(ones, (byte) 1);
    tree().write(at("state"), zeros, 0600);
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Future<?> writes =
          writer.submit(
              (Callable<Void>)
                  () -> {
                    for (int turn = 0; turn < 40; turn++) {
                      tree().write(at("state"), turn % 2 == 0 ? ones : zeros, 0600);
                    }
                    return null;
                  });
      while (!writes.isDone()) {
        byte[] seen = Files.readAllBytes(folder().resolve("state"));
        assertThat(Arrays.equals(seen, zeros) || Arrays.equals(seen, ones)).isTrue();
      }
      writes.get();
    } finally {
      writer.shutdownNow();
    }
  }

  @Test
  default void renamingNeverOverwrites() throws Exception {
    file("new", bytes(1));
    file("old", bytes(2));
    Files.createDirectory(folder().resolve("folder"));
    link("dangling", "nowhere");

    for (String taken : List.of("old", "folder", "dangling")) {
      assertThatThrownBy(() -> tree().rename(at("new"), at(taken)))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContaining(at(taken));
    }
    assertThatThrownBy(() -> tree().rename(at("missing"), at("free")))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(at("missing"));
    tree().rename(at("folder"), at("moved"));

    assertThat(names()).containsExactlyInAnyOrder("new", "old", "dangling", "moved");
    assertThat(Files.size(folder().resolve("old"))).isEqualTo(2);
  }

  @Test
  default void manyThreadsUseOneTreeAtOnce() throws Exception {
    List<byte[]> contents = new ArrayList<>();
    for (int number = 0; number < 64; number++) {
      contents.add(bytes(100_000 + number));
      file("data_" + number, contents.get(number));
    }
    ExecutorService threads = Executors.newFixedThreadPool(32);
    try {
      List<Future<List<byte[]>>> answers = new ArrayList<>();
      for (int number = 0; number < 64; number++) {
        String path = at("data_" + number);
        int length = contents.get(number).length;
        answers.add(
            threads.submit(
                () -> {
                  assertThat(tree().stat(path).orElseThrow().bytes()).isEqualTo(length);
                  tree().write(path + ".seen", new byte[] {1}, 0600);
                  return tree()
                      .read(path, List.of(new ByteRange(0, 50_000), new ByteRange(50_000, 99_999)));
                }));
      }
      for (int number = 0; number < 64; number++) {
        byte[] content = contents.get(number);
        List<byte[]> answer = answers.get(number).get();
        assertThat(Arrays.equals(answer.get(0), Arrays.copyOf(content, 50_000))).isTrue();
        assertThat(
                Arrays.equals(answer.get(1), Arrays.copyOfRange(content, 50_000, content.length)))
            .isTrue();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(names()).hasSize(128);
  }

  private Path file(String name, byte[] content) throws IOException {
    return Files.write(folder().resolve(name), content);
  }

  private void link(String name, String target) throws IOException {
    Files.createSymbolicLink(folder().resolve(name), Path.of(target));
  }

  private String at(String name) {
    return folder() + "/" + name;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> entries = Files.list(folder())) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }

  private static String text(FileTree tree, String path) throws IOException {
    return new String(tree.read(path, List.of(new ByteRange(0, 1000))).get(0), UTF_8);
  }

  private static byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    new Random(count).nextBytes(bytes);
    return bytes;
  }
}
