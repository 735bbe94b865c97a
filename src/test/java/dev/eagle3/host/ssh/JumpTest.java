package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ways over jump hosts, each a real OpenSSH server with its own key, identity and known_hosts. */
@Tag("slow")
class JumpTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String OPENSSH = "ssh";
  private static final String NONE = "/nowhere/ssh";

  @TempDir Path folder;
  private final List<String> notes = new ArrayList<>();
  private final List<OpenSshServer> servers = new ArrayList<>();

  @BeforeEach
  void makeHome() throws Exception {
    Files.createDirectories(folder.resolve("home/.ssh"));
  }

  @AfterEach
  void stopServers() {
    servers.forEach(OpenSshServer::close);
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void aHostIsReachedOverTwoJumpHostsEachWithItsOwnKeys(String ssh) throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer second = start("second");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("b", second), entry("gpu7", last, "ProxyJump a,b"));

    try (Host host = connector(ssh).connect("gpu7")) {
      assertThat(host.name()).isEqualTo("gpu7");
      CommandResult result = host.run(Command.of("echo \"$SSH_CONNECTION\"", LONG));
      assertThat(result.stdout()).endsWith(" " + last.port() + "\n");
      assertThat(first.connections()).isEqualTo(1);
      assertThat(second.connections()).isEqualTo(1);

      // Large things pass.
      byte[] bytes = new byte[20_000_000];
      new Random(7).nextBytes(bytes);
      Path file = Files.write(folder.resolve("large"), bytes);
      try (InputStream in = host.files().open(file.toString(), 0)) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
      assertThat(host.run(Command.of("wc -c", LONG).withInput("x".repeat(3_000_000))).stdout())
          .contains("3000000");
    }
    Await.until(() -> servers.stream().allMatch(server -> server.connections() == 0));
    assertThat(notes).isEmpty();
  }

  @Test
  void aJumpHostIsReachedAsItsOwnSshConfigSays() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer second = start("second");
    OpenSshServer last = start("last");
    configure(
        entry("a", first), entry("b", second, "ProxyJump a"), entry("gpu7", last, "ProxyJump b"));

    try (Host host = connector(NONE).connect("gpu7")) {
      assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
      assertThat(first.connections()).isEqualTo(1);
    }
  }

  @Test
  void ofAListTheFirstAloneKeepsItsOwnWay() throws Exception {
    // As OpenSSH does: the list says how b is reached, whatever ssh_config says of b.
    OpenSshServer first = start("first");
    OpenSshServer second = start("second");
    OpenSshServer last = start("last");
    configure(
        entry("a", first),
        entry("b", second, "ProxyJump nowhere.invalid"),
        entry("gpu7", last, "ProxyJump a,b"));

    for (String ssh : List.of(OPENSSH, NONE)) {
      try (Host host = connector(ssh).connect("gpu7")) {
        assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
      }
    }
  }

  @Test
  void aJumpHostMayBeWrittenOutAndNoneSwitchesItOff() throws Exception {
    OpenSshServer first = start("first", "::1");
    OpenSshServer last = start("last");
    configure(
        entry("gpu7", last, "ProxyJump " + first.target()),
        entry("gpu8", last, "ProxyJump none"),
        "Host *\n  IdentityFile "
            + first.identity()
            + "\n  UserKnownHostsFile "
            + first.knownHosts()
            + "\n");

    for (String ssh : List.of(OPENSSH, NONE)) {
      try (Host host = connector(ssh).connect("gpu7")) {
        assertThat(first.target()).contains("@[::1]:");
        assertThat(first.connections()).isEqualTo(1);
        assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
      }
      Await.until(() -> first.connections() == 0);
      try (Host host = connector(ssh).connect("gpu8")) {
        assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
        assertThat(first.connections()).isZero();
      }
    }
  }

  @Test
  @Hostile("new keys of a jump host and of the host behind it")
  void newKeysAreWrittenUnderTheNamesOfTheHostsAndNoPassingPort() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    Path known = folder.resolve("home/.ssh/known_hosts");
    configure(
        entry("a", first), entry("gpu7", last, "ProxyJump a"), "Host *\n  HashKnownHosts no\n");
    String config = Files.readString(config());
    Files.writeString(
        config(),
        config
            .replace(first.knownHosts().toString(), known.toString())
            .replace(last.knownHosts().toString(), known.toString()));

    SshSettings settings = settings(OPENSSH).acceptingNewHostKeys();
    new SshConnector(settings, notes::add).connect("gpu7").close();

    assertThat(Files.readAllLines(known).stream().map(line -> line.substring(0, line.indexOf(' '))))
        .containsExactly("[127.0.0.1]:" + first.port(), "[127.0.0.1]:" + last.port());
    assertThat(notes).hasSize(2);
    // And they are known from then on.
    connector(OPENSSH).connect("gpu7").close();
  }

  @Test
  @Hostile("a jump host whose key has changed")
  void aJumpHostIsCheckedUnderItsOwnNameAndNamedWhenItsKeyHasChanged() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));
    Files.writeString(
        first.knownHosts(),
        Files.readString(last.knownHosts()).replaceAll(":[0-9]+", ":" + first.port()));

    Failure failure = failure("gpu7");

    assertThat(failure.subject()).isEqualTo("gpu7");
    assertThat(failure.problem())
        .startsWith("jump host a: 127.0.0.1:" + first.port() + ": its host key has changed");
    assertThat(last.connections()).isZero();
  }

  @Test
  @Hostile("a host behind a jump host whose key has changed")
  void theKeyOfTheHostBehindAJumpHostIsChecked() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));
    Files.writeString(
        last.knownHosts(),
        Files.readString(first.knownHosts()).replaceAll(":[0-9]+", ":" + last.port()));

    Failure failure = failure("gpu7");

    assertThat(failure.problem())
        .startsWith("127.0.0.1:" + last.port() + ": its host key has changed");
    Await.until(() -> first.connections() == 0);
  }

  @Test
  @Hostile("a jump host that forwards nothing")
  void aJumpHostThatForbidsForwardingIsOneSentence() throws Exception {
    OpenSshServer first = start("first", "127.0.0.1", "AllowTcpForwarding no");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));

    Failure failure = failure("gpu7");

    assertThat(failure.problem())
        .startsWith(
            "jump host a does not forward connections to 127.0.0.1:"
                + last.port()
                + " (AllowTcpForwarding or PermitOpen in its sshd_config)");
    Await.until(() -> first.connections() == 0);
  }

  @Test
  @Hostile("a jump host that cannot reach the host")
  void aJumpHostThatCannotReachTheHostSaysWhy() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(
        entry("a", first),
        entry("gpu7", last, "ProxyJump a"),
        entry("gpu8", last, "ProxyJump a").replace("HostName 127.0.0.1", "HostName no.invalid"));
    last.close();

    assertThat(failure("gpu7").problem())
        .isEqualTo(
            "jump host a cannot connect to 127.0.0.1:" + last.port() + ": Connection refused");
    assertThat(failure("gpu8").problem())
        .startsWith("jump host a cannot connect to no.invalid:" + last.port() + ": ");
  }

  @Test
  @Hostile("a jump host that does not let one in")
  void aLoginThatAJumpHostRefusesNamesIt() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(
        entry("a", first).replace(first.identity().toString(), last.identity().toString()),
        entry("gpu7", last, "ProxyJump a"));

    Failure failure = failure("gpu7");

    assertThat(failure.subject()).isEqualTo("gpu7");
    assertThat(failure.problem()).startsWith("jump host a: ").contains("login as");
  }

  @Test
  @Hostile("a jump host that nothing listens on")
  void aJumpHostThatIsNotThereIsNamed() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));
    first.close();

    assertThat(failure("gpu7").problem())
        .startsWith("jump host a: 127.0.0.1:" + first.port() + ": connection refused");
  }

  @Test
  @Hostile("a jump host that dies while a command runs")
  void aJumpHostThatDiesIsALossThatNamesIt() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));
    try (Host host = connector(OPENSSH).connect("gpu7")) {
      Path up = folder.resolve("up");
      CompletableFuture<CommandResult> result =
          CompletableFuture.supplyAsync(
              () -> host.run(Command.of("echo so far; echo x >" + up + "; exec sleep 60", LONG)));
      Await.until(() -> Files.exists(up));

      first.cutConnections();

      assertThat(result.get().ending())
          .isInstanceOfSatisfying(
              Ending.Lost.class,
              lost -> assertThat(lost.why()).contains("the connection to jump host a was lost"));
      assertThat(result.get().stdout()).isEqualTo("so far\n");
    }
  }

  @Test
  @Hostile("a host behind a jump host that dies while a command runs")
  void aHostThatDiesBehindAJumpHostIsALoss() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));
    try (Host host = connector(OPENSSH).connect("gpu7")) {
      Path up = folder.resolve("up");
      CompletableFuture<CommandResult> result =
          CompletableFuture.supplyAsync(
              () -> host.run(Command.of("echo x >" + up + "; exec sleep 60", LONG)));
      Await.until(() -> Files.exists(up));

      last.cutConnections();

      assertThat(result.get().ending()).isInstanceOf(Ending.Lost.class);
    }
  }

  @Test
  @Hostile("a jump host that freezes while a command runs")
  void aJumpHostThatFreezesIsNoticed() throws Exception {
    OpenSshServer first = start("first");
    OpenSshServer last = start("last");
    configure(entry("a", first), entry("gpu7", last, "ProxyJump a"));
    SshSettings settings = settings(OPENSSH).withHeartbeat(Duration.ofMillis(200), 3);
    try (Host host = new SshConnector(settings, notes::add).connect("gpu7")) {
      first.freeze();
      CommandResult result = host.run(Command.of("echo never", LONG));
      first.thaw();

      assertThat(result.ending())
          .isInstanceOfSatisfying(
              Ending.Lost.class, lost -> assertThat(lost.why()).contains("no sign of life"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  @Hostile("ssh_config that leads in a circle")
  void aCircleIsRefused(String ssh) throws Exception {
    configure(
        "Host a\n  ProxyJump b\nHost b\n  ProxyJump c\nHost c\n  ProxyJump a\n"
            + "Host itself\n  ProxyJump itself\n");

    assertThat(failure(ssh, "a").problem()).contains("in a circle");
    assertThat(failure(ssh, "itself").problem()).containsAnyOf("in a circle", "jumphost loop");
  }

  @Test
  @Hostile("a chain of jump hosts without end")
  void aLongChainIsRefused() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int hop = 0; hop < 20; hop++) {
      text.append("Host h" + hop + "\n  ProxyJump h" + (hop + 1) + "\n");
    }
    configure(text.toString());

    assertThat(failure("h0").problem()).contains("over more than 8 jump hosts");
    assertThat(failure("x").problem()).doesNotContain("jump");
  }

  @Test
  @Hostile("a ProxyJump that is no host")
  void aJumpThatIsNoHostIsNamed() throws Exception {
    configure("Host gpu7\n  ProxyJump a,,b\n", "Host gpu8\n  ProxyJump \"-oProxyCommand=x\"\n");

    assertThat(failure(NONE, "gpu7").problem()).contains("ProxyJump").contains("host is empty");
    assertThat(failure(NONE, "gpu8").problem()).contains("ProxyJump").contains("begin with -");
  }

  private OpenSshServer start(String name, String... addressAndConfiguration) throws Exception {
    OpenSshServer.Setup setup = OpenSshServer.in(Files.createDirectories(folder.resolve(name)));
    if (addressAndConfiguration.length > 0) {
      setup.address(addressAndConfiguration[0]);
    }
    for (int index = 1; index < addressAndConfiguration.length; index++) {
      setup.configuration(addressAndConfiguration[index]);
    }
    OpenSshServer server = setup.start();
    servers.add(server);
    return server;
  }

  private static String entry(String alias, OpenSshServer server, String... more) {
    return String.join(
            "\n  ",
            "Host " + alias,
            "HostName " + server.host(),
            "Port " + server.port(),
            "User " + server.user(),
            "IdentityFile " + server.identity(),
            "UserKnownHostsFile " + server.knownHosts(),
            String.join("\n  ", more))
        + "\n";
  }

  private Path config() {
    return folder.resolve("home/.ssh/config");
  }

  private void configure(String... entries) throws Exception {
    Files.writeString(config(), String.join("", entries));
  }

  private SshSettings settings(String ssh) {
    return SshSettings.of(folder.resolve("home")).withSshProgram(ssh);
  }

  private SshConnector connector(String ssh) {
    return new SshConnector(settings(ssh), notes::add);
  }

  private Failure failure(String target) {
    return failure(OPENSSH, target);
  }

  private Failure failure(String ssh, String target) {
    Failure failure =
        catchThrowableOfType(Failure.class, () -> connector(ssh).connect(target).close());
    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).doesNotContain("Exception").doesNotContain("\n");
    return failure;
  }
}
