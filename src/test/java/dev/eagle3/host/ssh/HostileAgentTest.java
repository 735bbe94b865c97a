package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What listens where an agent should be may be anything; the key of a file logs in nevertheless, on
 * a real OpenSSH server.
 */
@Tag("slow")
class HostileAgentTest {
  @TempDir static Path serverFolder;
  private static OpenSshServer server;

  @TempDir Path home;
  private FakeAgent agent;
  private LoginFixture user;
  private Path socket;

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
    user.authorize(KeyMaker.make(user.ssh("id_ed25519"), ""));
    socket = home.resolve("agent");
    user.agent(socket);
    agent = new FakeAgent(socket);
  }

  @AfterEach
  void close() throws Exception {
    agent.close();
  }

  @Test
  @Hostile("an agent that takes connections and never answers")
  void anAgentThatNeverAnswersCostsAMomentAndANote() throws Exception {
    agent.answer(request -> null);

    user.logIn(user.settings().withLimits(Duration.ofSeconds(3), Duration.ofSeconds(30)));

    assertThat(user.notes())
        .containsExactly(
            "the ssh-agent at " + socket + " gives no answer within 3 s; going on without it");
  }

  @Test
  @Hostile("an agent that does not even accept")
  void anAgentThatDoesNotAcceptCostsAMomentAndANote() throws Exception {
    agent.listenOnly();

    user.logIn(user.settings().withLimits(Duration.ofSeconds(3), Duration.ofSeconds(30)));

    assertThat(user.notes()).hasSize(1);
  }

  @Test
  @Hostile("an agent whose answer claims four gigabytes")
  void anAnswerOfHugeLengthIsNotWaitedForNorHeld() throws Exception {
    agent.answer(request -> new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 12});

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("an agent that claims a billion keys")
  void aHugeNumberOfKeysIsNotBelieved() throws Exception {
    agent.answer(request -> FakeAgent.framed(new byte[] {12, 0x40, 0, 0, 0}));

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("a key of the agent that is cut in the middle")
  void aKeyThatIsCutIsNoKey() throws Exception {
    agent.answer(request -> FakeAgent.framed(new byte[] {12, 0, 0, 0, 1, 0, 0, 0, 51, 0, 0}));

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("an agent that speaks something else, and hangs up")
  void anotherProtocolIsNoAgent() throws Exception {
    agent.answer(request -> "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("an agent with a comment full of control characters")
  void commentsOfKeysAreMadeFitToPrint() throws Exception {
    byte[] blob = blobOf("stranger");
    agent.answer(
        request -> FakeAgent.framed(FakeAgent.keys(blob, "\u001b]0;owned\u0007\u001b[2J")));
    Files.writeString(LoginFixture.authorized(serverFolder), "");

    assertThat(user.refusal().problem())
        .contains("refused the agent's \\x1b]0;owned\\x07\\x1b[2J (ED25519)")
        .doesNotContain("\u001b");
  }

  @Test
  @Hostile("an agent that gives garbage for a signature")
  void aSignatureThatIsNoneLeavesTheSameKeyInItsFile() throws Exception {
    byte[] blob =
        KeyFileReader.publicLine(Files.readString(user.ssh("id_ed25519.pub")))
            .orElseThrow()
            .bytes();
    agent.answer(
        request ->
            request[0] == 11
                ? FakeAgent.framed(FakeAgent.keys(blob, "mine"))
                : FakeAgent.framed(new byte[] {14, 0, 0, 0, 3, 1, 2, 3}));

    user.logIn();
  }

  @Test
  @Hostile("an agent that hangs when it should sign")
  void anAgentThatNeverSignsLeavesTheSameKeyInItsFile() throws Exception {
    byte[] blob =
        KeyFileReader.publicLine(Files.readString(user.ssh("id_ed25519.pub")))
            .orElseThrow()
            .bytes();
    agent.answer(
        request -> request[0] == 11 ? FakeAgent.framed(FakeAgent.keys(blob, "mine")) : null);

    user.logIn(user.settings().withLimits(Duration.ofSeconds(10), Duration.ofSeconds(4)));
  }

  @Test
  @Hostile("SSH_AUTH_SOCK names a plain file, a folder, or a path that is too long")
  void aPathThatIsNoSocketIsPassedOver() throws Exception {
    for (String name : new String[] {"file", "folder", "x".repeat(200)}) {
      Path path = home.resolve(name);
      if (name.equals("folder")) {
        Files.createDirectory(path);
      } else {
        Files.writeString(path, "");
      }
      user.agent(path);
      user.logIn();
    }
    assertThat(user.notes()).isEmpty();
  }

  private String garbage() {
    return "the ssh-agent at " + socket + " does not speak as an agent does; going on without it";
  }

  private byte[] blobOf(String name) throws Exception {
    KeyMaker.make(home.resolve(name), "");
    return KeyFileReader.publicLine(Files.readString(home.resolve(name + ".pub")))
        .orElseThrow()
        .bytes();
  }
}
