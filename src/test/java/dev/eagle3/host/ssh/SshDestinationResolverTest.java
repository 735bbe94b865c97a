package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both ways to read ssh_config, where they must agree: OpenSSH's own, and ours without it. */
class SshDestinationResolverTest {
  private static final String OPENSSH = "ssh";
  private static final String NONE = "/nowhere/ssh";

  @TempDir Path home;
  private final List<String> notes = new ArrayList<>();

  @BeforeEach
  void makeFolder() throws Exception {
    Files.createDirectories(home.resolve(".ssh"));
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void withoutAConfigurationEverythingIsAsUsual(String ssh) {
    SshDestination found = resolve(ssh, "root@GPU7.example:2222");

    assertThat(found.user()).isEqualTo("root");
    assertThat(found.address()).isEqualToIgnoringCase("gpu7.example");
    assertThat(found.port()).isEqualTo(2222);
    assertThat(found.hostKeyName()).isEqualTo("[gpu7.example]:2222");
    assertThat(found.identityFiles())
        .containsExactly(
            home.resolve(".ssh/id_ed25519"),
            home.resolve(".ssh/id_ecdsa"),
            home.resolve(".ssh/id_rsa"));
    assertThat(found.identityFilesChosen()).isFalse();
    assertThat(found.knownHosts())
        .containsExactly(home.resolve(".ssh/known_hosts"), home.resolve(".ssh/known_hosts2"));
    assertThat(found.systemKnownHosts()).contains(Path.of("/etc/ssh/ssh_known_hosts"));
    assertThat(found.hostKeyPolicy()).isEqualTo(HostKeyPolicy.ASK);
    assertThat(resolve(ssh, "gpu7").user()).isEqualTo(System.getProperty("user.name"));
    assertThat(resolve(ssh, "gpu7").hostKeyName()).isEqualTo("gpu7");
    assertThat(resolve(ssh, "root@[::1]:22").address()).isEqualTo("::1");
    assertThat(notes).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void anAliasLeadsWhereTheUsersFileSays(String ssh) throws Exception {
    configure(
        """
        Host gpu7 gpu8
          HostName %h.cluster.example
          User engineer
          Port 2200
          IdentityFile "~/my keys/%h-%r"
          IdentityFile ~/.ssh/second
          IdentitiesOnly yes
          UserKnownHostsFile ~/.ssh/cluster
          StrictHostKeyChecking accept-new
        Host *
          User nobody
        """);

    SshDestination found = resolve(ssh, "gpu7");

    assertThat(found.address()).isEqualTo("gpu7.cluster.example");
    assertThat(found.user()).isEqualTo("engineer");
    assertThat(found.port()).isEqualTo(2200);
    assertThat(found.hostKeyName()).isEqualTo("[gpu7.cluster.example]:2200");
    assertThat(found.identityFiles())
        .containsExactly(
            home.resolve("my keys/gpu7.cluster.example-engineer"), home.resolve(".ssh/second"));
    assertThat(found.identityFilesChosen()).isTrue();
    assertThat(found.knownHosts()).hasSize(1);
    assertThat(found.hostKeyPolicy()).isEqualTo(HostKeyPolicy.ACCEPT);
    assertThat(resolve(ssh, "root@gpu7:22").user()).isEqualTo("root");
    assertThat(resolve(ssh, "root@gpu7:22").port()).isEqualTo(22);
    assertThat(resolve(ssh, "elsewhere").user()).isEqualTo("nobody");
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void anotherFileAndAnAliasOfTheKeyMayBeNamed(String ssh) throws Exception {
    configure("Host *\n  User nobody\n");
    Path file = Files.writeString(home.resolve("own"), "Host a\n HostKeyAlias cluster\n User me\n");

    SshDestination found =
        new SshDestinationResolver(
                SshSettings.of(home).withSshProgram(ssh).withConfigFile(file), notes::add)
            .resolve(SshTarget.parse("a"), Optional.empty());

    assertThat(found.user()).isEqualTo("me");
    assertThat(found.hostKeyName()).isEqualTo("cluster");
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void tokensAndVariablesInKnownHostsFilesAreFilledIn(String ssh) throws Exception {
    configure(
        """
        Host gpu7
          HostName 10.0.0.7
          User me
          Port 2200
          HostKeyAlias cluster
          UserKnownHostsFile ~/%k %d/%n-%h-%p-%r-%u %d/%i%%h ${HOME}/%C %d/%L
          GlobalKnownHostsFile ~/%h
        """);

    SshDestination found =
        new SshDestinationResolver(
                SshSettings.of(home)
                    .withSshProgram(ssh)
                    .withEnvironment(Map.of("HOME", home.toString())),
                notes::add)
            .resolve(SshTarget.parse("gpu7"), Optional.empty());

    String local = InetAddress.getLocalHost().getHostName();
    String user = System.getProperty("user.name");
    // ssh takes ~ and %d from the account, whatever HOME says.
    Path base = ssh.equals(OPENSSH) ? Path.of(System.getProperty("user.home")) : home;
    assertThat(found.knownHosts())
        .containsExactly(
            base.resolve("cluster"),
            base.resolve("gpu7-10.0.0.7-2200-me-" + user),
            base.resolve(Files.getAttribute(Path.of("/proc/self"), "unix:uid") + "%h"),
            home.resolve(sha1(local + "10.0.0.7" + "2200" + "me")),
            base.resolve(local.replaceFirst("\\..*", "")));
    assertThat(found.systemKnownHosts()).containsExactly(home.resolve("%h"));
  }

  @Test
  void theLastJumpHostIsATokenToo() throws Exception {
    // Not yet one of OpenSSH 9.2.
    configure("Host gpu7\n  ProxyJump a,root@b:22\n  UserKnownHostsFile ~/%j\n");

    assertThat(resolve(NONE, "gpu7").knownHosts()).containsExactly(home.resolve("b"));
  }

  private static String sha1(String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void aliveCountsAreFollowedAlsoWithoutAnIntervalAndNoneIsOne(String ssh) throws Exception {
    configure(
        """
        Host gpu7
          ServerAliveCountMax 0
        Host gpu8
          ServerAliveInterval 4
          ServerAliveCountMax 7
        """);
    SshSettings settings = SshSettings.of(home);

    assertThat(resolve(ssh, "gpu7").adjusted(settings).missedHeartbeats()).isEqualTo(1);
    assertThat(resolve(ssh, "gpu7").adjusted(settings).heartbeat()).isEqualTo(settings.heartbeat());
    assertThat(resolve(ssh, "gpu8").adjusted(settings).missedHeartbeats()).isEqualTo(7);
    assertThat(resolve(ssh, "gpu8").adjusted(settings).heartbeat())
        .isEqualTo(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void includeAndMatchAreFollowed(String ssh) throws Exception {
    Files.writeString(home.resolve("more"), "Match host gpu7\n  User matched\n");
    configure("Include " + home.resolve("more") + "\n");

    assertThat(resolve(ssh, "gpu7").user()).isEqualTo("matched");
    assertThat(notes).isEmpty();
  }

  private void configure(String text) throws Exception {
    Files.writeString(home.resolve(".ssh/config"), text);
  }

  private SshDestination resolve(String ssh, String target) {
    return new SshDestinationResolver(SshSettings.of(home).withSshProgram(ssh), notes::add)
        .resolve(SshTarget.parse(target), Optional.empty());
  }
}
