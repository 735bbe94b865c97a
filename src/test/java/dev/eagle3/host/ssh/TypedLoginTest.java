package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.host.ssh.AskingServer.Question;
import dev.eagle3.host.ssh.AskingServer.Turn;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passwords and codes that a person types, on a server that asks for them. */
@Tag("slow")
class TypedLoginTest {
  private static final Turn CODE =
      new Turn("", "", List.of(new Question("Verification code: ", true, "123456")));

  @TempDir Path home;
  private final List<String> configuration = new ArrayList<>();
  private AskingServer server;

  @BeforeEach
  void make() throws Exception {
    server = new AskingServer(home);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  @Test
  void aPasswordThatIsTypedLogsIn() throws Exception {
    server.password("geheim ü").start();
    ScriptedPrompter prompter = new ScriptedPrompter("geheim ü");

    logIn(prompter);

    assertThat(prompter.questions()).containsExactly("password of root@127.0.0.1: ");
    assertThat(prompter.isWiped()).isTrue();
  }

  @Test
  @Hostile("a wrong password, three times")
  void aWrongPasswordIsToldAndAskedForThreeTimesInAll() throws Exception {
    server.password("right").start();
    ScriptedPrompter prompter = new ScriptedPrompter("a", "b", "c", "right");

    Failure failure = refusal(prompter);

    assertThat(prompter.questions())
        .containsExactly(
            "password of root@127.0.0.1: ",
            "refused; password of root@127.0.0.1: ",
            "refused; password of root@127.0.0.1: ");
    assertThat(server.passwords()).containsExactly("a", "b", "c");
    assertThat(failure.problem()).contains("refused the password;");
    assertThat(prompter.isWiped()).isTrue();
  }

  @Test
  void numberOfPasswordPromptsIsHonoured() throws Exception {
    server.password("right").start();
    configuration.add("NumberOfPasswordPrompts 1");

    refusal(new ScriptedPrompter("a", "right"));

    assertThat(server.passwords()).containsExactly("a");
  }

  @Test
  void withoutATerminalNothingIsAskedAndTheMessageSaysWhatWouldBe() throws Exception {
    server.password("right").key(KeyMaker.make(home.resolve("other"), "")).start();
    KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");

    Failure failure = refusal(Prompter.NOBODY);

    assertThat(failure.problem())
        .contains("refused " + home.resolve(".ssh/id_ed25519") + " (ED25519)")
        .endsWith("there is no terminal to ask for a password");
    assertThat(server.passwords()).isEmpty();
  }

  @Test
  void optionsThatForbidToAskAreHonoured() throws Exception {
    server.password("right").questions(CODE).start();
    KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");
    for (List<String> lines :
        List.of(
            List.of("BatchMode yes"),
            List.of("PasswordAuthentication no", "KbdInteractiveAuthentication no"),
            List.of("PasswordAuthentication no", "ChallengeResponseAuthentication no"),
            List.of("PreferredAuthentications publickey,gssapi-with-mic"))) {
      configuration.clear();
      configuration.addAll(lines);
      ScriptedPrompter prompter = new ScriptedPrompter("right");

      refusal(prompter);

      assertThat(prompter.questions()).as("%s", lines).isEmpty();
    }
  }

  @Test
  void preferredAuthenticationsSetsTheOrder() throws Exception {
    Path key = KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");
    server.password("right").key(key).questions(CODE).start();
    configuration.add("PreferredAuthentications password,keyboard-interactive,publickey");
    ScriptedPrompter prompter = new ScriptedPrompter("right");

    logIn(prompter);

    assertThat(prompter.questions()).containsExactly("password of root@127.0.0.1: ");
  }

  @Test
  void keysThatAreSwitchedOffAreNotRead() throws Exception {
    Path key = KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");
    server.password("right").key(key).start();
    configuration.add("PubkeyAuthentication no");
    ScriptedPrompter prompter = new ScriptedPrompter("right");

    logIn(prompter);

    assertThat(prompter.questions()).hasSize(1);
    assertThat(refusal(Prompter.NOBODY).problem()).contains("ssh_config switches keys off");
  }

  @Test
  void noWayThatIsKnownIsToldBeforeAnythingIsConnected() throws Exception {
    server.start();
    configuration.add("PreferredAuthentications gssapi-with-mic,hostbased");

    Failure failure = refusal(new ScriptedPrompter());

    assertThat(failure.problem()).startsWith("ssh_config allows no way to log in");
    assertThat(failure.tryNext().orElseThrow()).startsWith("--via 'ssh -F ");
  }

  @Test
  void questionsOfTheServerStandBehindItsName() throws Exception {
    server
        .questions(
            new Turn(
                "Second factor",
                "Choose a way.\n 1. push\n 2. code",
                List.of(new Question("Way: ", true, "2"), new Question("Code: ", false, "123456"))))
        .start();
    ScriptedPrompter prompter = new ScriptedPrompter("2", "123456");

    logIn(prompter);

    assertThat(prompter.questions())
        .containsExactly(
            """
            open (root@127.0.0.1) Second factor
            (root@127.0.0.1) Choose a way.
            (root@127.0.0.1)  1. push
            (root@127.0.0.1)  2. code
            (root@127.0.0.1) Way:\s""",
            "(root@127.0.0.1) Code: ");
  }

  @Test
  void aPasswordAndThenACodeAreAskedInTwoTurns() throws Exception {
    server
        .questions(new Turn("", "", List.of(new Question("Password: ", false, "right"))), CODE)
        .start();
    ScriptedPrompter prompter = new ScriptedPrompter("right", "123456");

    logIn(prompter);

    assertThat(prompter.questions())
        .containsExactly(
            "(root@127.0.0.1) Password: ", "open (root@127.0.0.1) Verification code: ");
  }

  @Test
  @Hostile("partial success: a key is not enough")
  void aKeyAndThenACodeLogIn() throws Exception {
    Path key = KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");
    server.key(key).questions(CODE).methods("publickey,keyboard-interactive").start();
    ScriptedPrompter prompter = new ScriptedPrompter("123456");

    logIn(prompter);

    assertThat(prompter.questions()).containsExactly("open (root@127.0.0.1) Verification code: ");

    assertThat(refusal(Prompter.NOBODY).problem())
        .contains(
            "took "
                + key
                + " (ED25519) and wants more; the server takes keyboard-interactive;"
                + " there is no terminal to ask for a password");
  }

  @Test
  void aKeyAndThenAPasswordLogIn() throws Exception {
    Path key = KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");
    server.key(key).password("right").methods("publickey,password").start();

    logIn(new ScriptedPrompter("right"));
  }

  @Test
  @Hostile("a server whose question tries to steer the terminal and to pose as eagle3")
  void aHostileQuestionIsMadeFitToPrint() throws Exception {
    server
        .questions(
            new Turn(
                "\u001b]0;owned\u0007",
                "ok\n\u001b[2Jeagle3: passphrase of ~/.ssh/id_rsa:\r" + "x".repeat(100_000),
                List.of(new Question("\u202e\u0000code:\n", false, "1"))))
        .start();
    ScriptedPrompter prompter = new ScriptedPrompter("1");

    logIn(prompter);

    String question = prompter.questions().get(0);
    assertThat(question)
        .startsWith("(root@127.0.0.1) \\x1b]0;owned\\x07\n(root@127.0.0.1) ok\n(root@127.0.0.1) ")
        .hasSizeLessThan(2_000);
    assertThat(question.lines()).allMatch(line -> line.startsWith("(root@127.0.0.1) "));
    assertThat(question.replace("\n", "").chars()).noneMatch(Character::isISOControl);
    assertThat(question).doesNotContain("\u202e");
  }

  @Test
  @Hostile("a server that asks without an end")
  void questionsWithoutAnEndAreGivenUp() throws Exception {
    server.questionsWithoutEnd(new Turn("", "", List.of())).start();

    assertThat(refusal(new ScriptedPrompter()).problem())
        .contains("the server asks without an end");
  }

  @Test
  @Hostile("a server that asks a thousand questions at once")
  void aThousandQuestionsAtOnceAreNotAsked() throws Exception {
    List<Question> many = new ArrayList<>();
    for (int number = 0; number < 1000; number++) {
      many.add(new Question("?", true, ""));
    }
    server.questions(new Turn("", "", many)).start();
    configuration.add("PasswordAuthentication no");
    ScriptedPrompter prompter = new ScriptedPrompter();

    assertThat(refusal(prompter).problem()).contains("the server asks 1000 questions at once");
    assertThat(prompter.questions()).isEmpty();
  }

  @Test
  @Hostile("a server that falls silent in the middle of a login")
  void aServerThatFallsSilentIsLeftAfterTheLimit() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    KeyMaker.make(home.resolve(".ssh/id_ed25519"), "");
    server.silentUntil(over).start();
    SshSettings settings =
        settings(Prompter.NOBODY).withLimits(Duration.ofSeconds(10), Duration.ofSeconds(1));

    Failure failure =
        catchThrowableOfType(
            Failure.class, () -> new SshConnector(settings, note -> {}).connect(server.target()));
    over.countDown();

    assertThat(failure.problem()).endsWith("login as root failed: no answer within 1 s");
  }

