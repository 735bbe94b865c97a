package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One RSA key signs with either hash; which one is the server's to say. */
@Tag("slow")
class RsaLoginTest {
  @TempDir Path home;
  private AskingServer server;
  private Path key;

  @BeforeEach
  void make() throws Exception {
    server = new AskingServer(home);
    key = KeyMaker.make(home.resolve(".ssh/id_rsa"), "rsa", "PEM", "");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"rsaSHA256", "rsaSHA512"})
  void aFileAndAnAgentSignWithTheHashThatTheServerTakes(BuiltinSignatures hash) throws Exception {
    server.key(key).signatures(hash).start();

    logIn(SshSettings.of(home));

    try (SshAgentProcess agent = SshAgentProcess.start(home)) {
      agent.add(key);
      Files.delete(key);
      logIn(SshSettings.of(home).withAgent(agent.socket()));
    }
  }

  @Test
  void aServerThatTakesNoShaTwoIsTold() throws Exception {
    server.key(key).signatures(BuiltinSignatures.rsa).start();

    Failure failure = catchThrowableOfType(Failure.class, () -> logIn(SshSettings.of(home)));

    assertThat(failure.problem()).contains(key + " (RSA): the server takes no RSA key with SHA-2");
  }

  private void logIn(SshSettings settings) {
    try (Host host = new SshConnector(settings, note -> {}).connect(server.target())) {
      assertThat(host.name()).isEqualTo(server.target());
    }
  }
}
