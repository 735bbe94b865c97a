package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of a real ssh-agent, on a real OpenSSH server with its usual limit of six tries. */
@Tag("slow")
class AgentLoginTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;

  @TempDir Path home;
  private LoginFixture user;
  private SshAgentProcess agent;

  @BeforeAll
  static void start() throws Exception {
    server = LoginFixture.start(serverFolder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void know() throws Exception {
    user = new LoginFixture(server, LoginFixture.authorized(serverFolder), home);
    agent = SshAgentProcess.start(home);
    user.agent(agent.socket());
  }

  @AfterEach
  void end() {
    agent.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ed25519", "ecdsa", "rsa"})
  void aKeyOfTheAgentLogsIn(String type) throws Exception {
    user.authorize(held("key", type));

    user.logIn();

    assertThat(user.notes()).isEmpty();
  }

  @Test
  void aKeyThatTheConfigurationNamesByItsPublicHalfComesFirst() throws Exception {
    for (int number = 0; number < 8; number++) {
      held("other" + number, "ed25519");
    }
    Path key = held("mine", "ed25519");
    user.authorize(key);
    Files.copy(elsewhere("mine.pub"), user.ssh("mine.pub"));
    user.configure("IdentityFile ~/.ssh/mine.pub");

    user.logIn();
  }

  @Test
  void identitiesOnlyLeavesTheOtherKeysOfTheAgentAlone() throws Exception {
    Path other = held("other", "ed25519");
    user.authorize(other);
    Path mine = held("mine", "ed25519");
    Files.copy(elsewhere("mine.pub"), user.ssh("mine.pub"));
    user.configure("IdentityFile ~/.ssh/mine.pub");
    user.configure("IdentitiesOnly yes");

    Failure failure = user.refusal();

    assertThat(failure.problem())
        .contains("refused the agent's mine (ED25519)")
        .doesNotContain("other");
    user.authorize(mine);
    user.logIn();
  }

  @Test
  void aLockedKeyThatTheAgentAlsoHoldsIsNotAskedFor() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");
    agent.add(key);
    user.authorize(key);
    lock(key);
    ScriptedPrompter prompter = new ScriptedPrompter();
    user.prompter(prompter);

    user.logIn();

    assertThat(prompter.questions()).isEmpty();
  }

  @Test
  @Hostile("an agent with more keys than the server lets one try")
  void aFullAgentLeavesRoomForTheKeyInAFile() throws Exception {
    for (int number = 0; number < 12; number++) {
      held("other" + number, "ed25519");
    }
    KeyMaker.make(user.ssh("wrong"), "");
    user.authorize(KeyMaker.make(user.ssh("right"), ""));
    user.configure("IdentityFile ~/.ssh/wrong");
    user.configure("IdentityFile ~/.ssh/right");

    user.logIn();
  }

  @Test
  @Hostile("too many authentication failures")
  void aServerThatHangsUpAfterTooManyKeysIsTold() throws Exception {
    for (int number = 0; number < 12; number++) {
      held("other" + number, "ed25519");
    }

    Failure failure = user.refusal();

    assertThat(failure.problem())
        .contains("refused the agent's other0 (ED25519), the agent's other1 (ED25519)")
        .contains("Too many authentication failures")
        .contains("(MaxAuthTries in its sshd_config)");
    assertThat(failure.tryNext().orElseThrow()).contains("IdentityFile and IdentitiesOnly yes");
  }

  @Test
  void whereAPersonCanBeAskedTriesAreKeptForThem() throws Exception {
    for (int number = 0; number < 12; number++) {
      held("other" + number, "ed25519");
    }
    ScriptedPrompter prompter = new ScriptedPrompter("no such password");
    user.prompter(prompter);

    Failure failure = user.refusal();

    assertThat(prompter.questions()).isNotEmpty();
    assertThat(failure.problem()).contains("8 more keys of the ssh-agent were kept back");
  }

  @Test
  void identityAgentNamesAnotherAgentOrNone() throws Exception {
    user.authorize(held("key", "ed25519"));
    user.configure("IdentityAgent none");
    assertThat(user.refusal().problem()).contains("no ssh-agent");

    for (String name : new String[] {"~/agent", "%d/agent", "$MINE", "${HOME}/agent"}) {
      Path config = Files.writeString(home.resolve("other"), "IdentityAgent " + name + "\n");
      SshSettings settings =
          SshSettings.of(home)
              .withConfigFile(config)
              // ssh -G knows one home only, that of the account.
              .withSshProgram("/nonexistent/ssh")
              .withEnvironment(Map.of("MINE", agent.socket().toString(), "HOME", home.toString()));
      user.logIn(settings);
    }
  }

  @Test
  void anAgentThatRefusesToSignLeavesTheFile() throws Exception {
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");
    user.authorize(key);
    // Confirmation through a program that says no.
    agent.close();
    Path no = Files.writeString(home.resolve("no"), "#!/bin/sh\nexit 1\n");
    assertThat(no.toFile().setExecutable(true)).isTrue();
    agent = SshAgentProcess.start(home, Map.of("SSH_ASKPASS", no.toString(), "DISPLAY", ":0"));
    agent.sshAdd("-q", "-c", key.toString());

    user.logIn();
  }

  @Test
  @Hostile("an agent that died and left its socket")
  void aSocketWhereNobodyListensIsPassedOver() throws Exception {
    agent.kill();
    assertThat(Files.exists(agent.socket())).isTrue();
    Path key = KeyMaker.make(user.ssh("id_ed25519"), "");

    assertThat(user.refusal().problem())
        .contains("the ssh-agent at " + agent.socket() + " cannot be reached");

    user.authorize(key);
    user.logIn();
    assertThat(user.notes()).isEmpty();
  }

  @Test
  void anAgentWithoutKeysAndNoFilesIsNamedBeforeAnythingIsConnected() throws Exception {
    assertThat(user.refusal().problem())
        .startsWith("no key to log in with: none of ")
        .contains("the ssh-agent holds none");
  }

  /** A key that only the agent has; its public half stays in another folder. */
  private Path held(String name, String type) throws Exception {
    Files.createDirectories(elsewhere(""));
    Path key = KeyMaker.make(elsewhere(name), type, "RFC4716", "");
    agent.add(key);
    return key;
  }

  private Path elsewhere(String name) {
    return home.resolve("elsewhere").resolve(name);
  }

  private static void lock(Path key) throws Exception {
    assertThat(
            new ProcessBuilder(
                    "ssh-keygen", "-q", "-p", "-P", "", "-N", "secret", "-f", key.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isZero();
  }
}
