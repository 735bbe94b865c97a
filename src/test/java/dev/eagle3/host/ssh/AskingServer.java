package dev.eagle3.host.ssh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.signature.Signature;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.AbstractUserAuth;
import org.apache.sshd.server.auth.UserAuth;
import org.apache.sshd.server.auth.UserAuthFactory;
import org.apache.sshd.server.auth.password.UserAuthPasswordFactory;
import org.apache.sshd.server.auth.pubkey.UserAuthPublicKeyFactory;
import org.apache.sshd.server.command.CommandFactory;
import org.apache.sshd.server.session.ServerSession;
import org.jspecify.annotations.Nullable;

/**
 * A server that asks for passwords and codes, which a real sshd does only for accounts of the
 * machine it runs on; or that runs no commands, which a real sshd always does.
 */
final class AskingServer implements AutoCloseable {
  /** One turn of questions: what it says, and what must be answered. */
  record Turn(String name, String instruction, List<Question> questions) {}

  /** A question; {@code echo} when the answer may be seen. */
  record Question(String prompt, boolean echo, String answer) {}

  private final SshServer server = SshServer.setUpDefaultServer();
  private final List<String> passwords = new ArrayList<>();
  private final Path home;

  AskingServer(Path home) throws IOException, GeneralSecurityException {
    this.home = home;
    Files.createDirectories(home.resolve(".ssh"));
    server.setHost("127.0.0.1");
    server.setPort(0);
    server.setUserAuthFactories(
        List.of(UserAuthPublicKeyFactory.INSTANCE, UserAuthPasswordFactory.INSTANCE));
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    KeyPair hostKey = generator.generateKeyPair();
    server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
  }

  /** Takes this password; what was sent is kept. */
  AskingServer password(String right) {
    server.setPasswordAuthenticator(
        (user, password, session) -> {
          passwords.add(password);
          return password.equals(right);
        });
    return this;
  }

  /** Takes the key of this file. */
  AskingServer key(Path file) throws IOException {
    KeyBlob allowed =
        KeyFileReader.publicLine(Files.readString(KeyFileReader.beside(file, ".pub")))
            .orElseThrow();
    server.setPublickeyAuthenticator(
        (user, key, session) -> KeyFileReader.publicHalf(new KeyPair(key, null)).equals(allowed));
    return this;
  }

  /** Knows these signatures only, beside that of its host key, and says so. */
  AskingServer signatures(BuiltinSignatures... known) {
    List<NamedFactory<Signature>> factories = new ArrayList<>(List.of(known));
    factories.add(BuiltinSignatures.nistp256);
    server.setSignatureFactories(factories);
    return this;
  }

  /** Says nothing about keys until then. */
  AskingServer silentUntil(CountDownLatch over) {
    server.setPublickeyAuthenticator(
        (user, key, session) -> {
          try {
            over.await();
          } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
          }
          return false;
        });
    return this;
  }

  /** Asks these, one turn after the other. */
  AskingServer questions(Turn... turns) {
    return asking(List.of(turns), false);
  }

  /** Asks this again and again, whatever the answer. */
  AskingServer questionsWithoutEnd(Turn turn) {
    return asking(List.of(turn), true);
  }

  private AskingServer asking(List<Turn> turns, boolean withoutEnd) {
    UserAuthFactory factory =
        new UserAuthFactory() {
          @Override
          public String getName() {
            return "keyboard-interactive";
          }

          @Override
          public UserAuth createUserAuth(ServerSession session) {
            return new Asking(turns, withoutEnd);
          }
        };
    server.setUserAuthFactories(
        List.of(UserAuthPublicKeyFactory.INSTANCE, factory, UserAuthPasswordFactory.INSTANCE));
    return this;
  }

  /** Lists of methods that must be gone through, as AuthenticationMethods of sshd_config. */
  AskingServer methods(String lists) {
    CoreModuleProperties.AUTH_METHODS.set(server, lists);
    return this;
  }

  /** Answers the request to run a command with this; a factory that throws refuses it. */
  AskingServer commands(CommandFactory factory) {
    server.setCommandFactory(factory);
    return this;
  }

  AskingServer start() throws IOException, GeneralSecurityException {
    server.start();
    KeyPair hostKey = server.getKeyPairProvider().loadKeys(null).iterator().next();
    Files.writeString(
        home.resolve(".ssh/known_hosts"),
        "[127.0.0.1]:"
            + server.getPort()
            + " "
            + PublicKeyEntry.toString(hostKey.getPublic())
            + "\n");
    return this;
  }

  String target() {
    return "root@127.0.0.1:" + server.getPort();
  }

  List<String> passwords() {
    return passwords;
  }

  @Override
  public void close() throws IOException {
    server.stop(true);
  }

  /** The server's half of keyboard-interactive; SSHD's own knows one turn only. */
  private static final class Asking extends AbstractUserAuth {
    private final List<Turn> turns;
    private final boolean withoutEnd;
    private int at;

    Asking(List<Turn> turns, boolean withoutEnd) {
      super("keyboard-interactive");
      this.turns = turns;
      this.withoutEnd = withoutEnd;
    }

    @Override
    protected @Nullable Boolean doAuth(Buffer buffer, boolean init) throws Exception {
      if (init) {
        at = 0;
        return ask();
      }
      List<String> answers = new ArrayList<>();
      buffer.getUByte();
      int count = buffer.getInt();
      for (int number = 0; number < count; number++) {
        answers.add(buffer.getString());
      }
      if (withoutEnd) {
        return ask();
      }
      if (!answers.equals(turns.get(at).questions().stream().map(Question::answer).toList())) {
        return false;
      }
      at++;
      return at == turns.size() ? Boolean.TRUE : ask();
    }

    private @Nullable Boolean ask() throws IOException {
      Turn turn = turns.get(at);
      Buffer buffer = getSession().createBuffer(SshConstants.SSH_MSG_USERAUTH_INFO_REQUEST);
      buffer.putString(turn.name());
      buffer.putString(turn.instruction());
      buffer.putString("");
      buffer.putInt(turn.questions().size());
      for (Question question : turn.questions()) {
        buffer.putString(question.prompt());
        buffer.putBoolean(question.echo());
      }
      getSession().writePacket(buffer);
      return null; // not decided yet
    }
  }
}
