package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real OpenSSH servers that offer less than usual, and login shells that are none. */
@Tag("slow")
class LesserServersTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path folder;

  private final List<String> notes = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/bin/false",
        "/bin/echo This account has no SFTP, ask the administrator",
        "/bin/cat",
        "/nonexistent/sftp-server"
      })
  @Hostile("an SFTP subsystem that ends, prints, echoes, or is not there")
  void withoutSftpFilesGoThroughAShellAndThatIsSaidOnce(String subsystem) throws Exception {
    try (OpenSshServer server = server("Subsystem sftp " + subsystem);
        Host host = connect(server)) {
      Path file = folder.resolve("file");
      host.files().write(file.toString(), "content".getBytes(UTF_8), 0600);

      assertThat(host.files().stat(file.toString()).orElseThrow().bytes()).isEqualTo(7);
      assertThat(file).hasContent("content");
      assertThat(notes)
          .containsExactly(
              "the server offers no SFTP (Subsystem sftp in its sshd_config); files are read"
                  + " through a shell, which is slower");
    }
  }

  @Test
  @Hostile("an SFTP subsystem that says nothing and does not end")
  void anSftpThatHangsIsGivenUp() throws Exception {
    try (OpenSshServer server = server("Subsystem sftp /bin/sleep 1000");
        Host host =
            new SshConnector(
                    SshSettings.of(server.clientHome()).withSftpLimit(Duration.ofMillis(500)),
                    notes::add)
                .connect(server.target())) {
      Path file = folder.resolve("file");
      host.files().write(file.toString(), "content".getBytes(UTF_8), 0600);

      assertThat(file).hasContent("content");
      assertThat(host.files().stat(file.toString()).orElseThrow().bytes()).isEqualTo(7);
      assertThat(notes)
          .containsExactly(
              "the server offers no SFTP (Subsystem sftp in its sshd_config); files are read"
                  + " through a shell, which is slower");
    }
  }

  @Test
  @Hostile("a server with MaxSessions 1")
  void filesAndCommandsTogetherTakeFurtherConnections() throws Exception {
    try (OpenSshServer server = server("MaxSessions 1");
        Host host = connect(server)) {
      assertThat(host.files().stat("/").orElseThrow().path()).isEqualTo("/");
      try (RunningCommand running = host.start(Command.of("echo up; exec cat", LONG))) {
        assertThat(Await.line(running.stdout())).isEqualTo("up");
        for (int turn = 0; turn < 5; turn++) {
          assertThat(host.run(Command.of("echo on", LONG)).stdout()).isEqualTo("on\n");
        }
        assertThat(host.files().stat("/").orElseThrow().path()).isEqualTo("/");
      }
      assertThat(server.connections()).isEqualTo(3);
      assertThat(notes)
          .containsExactly(
              "the server opens few channels on one connection (MaxSessions in its sshd_config),"
                  + " so there are several");
    }
    assertThat(notes).hasSize(1);
  }

  @Test
  @Hostile("MaxSessions 1, no SFTP, and a login that works only once")
  void whereNothingMoreIsGivenItIsSaidWhatToSet() throws Exception {
    try (OpenSshServer server = server("MaxSessions 1");
        Host host = connect(server)) {
      assertThat(host.files().stat("/")).isPresent();
      Files.delete(server.clientHome().resolve(".ssh/id_ed25519.pub"));

      Ending ending = host.run(Command.of("true", LONG)).ending();

      assertThat(ending).isInstanceOf(Ending.Lost.class);
      assertThat(((Ending.Lost) ending).why())
          .startsWith(
              "the server opens no further channel: set MaxSessions in its sshd_config to 10, its"
                  + " default, and a further connection failed: ");
    }
  }

  @Test
  @Hostile("ForceCommand echo")
  void aForcedCommandIsShownWithWhatItSays() throws Exception {
    Failure failure = refused(server("ForceCommand echo This key is for backups only"));

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem())
        .isEqualTo("gives no POSIX shell for `sh -s`: This key is for backups only");
    assertThat(failure.tryNext().orElseThrow()).contains("--via 'ssh HOST'");
  }

  @Test
  @Hostile("ForceCommand that wants a terminal")
  void aForcedCommandThatWantsATerminalIsShown() throws Exception {
    Failure failure =
        refused(
            server(
                "ForceCommand test -t 0 || { echo 'a PTY is required' >&2; exit 1; }; exec"
                    + " $SSH_ORIGINAL_COMMAND"));

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).isEqualTo("gives no POSIX shell for `sh -s`: a PTY is required");
    assertThat(failure.tryNext().orElseThrow())
        .startsWith("a login whose server and login shell let it run commands without a terminal;");
  }

  @Test
  @Hostile("ForceCommand with a login shell, whatever was asked for")
  void aForcedLoginShellTakesTheCommandsOnItsInput() throws Exception {
    try (OpenSshServer server = server("ForceCommand exec /bin/sh");
        Host host = connect(server)) {
      assertThat(new HostScripts(host).run(ScriptCall.of("probe-host")).code()).isZero();
    }
  }

  @Test
  @Hostile("ForceCommand internal-sftp")
  void anAccountForFilesAloneRunsNoSteps() throws Exception {
    Failure failure = refused(server("ForceCommand internal-sftp"));

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).startsWith("gives no POSIX shell for `sh -s`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/bin/false", "/usr/sbin/nologin"})
  @Hostile("a login shell that ends at once")
  void anAccountWithoutAShellIsSaid(String shell) throws Exception {
    Failure failure = refused(OpenSshServer.in(folder).loginShell(Path.of(shell)).start());

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).startsWith("gives no POSIX shell for `sh -s`");
  }

  @Test
  @Hostile("a login shell that gives back what it is sent")
  void anEchoIsNoAnswer() throws Exception {
    Failure failure = refused(shell("cat"));

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).startsWith("gives no POSIX shell for `sh -s`: ");
  }

  @Test
  @Hostile("a login shell that asks a question and waits for a terminal")
  void aQuestionIsNotWaitedForForEver() throws Exception {
    try (OpenSshServer server = shell("printf 'Token: '; exec sleep 600");
        Host host = connect(server)) {
      Failure failure =
          catchThrowableOfType(
              Failure.class,
              () ->
                  new HostScripts(host)
                      .run(ScriptCall.of("probe-host").within(Duration.ofSeconds(2))));

      assertThat(failure.exit()).isEqualTo(Exit.LOST);
      assertThat(failure.problem())
          .isEqualTo("no answer to step probe-host within 2 s, nor a sign of its shell");
      assertThat(failure.tryNext().orElseThrow()).contains("--via 'ssh HOST'");
    }
  }

  @Test
  @Hostile("a login shell that prints megabytes and never ends")
  void endlessOutputIsCut() throws Exception {
    try (OpenSshServer server = shell("yes | head -n 2000000; exec sleep 600");
        Host host = connect(server)) {
      Failure failure =
          catchThrowableOfType(
              Failure.class, () -> new HostScripts(host).start(ScriptCall.of("probe-host")));

      assertThat(failure.problem()).isEqualTo("gives no POSIX shell for `sh -s`: y");
    }
  }

  @Test
  @Hostile("a login shell that clears the screen and greets in colour")
  void controlCharactersReachNoMessageAndNoAnswer() throws Exception {
    try (OpenSshServer server =
            shell("printf '\\033[2J\\033]0;title\\007Welcome\\r'; exec /bin/sh \"$@\"");
        Host host = connect(server)) {
      assertThat(new HostScripts(host).run(ScriptCall.of("probe-host")).lines())
          .noneMatch(line -> line.contains("\033"));
    }
    Failure failure = refused(shell("printf '\\033[31mno entry\\033[0m\\n' >&2; exit 1"));
    assertThat(failure.problem()).endsWith(": \\x1b[31mno entry\\x1b[0m");
  }

  @Test
  @Hostile("a login shell that prints from the background into the answer")
  void printingInTheMiddleOfAnAnswerDamagesNoMark() throws Exception {
    try (OpenSshServer server =
            shell(
                "(for i in 1 2 3 4 5 6 7 8; do echo noise; sleep 0.1; done) & exec /bin/sh \"$@\"");
        Host host = connect(server)) {
      for (int turn = 0; turn < 5; turn++) {
        assertThat(new HostScripts(host).run(ScriptCall.of("probe-host")).code()).isZero();
      }
    }
  }

  @Test
  @Hostile("a restricted bash as login shell")
  void aRestrictedShellThatFindsShIsEnough() throws Exception {
    try (OpenSshServer server = shell("exec " + Tools.find("bash") + " -r \"$@\"");
        Host host = connect(server)) {
      assertThat(new HostScripts(host).run(ScriptCall.of("probe-host")).code()).isZero();
    }
  }

  private OpenSshServer server(String configuration) throws Exception {
    return OpenSshServer.in(Files.createDirectories(folder.resolve("server")))
        .configuration(configuration)
        .start();
  }

  /** A server whose login shell is a script. */
  private OpenSshServer shell(String script) throws Exception {
    Path shell = Files.createTempFile(folder, "shell", "");
    Files.writeString(shell, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwxr-xr-x"));
    return OpenSshServer.in(Files.createTempDirectory(folder, "server")).loginShell(shell).start();
  }

  private Host connect(OpenSshServer server) {
    return new SshConnector(SshSettings.of(server.clientHome()), notes::add)
        .connect(server.target());
  }

  private Failure refused(OpenSshServer server) throws IOException {
    try (server;
        Host host = connect(server)) {
      Failure failure =
          catchThrowableOfType(
              Failure.class, () -> new HostScripts(host).run(ScriptCall.of("probe-host")));
      assertThat(failure).isNotNull();
      return failure;
    }
  }
}
