package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Command;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.command.CommandFactory;
import org.apache.sshd.server.shell.ProcessShellFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that answer the request to run a command with a refusal. */
@Tag("slow")
class RefusedCommandTest {
  /** Far longer than a test may take: nothing here may wait for the time of a step. */
  private static final Duration LONG = Duration.ofHours(1);

  private static final String WHY =
      "the server runs no commands: it gives a login shell alone, or only a terminal";

  @TempDir Path home;
  private AskingServer server;

  @BeforeEach
  void make() throws Exception {
    server = new AskingServer(home);
    server.key(KeyMaker.make(home.resolve(".ssh/id_ed25519"), ""));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  @Hostile("a server that gives a login shell and runs no command")
  void aServerThatRunsNoCommandIsNamedWithTheWayRound() throws Exception {
    server.start();

    Failure failure = refusal(host -> new HostScripts(host).run(probe()));

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.subject()).isEqualTo(server.target());
    assertThat(failure.problem()).isEqualTo(WHY);
    assertThat(failure.tryNext()).contains(tryNext());
  }

  @Test
  @Hostile("a server that runs commands for a terminal only")
  void aServerThatWantsATerminalIsToldAtOnce() throws Exception {
    server.commands(forTerminals()).start();

    Failure failure = refusal(host -> new HostScripts(host).start(probe()).close());

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).isEqualTo(WHY);
  }

  @Test
  @Hostile("a server that refuses one command after the other")
  void theConnectionStaysAndEachCommandEndsAsRefused() throws Exception {
    server.commands(forTerminals()).start();

    try (Host host = connect()) {
      for (int turn = 0; turn < 12; turn++) {
        assertThat(host.run(Command.of("true", LONG).withInput("x".repeat(100_000))).ending())
            .isEqualTo(new Ending.Refused(WHY, tryNext()));
        try (RunningCommand running = host.start(Command.of("true", LONG))) {
          assertThat(new String(running.stdout().readAllBytes(), UTF_8)).isEmpty();
          assertThat(running.ending()).isInstanceOf(Ending.Refused.class);
        }
      }
      assertThat(host.isConnected()).isTrue();
    }
  }

  private String tryNext() {
    String words = "ssh -p " + server.target().replaceFirst("(.*):(.*)", "$2 $1");
    return "--via '" + words + "', which gives the commands to that login shell";
  }

  private static ScriptCall probe() {
    return ScriptCall.of("probe-host").within(LONG);
  }

  private static CommandFactory forTerminals() {
    return (channel, line) -> {
      if (channel.getEnvironment().getEnv().get(Environment.ENV_TERM) == null) {
        throw new IOException("a terminal is required");
      }
      return new ProcessShellFactory(line, "/bin/sh", "-c", line).createShell(channel);
    };
  }

  private Host connect() {
    return new SshConnector(SshSettings.of(home), note -> {}).connect(server.target());
  }

  /** What is done with a host. */
  private interface Doing {
    void with(Host host);
  }

  private Failure refusal(Doing doing) {
    try (Host host = connect()) {
      Failure failure = catchThrowableOfType(Failure.class, () -> doing.with(host));
      assertThat(failure).isNotNull();
      return failure;
    }
  }
}
