package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InitCommandTest {
  private static final String STORY = "src/test/resources/launchline/story.txt";

  @TempDir Path folder;

  @Test
  void theStorysLineLaunchesTheSameJobAsTheBuiltInProfile() throws IOException {
    Path profile = folder.resolve("my.yaml");

    CommandLineRun made =
        CommandLineRun.of("init", "--from", "@" + STORY, "--to", profile.toString());

    assertThat(made.code()).as(made.err()).isZero();
    assertThat(made.out()).isEmpty();
    CommandLineRun ours =
        CommandLineRun.of("extract", "--profile", profile.toString(), "--dry-run");
    CommandLineRun built =
        CommandLineRun.of(
            "extract",
            "--host",
            "root@10.1.230.174",
            "--layers",
            "2",
            "30",
            "58",
            "60",
            "--clear-gpus",
            "all",
            "--previous-output",
            Files.readString(profile).contains("previous-output: delete") ? "delete" : "set-aside",
            "--dry-run");
    assertThat(built.code()).as(built.err()).isZero();
    assertThat(ours.out()).isEqualTo(built.out()).contains("02_extract_hidden_states.py");
  }

  @Test
  void theProfileIsPrintedAndWhatBecameOfTheRestIsSaid() throws IOException {
    CommandLineRun run = CommandLineRun.of("init", "--from", Files.readString(Path.of(STORY)));

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("\nhost: root@10.1.230.174\n").contains("\nclear-gpus: all\n");
    assertThat(run.err())
        .contains("translated: fuser -k /dev/nvidia*")
        .contains("left out: sleep 3: a run waits");
    assertThat(
            CommandLineRun.of("init", "--json", "--from", Files.readString(Path.of(STORY))).out())
        .contains("\"type\":\"step\"")
        .contains("\"name\":\"left-out\"");
  }

  @Test
  void withoutALineItIsACommentedProfileWithTheValuesThatWereGiven() throws IOException {
    Path profile = folder.resolve("my.yaml");

    CommandLineRun made =
        CommandLineRun.of(
            "init", "--host", "me@gpu7", "--layers", "1", "2", "--to", profile.toString());

    assertThat(made.code()).as(made.err()).isZero();
    assertThat(Files.readString(profile)).contains("host: me@gpu7\n").contains("layers: [1, 2]\n");
    assertThat(Files.getPosixFilePermissions(profile))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(CommandLineRun.of("extract", "--profile", profile.toString(), "--dry-run").code())
        .isZero();
  }

  @Test
  void aFileThatIsThereIsReplacedByForceOnly() throws IOException {
    Path there = Files.writeString(folder.resolve("my.yaml"), "mine");

    CommandLineRun refused = CommandLineRun.of("init", "--to", there.toString());
    assertThat(refused.code()).isEqualTo(3);
    assertThat(refused.err()).contains("is there already").contains("try: --force");
    assertThat(there).hasContent("mine");

    assertThat(CommandLineRun.of("init", "--force", "--to", there.toString()).code()).isZero();
    assertThat(there).content().contains("model-path:");
  }

  @Test
  void aProfileWithValuesOfVariablesIsForItsOwnerOnly() throws IOException {
    Path profile = folder.resolve("my.yaml");

    CommandLineRun made =
        CommandLineRun.of(
            "init", "--from", "A=b /p/python3 /s/x.py --layer-ids 2", "--to", profile.toString());

    assertThat(made.code()).isZero();
    assertThat(Files.getPosixFilePermissions(profile))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    assertThat(folder.toFile().list()).containsExactly("my.yaml");
  }

  @Test
  @Hostile("the place for a new profile cannot be written, or is a link to somebody's file")
  void aPlaceThatCannotBeWrittenIsSaidAndALinkIsNotFollowed() throws IOException {
    Path precious = Files.writeString(folder.resolve("precious"), "precious");
    Path link = Files.createSymbolicLink(folder.resolve("link.yaml"), precious);
    Path dangling =
        Files.createSymbolicLink(folder.resolve("dangling.yaml"), folder.resolve("nowhere"));

    for (Path target :
        List.of(
            link,
            dangling,
            folder,
            folder.resolve("no/such/folder.yaml"),
            precious.resolve("below"),
            Path.of("/proc/self/my.yaml"))) {
      CommandLineRun run = CommandLineRun.of("init", "--to", target.toString());

      assertThat(run.code()).as("%s", target).isEqualTo(3);
      assertThat(run.err().lines().filter(line -> line.startsWith("eagle3: "))).hasSize(1);
    }
    assertThat(CommandLineRun.of("init", "--force", "--to", link.toString()).code()).isZero();
    assertThat(precious).hasContent("precious");
    assertThat(folder.resolve("nowhere")).doesNotExist();
    assertThat(link).isRegularFile();
  }

  @Test
  @Hostile("a launch line with commands that must never run")
  void nothingOfALineIsEverExecuted() throws IOException {
    Path trap = folder.resolve("trap");
    String touch = "touch " + trap;
    for (String line :
        List.of(
            "$(" + touch + ") python3 /s/x.py",
            "`" + touch + "`; /p/python3 /s/x.py `" + touch + "`",
            "HF_TOKEN=$(" + touch + ") /p/python3 /s/x.py --api-key $(" + touch + ")",
            touch + " && ssh -o ProxyCommand='" + touch + "' h \"" + touch + "; python3 /s/x.py\"",
            "eval '" + touch + "'; /p/python3 /s/x.py <(" + touch + ") > >(" + touch + ")")) {
      Path profile = folder.resolve("my.yaml");
      CommandLineRun made =
          CommandLineRun.of("init", "--force", "--from", line, "--to", profile.toString());
      CommandLineRun.of("extract", "--host", "h", "--profile", profile.toString(), "--dry-run");

      assertThat(made.code()).as("%s: %s", line, made.err()).isIn(0, 2);
      assertThat(trap).doesNotExist();
    }
  }

  @Test
  @Hostile("a launch line of a megabyte, with control characters, open quotes, or endless nesting")
  void aLineThatCannotBeReadIsOneSentence() throws IOException {
    Path long_ = Files.writeString(folder.resolve("long"), "x ".repeat(1 << 20));
    Path binary = Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
    for (String line :
        List.of(
            "@" + long_,
            "@" + binary,
            "a\u0000b",
            "\u001b[31mpython3 /s/x.py",
            "ssh h 'python3",
            "(".repeat(100_000),
            "bash -c \"".repeat(1000),
            "")) {
      CommandLineRun run = CommandLineRun.of("init", "--from", line);

      assertThat(run.code()).isEqualTo(2);
      assertThat(run.out()).isEmpty();
      assertThat(run.err().lines().filter(said -> said.startsWith("eagle3: "))).hasSize(1);
      assertThat(run.err()).doesNotContain("\u001b").doesNotContain("\tat ");
    }
    assertThat(CommandLineRun.of("init", "--from", "@/no/such/file").code()).isEqualTo(3);
    assertThat(CommandLineRun.of("init", "--from", "@" + folder).code()).isEqualTo(3);
    assertThat(CommandLineRun.of("init", "--set", "HOME=/root").code()).isEqualTo(2);
    assertThat(CommandLineRun.of("init", "--from", "x", "--set", "HOME").code()).isEqualTo(2);
    assertThat(CommandLineRun.of("init", "--tp-size", "none").code()).isEqualTo(2);
  }
}