  @Test
  void thePersonMayTakeLongerThanTheServer() throws Exception {
    server.password("right").start();
    Prompter slow =
        new Prompter() {
          @Override
          public Optional<char[]> secret(String question) {
            try {
              Thread.sleep(4200);
            } catch (InterruptedException never) {
              return Optional.empty();
            }
            return Optional.of("right".toCharArray());
          }

          @Override
          public Optional<String> line(String question) {
            return Optional.empty();
          }
        };
    SshSettings settings = settings(slow).withLimits(Duration.ofSeconds(10), Duration.ofSeconds(4));

    try (Host host = new SshConnector(settings, note -> {}).connect(server.target())) {
      assertThat(host.name()).isEqualTo(server.target());
    }
  }

  @Test
  void aPersonWhoGivesUpIsNotAskedAgain() throws Exception {
    server.password("right").start();
    ScriptedPrompter prompter = new ScriptedPrompter();

    assertThat(refusal(prompter).problem()).contains("no password was given");
    assertThat(prompter.questions()).hasSize(1);
  }

  private void logIn(Prompter prompter) throws Exception {
    try (Host host = new SshConnector(settings(prompter), note -> {}).connect(server.target())) {
      assertThat(host.name()).isEqualTo(server.target());
    }
  }

  private Failure refusal(Prompter prompter) throws Exception {
    SshSettings settings = settings(prompter);
    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () -> new SshConnector(settings, note -> {}).connect(server.target()).close());
    assertThat(failure).as("somebody was let in").isNotNull();
    assertThat(failure.problem()).doesNotContain("Exception").doesNotContain("\n");
    return failure;
  }

  private SshSettings settings(Prompter prompter) throws Exception {
    Path config = Files.write(home.resolve("config"), configuration);
    return SshSettings.of(home).withConfigFile(config).withPrompter(prompter);
  }
}
