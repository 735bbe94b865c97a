package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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
  private final List<SocketChannel> open = new ArrayList<>();
  private ServerSocketChannel listening;
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
    listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
  }

  @AfterEach
  void close() throws Exception {
    listening.close();
    synchronized (open) {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  @Test
  @Hostile("an agent that takes connections and never answers")
  void anAgentThatNeverAnswersCostsAMomentAndANote() throws Exception {
    answer(request -> null);

    user.logIn(user.settings().withLimits(Duration.ofSeconds(1), Duration.ofSeconds(30)));

    assertThat(user.notes())
        .containsExactly(
            "the ssh-agent at " + socket + " gives no answer within 1 s; going on without it");
  }

  @Test
  @Hostile("an agent that does not even accept")
  void anAgentThatDoesNotAcceptCostsAMomentAndANote() throws Exception {
    listening.bind(UnixDomainSocketAddress.of(socket), 1);

    user.logIn(user.settings().withLimits(Duration.ofSeconds(1), Duration.ofSeconds(30)));

    assertThat(user.notes()).hasSize(1);
  }

  @Test
  @Hostile("an agent whose answer claims four gigabytes")
  void anAnswerOfHugeLengthIsNotWaitedForNorHeld() throws Exception {
    answer(request -> new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 12});

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("an agent that claims a billion keys")
  void aHugeNumberOfKeysIsNotBelieved() throws Exception {
    answer(request -> framed(new byte[] {12, 0x40, 0, 0, 0}));

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("a key of the agent that is cut in the middle")
  void aKeyThatIsCutIsNoKey() throws Exception {
    answer(request -> framed(new byte[] {12, 0, 0, 0, 1, 0, 0, 0, 51, 0, 0}));

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("an agent that speaks something else, and hangs up")
  void anotherProtocolIsNoAgent() throws Exception {
    answer(
        request ->
            "HTTP/1.1 400 Bad Request\r\n\r\n"
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII));

    user.logIn();

    assertThat(user.notes()).containsExactly(garbage());
  }

  @Test
  @Hostile("an agent with a comment full of control characters")
  void commentsOfKeysAreMadeFitToPrint() throws Exception {
    byte[] blob = blobOf("stranger");
    answer(request -> framed(keys(blob, "\u001b]0;owned\u0007\u001b[2J")));
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
    answer(
        request ->
            request[0] == 11
                ? framed(keys(blob, "mine"))
                : framed(new byte[] {14, 0, 0, 0, 3, 1, 2, 3}));

    user.logIn();
  }

  @Test
  @Hostile("an agent that hangs when it should sign")
  void anAgentThatNeverSignsLeavesTheSameKeyInItsFile() throws Exception {
    byte[] blob =
        KeyFileReader.publicLine(Files.readString(user.ssh("id_ed25519.pub")))
            .orElseThrow()
            .bytes();
    answer(request -> request[0] == 11 ? framed(keys(blob, "mine")) : null);

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

  private static byte[] keys(byte[] blob, String comment) {
    ByteBuffer answer = ByteBuffer.allocate(13 + blob.length + comment.length());
    answer.put((byte) 12).putInt(1).putInt(blob.length).put(blob).putInt(comment.length());
    answer.put(comment.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    return answer.array();
  }

  private static byte[] framed(byte[] body) {
    return ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
  }

  /** Listens, and answers each request (without its length) in this way; null is silence. */
  private void answer(Function<byte[], byte[]> answers) throws IOException {
    listening.bind(UnixDomainSocketAddress.of(socket));
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  SocketChannel channel = listening.accept();
                  synchronized (open) {
                    open.add(channel);
                  }
                  ByteBuffer length = ByteBuffer.allocate(4);
                  channel.read(length);
                  ByteBuffer body = ByteBuffer.allocate(length.getInt(0));
                  channel.read(body);
                  byte[] said = answers.apply(body.array());
                  if (said != null) {
                    channel.write(ByteBuffer.wrap(said));
                    channel.close();
                  }
                }
              } catch (IOException over) {
                return;
              }
            });
    thread.setDaemon(true);
    thread.start();
  }
}
