package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SshConfigFileReaderTest {
  @TempDir Path folder;

  @Test
  void theFirstValueWinsAndIdentitiesAddUp() throws Exception {
    SshOptions options =
        read(
            "gpu7",
            """
            User early
            IdentityFile ~/.ssh/all
            Host other
              User wrong
            Host gpu*
              User late
              Port 2222
              IdentityFile ~/.ssh/gpu
            """);

    assertThat(options.first("user")).contains("early");
    assertThat(options.first("port")).contains("2222");
    assertThat(options.all("identityfile")).containsExactly("~/.ssh/all", "~/.ssh/gpu");
    assertThat(options.notes()).isEmpty();
  }

  @Test
  void aNegatedPatternShutsAHostOut() throws Exception {
    String text = "Host gpu* !gpu7 !*.example\n  User root\n";

    assertThat(read("gpu8", text).first("user")).contains("root");
    assertThat(read("gpu7", text).first("user")).isEmpty();
    assertThat(read("gpu8.example", text).first("user")).isEmpty();
  }

  @Test
  @Hostile("an ssh_config that runs commands")
  void nothingInAConfigurationIsEverRun() throws Exception {
    Path ran = folder.resolve("ran");
    String exec = "Match exec \"touch " + ran + "\"\n  User exec\n";
    String negated = "Match !exec \"touch " + ran + "\"\n  User not-exec\n";
    String elsewhere = "Match host other exec \"touch " + ran + "\"\n  User other\n";

    SshOptions options = read("gpu7", exec + negated + elsewhere + "Match all\n  User all\n");

    assertThat(options.first("user")).contains("all");
    assertThat(ran).doesNotExist();
    String words = ": Match exec is not run without an ssh program, and does not hold";
    assertThat(options.notes())
        .containsExactly(
            folder.resolve("config") + ":1" + words, folder.resolve("config") + ":3" + words);
  }

  @Test
  void whatIsNotKnownIsNotedAndDoesNotHold() throws Exception {
    SshOptions options =
        read(
            "gpu7",
            """
            Host elsewhere
              Include never
            Match tagged red
              User early
            Host gpu7
              Tag red
            Match tagged blue
              User blue
            Match tagged red,green
              Port 7
            Match localnetwork 10.0.0.0/8
              User nobody
            Match version OpenSSH_10.*
              User nobody
            Match all
              NoSuchWord at all
              CanonicalizeHostname yes
            """);

    assertThat(options.notes())
        .containsExactly(
            folder.resolve("config")
                + ":11: Match localnetwork is not known without an ssh program, and does not hold",
            folder.resolve("config")
                + ":13: Match version is not known without an ssh program, and does not hold",
            "CanonicalizeHostname is not followed without an ssh program");
    assertThat(options.first("user")).isEmpty();
    assertThat(options.first("port")).contains("7");
  }

  @Test
  void theMachinesFileIsReadAfterTheUsersAndIncludesFromTheirOwnFolders() throws Exception {
    Files.createDirectories(folder.resolve(".ssh/conf.d"));
    Files.createDirectories(folder.resolve("etc/conf.d"));
    Files.writeString(folder.resolve(".ssh/config"), "Include conf.d/*\nUser mine\n");
    Files.writeString(folder.resolve(".ssh/conf.d/x"), "Port 7\nInclude ~/more\n");
    Files.writeString(folder.resolve("more"), "HostKeyAlias more\n");
    Path system = folder.resolve("etc/ssh_config");
    Files.writeString(system, "Include conf.d/*\nUser theirs\nPort 8\n");
    Files.writeString(folder.resolve("etc/conf.d/x"), "HostName gpu7.example\n");
    SshOptions options = new SshOptions();

    new SshConfigFileReader(SshSettings.of(folder), SshTarget.parse("gpu7"), options, system)
        .read();

    assertThat(options.all("user")).containsExactly("mine");
    assertThat(options.first("port")).contains("7");
    assertThat(options.first("hostkeyalias")).contains("more");
    assertThat(options.first("hostname")).contains("gpu7.example");

    // Named by the user, a file stands alone; none stands for nothing.
    SshOptions alone = new SshOptions();
    SshSettings none = SshSettings.of(folder).withConfigFile(Path.of("none"));
    new SshConfigFileReader(none, SshTarget.parse("gpu7"), alone, system).read();
    assertThat(alone.first("user")).isEmpty();
  }

  @Test
  @Hostile("an ssh_config that is a folder, a pipe, missing, too large, or binary")
  void whatIsNoConfigurationIsRefusedByName() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path large = folder.resolve("large");
    assertThat(new ProcessBuilder("truncate", "-s", "4G", large.toString()).start().waitFor())
        .isZero();
    byte[] bytes = new byte[50_000];
    new Random(7).nextBytes(bytes);
    Path binary = Files.write(folder.resolve("binary"), bytes);
    Path escape = Files.writeString(folder.resolve("escape"), "\u001b[2JUser x\n");
    Path nul = Files.writeString(folder.resolve("nul"), "IdentityFile a\0b\n");
    Path missing = folder.resolve("missing");

    for (Path file : List.of(pipe, folder, large, binary, escape, nul, missing)) {
      assertIsRefused(file, file);
      if (!file.equals(missing)) {
        Path config = folder.resolve("config");
        assertIsRefused(Files.writeString(config, "Include " + file + "\n"), file);
      }
    }
  }

  private void assertIsRefused(Path config, Path culprit) {
    SshConfigFileReader reader =
        new SshConfigFileReader(
            SshSettings.of(folder).withConfigFile(config),
            SshTarget.parse("gpu7"),
            new SshOptions());
    assertThatThrownBy(reader::read)
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.LOCAL_FILE);
              assertThat(failure.subject()).startsWith(culprit.toString());
              assertThat(failure.problem()).doesNotContain("\u001b");
            });
  }

  @Test
  @Hostile("an ssh_config that includes without end")
  void filesThatIncludeManyFilesEnd() throws Exception {
    Path many = Files.createDirectories(folder.resolve("many"));
    for (int number = 0; number < 20; number++) {
      Files.writeString(many.resolve("f" + number), "Include " + many + "/f*\n");
    }

    assertThatThrownBy(() -> read("gpu7", "Include " + many + "/*\n"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("include each other");
  }

  @Test
  void wordsMayBeQuotedAndDividedByAnEqualsSign() {
    assertThat(words("  IdentityFile = \"~/a b/key\"  # mine")).containsExactly("~/a b/key");
    assertThat(words("Port=2222")).containsExactly("2222");
    assertThat(words("\tHost\tgpu7 \"gpu 8\"")).containsExactly("gpu7", "gpu 8");
    assertThat(words("User 'a b'c\\ d\\\\e\r")).containsExactly("a bc d\\e");
    assertThat(words("User \"it's\"")).containsExactly("it's");
    assertThat(SshConfigLine.parse("ProxyCommand nc --x=y \"%h\" # all").rest())
        .isEqualTo("nc --x=y \"%h\" # all");
    assertThat(SshConfigLine.isEmpty("  # Host gpu7")).isTrue();
    assertThat(SshConfigLine.isEmpty(" \t \r")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "*,anything,true", "gpu?,gpu7,true", "gpu?,gpu77,false", "gpu?,gpu,false", "*.a.b,x.a.b,true",
    "*.a.b,a.b,false", "a*b*c,aXbYbZc,true", "a*b*c,aXbYb,false", "gpu7,GPU7,false", "**,x,true",
  })
  void patternsHaveStarsAndQuestionMarks(String pattern, String text, boolean fits) {
    assertThat(Wildcards.match(pattern, text)).isEqualTo(fits);
  }

  @Test
  void aHostilePatternTakesNoLongTime() {
    assertThat(Wildcards.match("*a".repeat(2_000) + "b", "a".repeat(20_000))).isFalse();
  }

  private static List<String> words(String line) {
    return SshConfigLine.parse(line).withWords().words();
  }

  private SshOptions read(String host, String text) throws IOException {
    Path file = Files.writeString(folder.resolve("config"), text);
    SshOptions options = new SshOptions();
    new SshConfigFileReader(
            SshSettings.of(folder).withConfigFile(file), SshTarget.parse(host), options)
        .read();
    return options;
  }

  @Test
  void patternsOfOneLineHoldTogether() {
    assertThat(Wildcards.matchOne(List.of("!a"), "b")).isFalse();
    assertThat(Wildcards.matchOne(List.of("a", "b"), "b")).isTrue();
    assertThat(Wildcards.matchOne(List.of(), "b")).isFalse();
  }
}
