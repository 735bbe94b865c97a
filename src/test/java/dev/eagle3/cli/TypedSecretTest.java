package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A passphrase that is typed, from the command line down to a real OpenSSH server. */
@Tag("slow")
class TypedSecretTest {
  private static final String QUESTION = "passphrase of ";

  @TempDir static Path folder;
  private static OpenSshServer server;

  @TempDir Path own;

  @BeforeAll
  static void start() throws Exception {
    server = OpenSshServer.in(folder).start();
    assertThat(
            new ProcessBuilder(
                    Tools.find("ssh-keygen").toString(),
                    "-q",
                    "-p",
                    "-P",
                    "",
                    "-N",
                    "secret",
                    "-f",
                    server.identity().toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor())
        .isZero();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void atATerminalThePassphraseIsAskedForAlsoUnderJson() {
    for (String more : new String[] {"--no-color", "--json"}) {
      CommandLineRun run =
          CommandLineRun.typing(
              server.clientHome(),
              Map.of(),
              ask -> {
                ask.run();
                return Optional.of("secret".toCharArray());
              },
              "runs",
              "--host",
              server.target(),
              more);

      assertThat(run.code()).as("%s", run.err()).isZero();
      assertThat(run.err()).startsWith(QUESTION + server.identity() + ": \n");
      assertThat(run.out()).doesNotContain(QUESTION);
    }
  }

  @Test
  void withoutATerminalNobodyIsAskedAndSshAddIsNamed() {
    CommandLineRun run =
        CommandLineRun.at(server.clientHome(), Map.of(), "runs", "--host", server.target());

    assertThat(run.code()).isEqualTo(12);
    assertThat(run.err())
        .contains("has a passphrase, and there is no terminal to ask for it")
        .endsWith("try: ssh-add " + server.identity() + "\n");
  }

  @Test
  void aTerminalThatCannotHideAsksNothing() {
    CommandLineRun run =
        CommandLineRun.typing(
            server.clientHome(),
            Map.of(),
            ask -> {
              throw new IOException("no stty");
            },
            "runs",
            "--host",
            server.target());

    assertThat(run.code()).isEqualTo(12);
    assertThat(run.err())
        .contains("eagle3: terminal: cannot hide what is typed")
        .contains("has a passphrase, which was not given");
  }

  @Test
  void onARealTerminalWhatIsTypedDoesNotShowAndTheEchoComesBack() throws Exception {
    String screen = atTerminal("runs", "secret\n");

    assertThat(screen).contains(QUESTION).contains("code 0").doesNotContain("secret");
    assertThat(screen.substring(screen.indexOf("code 0"))).contains(" echo ");
  }

  @Test
  @Hostile("Ctrl-C while a passphrase is typed")
  void interruptedAtTheQuestionTheEchoComesBackAndTheCodeIs130() throws Exception {
    for (String command : new String[] {"runs", "tail-log"}) {
      String screen = atTerminal(command, "\u0003");

      assertThat(screen).as("%s", command).contains("code 130");
      assertThat(screen.substring(screen.indexOf("code 130"))).contains(" echo ");
    }
  }

  /** Runs a command in a terminal of its own, and types once it is asked; returns the screen. */
  private String atTerminal(String command, String typed) throws Exception {
    Path screen = Files.createTempFile(own, "screen", "");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path script =
        Files.writeString(
            own.resolve("script.sh"),
            """
            trap : INT
            HOME=%s %s -XX:TieredStopAtLevel=1 -Deagle3.terminal=012 -cp '%s' dev.eagle3.cli.Main %s --host %s
            echo "code $?"
            stty -a
            """
                .formatted(
                    server.clientHome(),
                    java,
                    System.getProperty("java.class.path"),
                    command,
                    server.target()));
    Process terminal =
        new ProcessBuilder(
                Tools.find("script").toString(), "-q", "-f", "-c", "sh " + script, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile())
            .start();
    try (OutputStream keys = terminal.getOutputStream()) {
      Await.until(() -> read(screen).contains(QUESTION) || !terminal.isAlive());
      keys.write(typed.getBytes(UTF_8));
      keys.flush();
      Await.until(() -> read(screen).contains("code ") || !terminal.isAlive());
      Await.until(() -> List.of(" echo ", " -echo ").stream().anyMatch(read(screen)::contains));
    } finally {
      terminal.destroy();
    }
    return read(screen);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return "";
    }
  }
}
