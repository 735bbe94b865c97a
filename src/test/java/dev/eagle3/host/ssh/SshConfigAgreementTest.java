package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.eagle3.outcome.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Our own reading of ssh_config against OpenSSH's, which is the judge. */
@Tag("slow")
class SshConfigAgreementTest {
  private static final List<String> WORDS =
      List.of("hostname", "user", "port", "proxyjump", "proxycommand", "hostkeyalias");

  @TempDir Path folder;

  @BeforeEach
  void makeFiles() throws Exception {
    Files.createDirectories(folder.resolve("more/deep"));
    Files.writeString(folder.resolve("more/b.conf"), "Host gpu*\n  User from-b\n  Port 2\n");
    Files.writeString(folder.resolve("more/a.conf"), "Match host gpu7\n  User from-a\n");
    Files.writeString(folder.resolve("more/.hidden.conf"), "User hidden\n");
    Files.writeString(
        folder.resolve("more/deep/c.conf"), "Include " + folder + "/more/b.conf\nPort 3\n");
    Files.writeString(folder.resolve("more/loop"), "Include " + folder + "/more/loop\n");
  }

  static Stream<String> good() {
    return Stream.of(
        "",
        "# nothing\n\n  \t\n",
        "User=me\nPort = 22\nHostName   =gpu7.example\n",
        "user me\r\nPORT 2022\r\n",
        "\tUser\tme\t\n",
        "User \"me\"\nHostName gpu.example # comment\n",
        "Host gpu7\n  User a\nHost *\n  User b\n  Port 5\n",
        "Host gpu* !gpu7\n  User a\nHost *\n  User b\n",
        "Host other gpu?\n  Port 9\n",
        "Host \"gpu7\" x\n  Port 9\n",
        "HostName %h.example\nMatch host gpu7.example\n  User a\n",
        "Match originalhost gpu7\n  User a\nMatch all\n  Port 7\n",
        "Match host gpu8,gpu7,!gpu9\n  User a\n",
        "Match host *,!gpu7\n  User a\nMatch !host gpu8\n  Port 7\n",
        "User root\nMatch user root\n  Port 7\n",
        "Match user root,admin\n  Port 7\nMatch localuser *\n  User someone\n",
        "Match final\n  User last\nMatch all\n  Port 7\n",
        "Match final host gpu7\n  User last\n",
        "Match canonical\n  User never\nMatch all\n  Port 7\n",
        "Match canonical\n  User always\nMatch final all\n  Port 7\n",
        "Include F/more/*.conf\n",
        "Include F/more/b.conf F/more/a.conf\nUser after\n",
        "Include F/missing F/more/[\nUser after\n",
        "Host other\n  Include F/more/b.conf\nHost *\n  Port 7\n",
        "Host gpu7\n  Include F/more/a.conf\n  Port 8\n",
        "Host gpu7\n  Include F/more/b.conf\nHost other\n  User no\n",
        "Include F/more/deep/*\nPort 8\n",
        "Include \"F/more/b.conf\"\n",
        "ProxyJump a,b\nProxyCommand nc %h\n",
        "ProxyCommand nc --x=y \"a  b\" 'c' %h # all of it\nProxyJump a\n",
        "ProxyJump none\nProxyCommand nc\n",
        "ProxyCommand none\nProxyJump a\n",
        "ProxyJump u@[::1]:2200\n",
        "ProxyJump = ssh://u@jump:2200\n",
        "HostKeyAlias cluster\nHostKeyAlias other\n",
        "User a\\\\b\nHostKeyAlias \"x\\\"y\"\n",
        "HostName 'gpu7.example'\n");
  }

  static Stream<String> bad() {
    return Stream.of(
        "User\n",
        "User \n",
        "User=\n",
        "Host\n",
        "Match\n",
        "Match host\n",
        "Match all host gpu7\n",
        "User \"open end\n",
        "User 'open end\n",
        "Port many\n",
        "Port 65536\n",
        "Port 0\n",
        "Port -1\n",
        "Include\n",
        "Include F/more/loop\n",
        "!?\n");
  }

  @ParameterizedTest
  @MethodSource("good")
  void whatOpenSshReadsIsReadTheSame(String text) throws Exception {
    SshSettings settings = configure(text);
    for (String host : List.of("gpu7", "root@gpu7:4", "other")) {
      SshTarget target = SshTarget.parse(host);
      SshOptions theirs =
          new SshProgramOptionsReader(settings).read(target, Optional.empty()).orElseThrow();
      SshOptions ours = new SshOptions();
      new SshConfigFileReader(settings, target, ours).read();

      List<String> differences = new ArrayList<>();
      for (String word : WORDS) {
        String said = theirs.first(word).filter(value -> !value.equals("none")).orElse("");
        String own = own(ours, target, word);
        if (!said.equals(own)) {
          differences.add(host + " " + word + ": ssh " + said + ", here " + own);
        }
      }
      assertThat(differences).isEmpty();
      assertThat(ours.notes()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("bad")
  void whatOpenSshRefusesIsRefusedWithItsPlace(String text) throws Exception {
    SshSettings settings = configure(text);
    SshTarget target = SshTarget.parse("gpu7");
    assertThat(
            catchThrowable(
                () -> new SshProgramOptionsReader(settings).read(target, Optional.empty())))
        .isInstanceOf(Failure.class);

    assertThat(
            catchThrowable(
                () ->
                    new SshDestinationResolver(settings.withSshProgram("/nowhere/ssh"), note -> {})
                        .resolve(target, Optional.empty())))
        .isInstanceOfSatisfying(
            Failure.class,
            failure ->
                assertThat(failure.subject() + failure.problem())
                    .containsPattern("config:1|loop:1|Port"));
  }

  private SshSettings configure(String text) throws Exception {
    Path file = folder.resolve("config");
    Files.writeString(file, text.replace("F/", folder + "/"));
    return SshSettings.of(folder).withConfigFile(file);
  }

  /** As {@code ssh -G} prints it, where the target and defaults count too. */
  private static String own(SshOptions options, SshTarget target, String word) {
    String value = options.firstSet(word).orElse("");
    return switch (word) {
      case "hostname" -> value.isEmpty() ? target.host() : value.replace("%h", target.host());
      case "user" ->
          target.user().orElse(value.isEmpty() ? System.getProperty("user.name") : value);
      case "port" ->
          target.port().isPresent()
              ? String.valueOf(target.port().getAsInt())
              : value.isEmpty() ? "22" : value;
      case "proxyjump" -> value.replace("ssh://", "");
      default -> value;
    };
  }
}
