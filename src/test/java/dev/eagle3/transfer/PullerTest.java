package dev.eagle3.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PullerTest {
  private static final Path SAMPLE =
      Path.of("src/test/resources/fixtures/tensors/real/kimi-shape-t17.pt");

  @TempDir Path folder;
  private Path there;
  private Path home;
  private final List<Event> events = new ArrayList<>();

  @BeforeEach
  void makeFolders() throws IOException {
    there = Files.createDirectory(folder.resolve("there"));
    home = folder.resolve("home");
  }

  @Test
  void aFileComesHomeWholeWithItsTimeAndNothingElse() throws IOException {
    Path file = sample("data_0.pt");

    PullResult result = pull(new LocalFileTree(), false, file);

    assertThat(result).isEqualTo(new PullResult(1, 0, 0, 0, Files.size(file)));
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(file);
    assertThat(seconds(home.resolve("data_0.pt"))).isEqualTo(seconds(file));
    assertThat(names(home)).containsExactly("data_0.pt");
  }

  @Test
  void anEqualFileIsLeftAsItIs() throws IOException {
    Path file = sample("data_0.pt");
    pull(new LocalFileTree(), false, file);

    PullResult again = pull(new LocalFileTree(), false, file);

    assertThat(again).isEqualTo(new PullResult(0, 1, 0, 0, 0));
  }

  @Test
  void anotherFileOfThatNameIsNotOverwrittenUnlessAsked() throws IOException {
    Path file = sample("data_0.pt");
    Files.createDirectories(home);
    Files.writeString(home.resolve("data_0.pt"), "mine");

    PullResult refused = pull(new LocalFileTree(), false, file);

    assertThat(refused.exit()).isEqualTo(Exit.TRANSFER);
    assertThat(home.resolve("data_0.pt")).hasContent("mine");

    assertThat(pull(new LocalFileTree(), true, file).exit()).isEqualTo(Exit.DONE);
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(file);
  }

  @Test
  void whatWasInterruptedGoesOnWhereItStopped() throws IOException {
    Path file = sample("data_0.pt");
    PullResult cut = pull(new CutTree(300_000), false, file);
    assertThat(cut.exit()).isEqualTo(Exit.TRANSFER);
    assertThat(home.resolve("data_0.pt")).doesNotExist();

    CountingTree counting = new CountingTree();
    PullResult rest = pull(counting, false, file);

    assertThat(rest.exit()).isEqualTo(Exit.DONE);
    assertThat(counting.offsets).containsExactly(300_000L);
    assertThat(rest.bytes()).isEqualTo(Files.size(file) - 300_000);
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(file);
    assertThat(names(home)).containsExactly("data_0.pt");
    assertThat(events)
        .anySatisfy(event -> assertThat(event).hasToString(transfer("resumed", file)));
  }

  @Test
  void aHostThatDoesNotAnswerAnyMoreEndsThePull() throws IOException {
    Path first = sample("data_0.pt");
    CutTree gone =
        new CutTree(1000) {
          @Override
          public Optional<FileStat> linkStat(String path) throws IOException {
            throw new IOException("the connection was lost");
          }
        };

    assertThatThrownBy(() -> pull(gone, false, first))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.LOST));
    assertThat(pull(new LocalFileTree(), false, first).exit()).isEqualTo(Exit.DONE);
  }

  @Test
  void aPartOfAnotherVersionOfTheFileIsThrownAway() throws IOException {
    Path file = sample("data_0.pt");
    pull(new CutTree(300_000), false, file);
    byte[] other = Files.readAllBytes(file);
    other[1000] ^= 1;
    Files.write(file, other);
    Files.setLastModifiedTime(file, FileTime.from(1_700_000_000, TimeUnit.SECONDS));

    CountingTree counting = new CountingTree();
    pull(counting, false, file);

    assertThat(counting.offsets).containsExactly(0L);
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(file);
  }

  @Test
  void aFileThatChangesWhileItIsPulledDoesNotGetItsName() throws IOException {
    Path file = sample("data_0.pt");

    PullResult result =
        pull(
            new CountingTree() {
              @Override
              public Optional<FileStat> stat(String path) throws IOException {
                Files.setLastModifiedTime(file, FileTime.from(1_700_000_000, TimeUnit.SECONDS));
                return super.stat(path);
              }
            },
            false,
            file);

    assertThat(result.exit()).isEqualTo(Exit.TRANSFER);
    assertThat(home.resolve("data_0.pt")).doesNotExist();
  }

  @Test
  void aFileThatIsCutOnTheHostComesHomeAndIsCalledBroken() throws IOException {
    Path file = sample("data_0.pt");
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));

    PullResult result = pull(new LocalFileTree(), false, file);

    assertThat(result.exit()).isEqualTo(Exit.WRONG);
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(file);
    assertThat(events).anySatisfy(event -> assertThat(event.toString()).contains("file."));
  }

  @Test
  void aFileThatAnotherPullIsBringingHomeIsLeftToIt() throws IOException {
    Path file = sample("data_0.pt");
    Files.createDirectories(home);
    Path part = Files.writeString(home.resolve(".data_0.pt.eagle3-part"), "half");

    try (PullLock theirs = PullLock.take(home.resolve("data_0.pt"))) {
      assertThat(pull(new LocalFileTree(), true, file).exit()).isEqualTo(Exit.TRANSFER);
      assertThat(theirs).isNotNull();
    }

    assertThat(part).hasContent("half");
    assertThat(home.resolve("data_0.pt")).doesNotExist();
    assertThat(pull(new LocalFileTree(), false, file).exit()).isEqualTo(Exit.DONE);
    assertThat(names(home)).containsExactly("data_0.pt");
  }

  @Test
  void theLockFileOfAPullThatDiedLocksNothing() throws IOException {
    Path file = sample("data_0.pt");
    Files.createDirectories(home);
    Files.writeString(home.resolve(".data_0.pt.eagle3-lock"), "left");

    assertThat(pull(new LocalFileTree(), false, file).exit()).isEqualTo(Exit.DONE);
    assertThat(names(home)).containsExactly("data_0.pt");
  }

  @Test
  void twoFilesOfOneNameDoNotReplaceEachOther() throws IOException {
    Path first = sample("data_0.pt");
    Path second = Files.createDirectory(there.resolve("other")).resolve("data_0.pt");
    Files.writeString(second, "another");

    PullResult result = pull(new LocalFileTree(), true, first, second);

    assertThat(result.exit()).isEqualTo(Exit.TRANSFER);
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(first);
  }

  @Test
  void aPlantedLinkInTheWayOfThePartIsNotFollowed() throws IOException {
    Path file = sample("data_0.pt");
    Path victim = Files.writeString(folder.resolve("victim"), "precious");
    Files.createDirectories(home);
    Files.createSymbolicLink(home.resolve(".data_0.pt.eagle3-part"), victim);

    pull(new LocalFileTree(), false, file);

    assertThat(victim).hasContent("precious");
    assertThat(home.resolve("data_0.pt")).hasSameBinaryContentAs(file);
  }

  private PullResult pull(FileTree tree, boolean overwrite, Path... files) throws IOException {
    List<FileStat> stats = new ArrayList<>();
    for (Path file : files) {
      stats.add(new LocalFileTree().stat(file.toString()).orElseThrow());
    }
    return new Puller("gpu7", tree, events::add).pull(new PullRequest(stats, home, overwrite));
  }

  private Path sample(String name) throws IOException {
    Path file = there.resolve(name);
    Files.copy(SAMPLE, file);
    Files.setLastModifiedTime(file, FileTime.from(1_600_000_000, TimeUnit.SECONDS));
    return file;
  }

  private String transfer(String verdict, Path file) throws IOException {
    return new Event.Transfer(
            "gpu7:" + file, home.resolve("data_0.pt").toString(), Files.size(file), verdict)
        .toString();
  }

  private static long seconds(Path file) throws IOException {
    return Files.getLastModifiedTime(file).to(TimeUnit.SECONDS);
  }

  private static List<String> names(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  /** The local tree, noting where files are opened. */
  private static class CountingTree implements FileTree {
    private final LocalFileTree local = new LocalFileTree();
    final List<Long> offsets = new ArrayList<>();

    @Override
    public Optional<FileStat> stat(String path) throws IOException {
      return local.stat(path);
    }

    @Override
    public Optional<FileStat> linkStat(String path) throws IOException {
      return local.linkStat(path);
    }

    @Override
    public List<FileStat> list(String path, int most) throws IOException {
      return local.list(path, most);
    }

    @Override
    public List<byte[]> read(String path, List<ByteRange> ranges) throws IOException {
      return local.read(path, ranges);
    }

    @Override
    public InputStream open(String path, long offset) throws IOException {
      offsets.add(offset);
      return local.open(path, offset);
    }

    @Override
    public void write(String path, byte[] content, int permissions) throws IOException {
      local.write(path, content, permissions);
    }

    @Override
    public void rename(String from, String to) throws IOException {
      local.rename(from, to);
    }

    @Override
    public void close() {
      local.close();
    }
  }

  /** A connection that goes away after so many bytes. */
  private static class CutTree extends CountingTree {
    private final int bytes;

    CutTree(int bytes) {
      this.bytes = bytes;
    }

    @Override
    public InputStream open(String path, long offset) throws IOException {
      byte[] head = read(path, List.of(new ByteRange(offset, bytes))).get(0);
      return new SequenceInputStream(
          new ByteArrayInputStream(head),
          new InputStream() {
            @Override
            public int read() throws IOException {
              throw new IOException("the connection was lost");
            }

            @Override
            public int read(byte[] bytes, int from, int count) throws IOException {
              return read();
            }
          });
    }
  }
}
