package dev.eagle3.host.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.ByteRange;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files over a shell when the host is hostile; the contract is run with real hosts. */
@Tag("slow")
class ShellFileTreeTest {
  @TempDir Path folder;

  private final WatchedHost host =
      new WatchedHost(new LocalHost("box", Map.of("PATH", System.getenv("PATH"))));
  private final ShellFileTree tree = new ShellFileTree(new HostScripts(host));

  @AfterEach
  void close() {
    tree.close();
  }

  @Test
  @Hostile("file names with every byte that a name can hold")
  void namesOfAnyBytesAreListedReadAndRenamed() throws Exception {
    // Java cannot make these names; the shell can.
    ran(
        "cd "
            + folder
            + "; i=1; while [ $i -lt 256 ]; do [ $i -eq 47 ] || { n=$(printf \"\\\\$(printf %o $i)x\");"
            + " [ \"$n\" = x ] && n=$(printf '\\nx'); echo $i >\"./$n\"; }; i=$((i+1)); done");

    List<FileStat> entries = tree.list(folder.toString(), 1000);

    assertThat(entries).hasSize(254);
    for (FileStat entry : entries) {
      int value = PathBytes.encode(entry.name())[0] & 0xff;
      assertThat(text(entry.path()).strip()).isEqualTo(String.valueOf(value));
      tree.rename(entry.path(), entry.path() + "y");
      assertThat(tree.stat(entry.path())).isEmpty();
    }
    assertThat(tree.list(folder.toString(), 1000))
        .extracting(FileStat::name)
        .allMatch(name -> name.endsWith("xy"));
  }

  @Test
  @Hostile("a file that holds what the answers of its reader look like")
  void aFileCannotForgeAnAnswer() throws Exception {
    String forged = "\036eagle3-0000000000000000 ok\n\036eagle3-";
    Files.writeString(folder.resolve("file"), forged.repeat(1000));

    assertThat(text(folder + "/file")).isEqualTo(forged.repeat(1000));
  }

  @Test
  @Hostile("a pipe where a file should be, without a writer")
  void aPipeIsRefusedAndNotWaitedFor() throws Exception {
    String pipe = folder.resolve("pipe").toString();
    ran("mkfifo " + pipe);

    assertThatThrownBy(() -> tree.read(pipe, List.of(new ByteRange(0, 1))))
        .isInstanceOf(IOException.class)
        .hasMessage(pipe + ": not a regular file");
    assertThatThrownBy(() -> tree.open(pipe, 0)).isInstanceOf(IOException.class);
    assertThat(tree.stat(pipe)).isPresent();
  }

  @Test
  @Hostile("the shell that serves files is killed between two requests")
  void aLostShellIsReplaced() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    assertThat(text(file.toString())).isEqualTo("content");

    host.closeAll();

