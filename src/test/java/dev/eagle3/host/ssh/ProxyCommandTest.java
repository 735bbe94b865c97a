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
import dev.eagle3.testing.Tools;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real server behind a ProxyCommand, in every state that the command can be in. */
@Tag("slow")
class ProxyCommandTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final String OPENSSH = "ssh";
  private static final String NONE = "/nowhere/ssh";

  @TempDir static Path serverFolder;
  private static OpenSshServer server;
  private static String netcat;

  @TempDir Path folder;
  private final List<String> notes = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    server = OpenSshServer.in(serverFolder).start();
    netcat = Tools.find("busybox") + " nc";
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void makeHome() throws Exception {
    Files.createDirectories(folder.resolve(".ssh"));
  }

  @ParameterizedTest
  @ValueSource(strings = {OPENSSH, NONE})
  void aHostIsReachedThroughItsCommandAndNothingIsLeft(String ssh) throws Exception {
    Path pid = folder.resolve("pid");
    configure("echo $$ >" + pid + "; exec " + netcat + " %h %p");
    try (Host host = connector(settings(ssh)).connect("gpu7")) {
      assertThat(host.run(Command.of("echo hello", LONG)).stdout()).isEqualTo("hello\n");
      assertThat(process(pid)).isPresent();
      byte[] bytes = new byte[5_000_000];
      new Random(7).nextBytes(bytes);
      Path file = Files.write(folder.resolve("large"), bytes);
      try (InputStream in = host.files().open(file.toString(), 0)) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    }
    Await.until(() -> process(pid).isEmpty() && server.connections() == 0);
    assertThat(notes).isEmpty();
  }

  @Test
  void theTokensOfSshConfigAreFilledIn() throws Exception {
    Path said = folder.resolve("said");
    String line = "sh -c 'echo \"$1\" >" + said + "; exec " + netcat + " $2 $3'";
    Files.writeString(
        config(), entry("gpu7") + "ProxyCommand " + line + " x \"%n %r 100%%  b\" %h %p\n");

    for (String ssh : List.of(OPENSSH, NONE)) {
      connector(settings(ssh)).connect("gpu7").close();

      assertThat(said).hasContent("gpu7 " + server.user() + " 100%  b");
      Files.delete(said);
    }
  }

  @Test
  @Hostile("a ProxyCommand that ignores the end of everything")
  void aCommandThatDoesNotEndIsEndedWithAllThatItStarted() throws Exception {
    Path pids = folder.resolve("pids");
    configure(
        "trap '' TERM HUP; (trap '' TERM HUP; echo $$ >>"
            + pids
            + "; sleep 600) & echo $$ >>"
            + pids
            + "; "
            + netcat
            + " %h %p; sleep 600");
    connector(settings(OPENSSH)).connect("gpu7").close();

    Await.until(() -> Files.readAllLines(pids).stream().allMatch(pid -> find(pid).isEmpty()));
    Await.until(() -> server.connections() == 0);
  }

  @Test
  @Hostile("a ProxyCommand that fails")
  void aCommandThatFailsSaysWhy() throws Exception {
    configure("echo first >&2; printf 'no such\\033[2J bastion\\n' >&2; exit 7");

    Failure failure = failure(settings(OPENSSH));

    assertThat(failure.subject()).isEqualTo("gpu7");
    assertThat(failure.problem())
        .contains(" through ProxyCommand `sh ")
        .endsWith(" ended with code 7: no such\\x1b[2J bastion");
    assertThat(failure.tryNext()).contains("--via 'ssh gpu7 sh'");
  }

  @Test
  @Hostile("a ProxyCommand that does not exist")
  void aCommandThatIsNotThereSaysSo() throws Exception {
    Files.writeString(config(), entry("gpu7") + "ProxyCommand /nowhere/connect-proxy %h %p\n");

    assertThat(failure(settings(OPENSSH)).problem())
        .contains("ended with code 127: ")
        .contains("/nowhere/connect-proxy")
        .contains("not found");
  }

  @Test
  @Hostile("a ProxyCommand that prints garbage")
  void garbageIsShownAndHarmless() throws Exception {
    configure("echo 'Please log in at \\033[31m https://sso'; exec cat /dev/zero");
    assertThat(failure(settings(OPENSSH)).problem())
        .contains("does not speak SSH; it says: Please log in at");

    configure("exec cat /dev/urandom");
    assertThat(failure(settings(OPENSSH)).problem()).contains("does not speak SSH");
  }

  @Test
  @Hostile("lines of noise before the server's version")
  void noiseBeforeTheVersionIsPassedOver() throws Exception {
    configure(
        "echo 'Welcome to the cluster'; echo; echo '\033[31mbe kind'; exec " + netcat + " %h %p");

    try (Host host = connector(settings(OPENSSH)).connect("gpu7")) {
      assertThat(host.run(Command.of("echo hello", LONG)).stdout()).isEqualTo("hello\n");
    }
  }

  @Test
  @Hostile("a ProxyCommand that hangs")
  void aCommandThatHangsIsGivenUpAndEnded() throws Exception {
    Path pid = folder.resolve("pid");
    configure("echo $$ >" + pid + "; echo waiting for the moon >&2; exec sleep 600");

    Failure failure =
        failure(settings(OPENSSH).withLimits(Duration.ofMillis(500), Duration.ofSeconds(5)));

    assertThat(failure.problem())
        .contains("took the connection and said nothing within 0.5 s")
        .endsWith("says: waiting for the moon");
    assertThat(failure.tryNext()).contains("--via 'ssh gpu7 sh'");
    Await.until(() -> process(pid).isEmpty());
  }

  @Test
  @Hostile("a ProxyCommand that says more than anybody reads")
  void whatACommandSaysIsKeptToALimit() throws Exception {
    configure("yes complaint >&2 & exec " + netcat + " %h %p");

    try (Host host = connector(settings(OPENSSH)).connect("gpu7")) {
      assertThat(host.run(Command.of("echo hello", LONG)).stdout()).isEqualTo("hello\n");
    }
  }

  @Test
  @Hostile("a ProxyCommand that dies while a command runs")
  void aCommandThatDiesIsALoss() throws Exception {
    Path pid = folder.resolve("pid");
    configure("echo $$ >" + pid + "; exec " + netcat + " %h %p");
    try (Host host = connector(settings(OPENSSH)).connect("gpu7")) {
      Path up = folder.resolve("up");
      CompletableFuture<CommandResult> result =
          CompletableFuture.supplyAsync(
              () -> host.run(Command.of("echo x >" + up + "; exec sleep 60", LONG)));
      Await.until(() -> Files.exists(up));

      process(pid).orElseThrow().destroyForcibly();

      assertThat(result.get().ending())
          .isInstanceOfSatisfying(
              Ending.Lost.class,
              lost -> assertThat(lost.why()).contains("ProxyCommand").contains("code 137"));
    }
  }

  @Test
  void aCommandThatPassesASocketLeadsToTheUsersOwnSsh() throws Exception {
    configure("true");
    Files.writeString(config(), Files.readString(config()) + "  ProxyUseFdpass yes\n");

    for (String ssh : List.of(OPENSSH, NONE)) {
      Failure failure = failure(settings(ssh));

      assertThat(failure.problem()).contains("ProxyUseFdpass");
      assertThat(failure.tryNext()).contains("--via 'ssh gpu7 sh'");
    }
  }

  @Test
  void theKeyOfTheHostIsCheckedUnderItsNameWhateverTheCommandReaches() throws Exception {
    configure(netcat + " " + server.host() + " " + server.port());
    Files.writeString(
        config(),
        Files.readString(config())
            .replace("HostName 127.0.0.1", "HostName gpu7.invalid")
            .replace("Port " + server.port(), "Port 22"));
    Path known = folder.resolve("known");
    String line = Files.readString(server.knownHosts());
    Files.writeString(known, "gpu7.invalid" + line.substring(line.indexOf(' ')));
    Files.writeString(
        config(),
        Files.readString(config()).replace(server.knownHosts().toString(), known.toString()));

    connector(settings(OPENSSH)).connect("gpu7").close();
    Files.writeString(known, "");
    assertThat(failure(settings(OPENSSH)).problem())
        .startsWith("gpu7.invalid:22: its host key ED25519 ");
  }

  @Test
  void aJumpHostMayStandBehindACommand() throws Exception {
    configure("exec " + netcat + " %h %p");
    Files.writeString(
        config(),
        Files.readString(config())
            + entry("far").replace("Host far\n", "Host far\n  ProxyJump gpu7\n"));

    try (Host host = connector(settings(OPENSSH)).connect("far")) {
      assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  @Test
  void theWayRoundNamesTheHostThatWasAskedFor() throws Exception {
    Files.writeString(
        config(),
        entry("bastion")
            + "ProxyCommand exec true\n  ProxyUseFdpass yes\n"
            + entry("gpu7").replace("Host gpu7\n", "Host gpu7\n  ProxyJump bastion\n"));

    Failure failure = failure(settings(OPENSSH));

    assertThat(failure.subject()).isEqualTo("gpu7");
    assertThat(failure.problem()).startsWith("jump host bastion: ");
    assertThat(failure.tryNext()).contains("--via 'ssh gpu7 sh'");
  }

  private Path config() {
    return folder.resolve(".ssh/config");
  }

  private static String entry(String alias) {
    return String.join(
        "\n  ",
        "Host " + alias,
        "HostName " + server.host(),
        "Port " + server.port(),
        "User " + server.user(),
        "IdentityFile " + server.identity(),
        "UserKnownHostsFile " + server.knownHosts(),
        "");
  }

  private void configure(String command) throws Exception {
    Path script = folder.resolve("proxy.sh");
    Files.writeString(script, command.replace("%h", "$1").replace("%p", "$2") + "\n");
    Files.writeString(config(), entry("gpu7") + "ProxyCommand sh " + script + " %h %p\n");
  }

  private SshSettings settings(String ssh) {
    return SshSettings.of(folder).withSshProgram(ssh);
  }

  private SshConnector connector(SshSettings settings) {
    return new SshConnector(settings, notes::add);
  }

  private Failure failure(SshSettings settings) {
    Failure failure =
        catchThrowableOfType(Failure.class, () -> connector(settings).connect("gpu7").close());
    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem())
        .doesNotContain("Exception")
        .doesNotContain("\n")
        .doesNotContain("\u001b");
    return failure;
  }

  private static Optional<ProcessHandle> process(Path pid) throws Exception {
    return find(Files.readString(pid).strip());
  }

  private static Optional<ProcessHandle> find(String pid) {
    return ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive);
  }
}