    assertThat(text(file.toString())).isEqualTo("content");
    host.closeAll();
    tree.write(file.toString(), "new".getBytes(UTF_8), 0600);
    assertThat(file).hasContent("new");
    host.closeAll();
    tree.rename(file.toString(), folder + "/moved");
    assertThat(folder.resolve("moved")).hasContent("new");
  }

  @Test
  @Hostile("a file is replaced by another one while it is read")
  void aStreamNeverJoinsTwoFiles() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[40_000_000]);
    Path other = Files.write(folder.resolve("other"), new byte[40_000_000]);

    try (InputStream in = tree.open(file.toString(), 0)) {
      assertThat(in.read()).isZero();
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

      assertThatThrownBy(in::readAllBytes)
          .isInstanceOf(IOException.class)
          .message()
          // Some file systems show no file at all for a moment.
          .matches(
              said ->
                  said.contains("was replaced by another file while it was read")
                      || said.contains("not a regular file")
                      || said.equals(file.toString()));
    }
  }

  @Test
  @Hostile("a file shrinks while it is read")
  void aFileThatShrinksEndsWhereItEnds() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[30_000_000]);

    try (InputStream in = tree.open(file.toString(), 0)) {
      assertThat(in.readNBytes(1000)).hasSize(1000);
      Files.write(file, new byte[1_000_000]);

      assertThat(in.readAllBytes().length).isLessThan(30_000_000);
    }
  }

  @Test
  @Hostile("the disk is full when a file is written")
  void aWriteWithoutRoomLeavesTheOldFileAndNothingElse() throws Exception {
    Path small = Files.createDirectory(folder.resolve("small"));
    Host full =
        new WatchedHost(host.inner) {
          @Override
          public RunningCommand start(Command command) {
            // No file may grow beyond 64 KiB, which ends writes as a full disk does.
            return inner.start(
                new Command(
                    "trap '' XFSZ; ulimit -f 128; " + command.line(),
                    command.stdin(),
                    command.timeout(),
                    1000));
          }
        };
    try (ShellFileTree limited = new ShellFileTree(new HostScripts(full))) {
      limited.write(small + "/file", new byte[1000], 0600);

      assertThatThrownBy(() -> limited.write(small + "/file", new byte[5_000_000], 0600))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("did not arrive whole");

      assertThat(limited.list(small.toString(), 10))
          .extracting(FileStat::bytes)
          .containsExactly(1000L);
    }
  }

  @Test
  @Hostile("a host that does not answer a file request any more")
  void aSilentShellIsGivenUp() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Host mute =
        new WatchedHost(host.inner) {
          @Override
          public RunningCommand start(Command command) {
            return inner.start(
                command.withInput(
                    command
                        .stdin()
                        .replace("verb path rest <&5", "verb path rest <&5 && sleep 600")));
          }
        };
    try (ShellFileTree silent = new ShellFileTree(new HostScripts(mute), Duration.ofMillis(500))) {
      assertThatThrownBy(() -> silent.stat(file.toString()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("box: ");
    }
  }

  @Test
  @Hostile("a folder of more entries than are wanted")
  void aFolderThatIsTooLargeIsGivenUpEarlyAndTheTreeGoesOn() throws Exception {
    ran("cd " + folder + "; i=0; while [ $i -lt 3000 ]; do : >$i; i=$((i+1)); done");

    assertThatThrownBy(() -> tree.list(folder.toString(), 10))
        .isInstanceOf(IOException.class)
        .hasMessage(folder + ": more than 10 entries");
    assertThat(tree.list(folder.toString(), 3000)).hasSize(3000);
  }

  @Test
  @Hostile("a path that looks like options")
  void pathsAreNeverOptions() throws Exception {
    String name = folder + "/-rf\t--help";
    tree.write(name, "x".getBytes(UTF_8), 0644);

    assertThat(text(name)).isEqualTo("x");
    assertThatThrownBy(() -> tree.stat("--help")).hasMessageContaining("is no absolute path");
    assertThatThrownBy(() -> tree.stat("/a\0b")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> tree.open(name + "z", 0)).isInstanceOf(NoSuchFileException.class);
  }

  private String text(String path) throws IOException {
    return new String(tree.read(path, List.of(new ByteRange(0, 1 << 20))).get(0), UTF_8);
  }

  private void ran(String line) {
    CommandResult result = host.run(Command.of(line, Duration.ofMinutes(2)));
    assertThat(result.succeeded()).as(result.stderr()).isTrue();
  }

  /** A host that remembers what was started on it. */
  private static class WatchedHost implements Host {
    final Host inner;
    private final List<RunningCommand> started = new ArrayList<>();

    WatchedHost(Host inner) {
      this.inner = inner;
    }

    void closeAll() {
      started.forEach(RunningCommand::close);
      started.forEach(RunningCommand::ending);
    }

    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public CommandResult run(Command command) {
      return inner.run(command);
    }

    @Override
    public RunningCommand start(Command command) {
      RunningCommand running = inner.start(command);
      started.add(running);
      return running;
    }

    @Override
    public FileTree files() {
      return inner.files();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
