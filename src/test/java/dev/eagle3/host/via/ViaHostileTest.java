package dev.eagle3.host.via;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that give no shell, a strange one, or one that does not last. */
@Tag("slow")
class ViaHostileTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  @Hostile("a --via command that is not there")
  void aCommandThatIsNotFoundIsSaid() {
    Failure failure = failure("dockr exec -i trainer sh");

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem())
        .startsWith("`dockr exec -i trainer sh` ended with code 127 and gave no shell: ")
        .contains("dockr: not found");
    assertThat(failure.tryNext()).contains("echo 'echo it works' | dockr exec -i trainer sh");
  }

  @Test
  @Hostile("a --via command that exits with 255 and a reason")
  void itsLastLineOfErrorsIsTheReason() {
    assertThat(
            failure(
                    "echo Warning: first >&2; printf 'ssh: connect to host \\033[1mgpu7 port 22:"
                        + " refused\\n' >&2; exit 255")
                .problem())
        .endsWith(
            "ended with code 255 and gave no shell: ssh: connect to host \\x1b[1mgpu7 port 22:"
                + " refused");
  }

  @Test
  @Hostile("a --via command that asks a question on its input and waits")
  void aQuestionOnItsInputIsShown() {
    assertThat(failure("printf 'Password: '; read answer; read more; exec sleep 600").problem())
        .endsWith("gave no shell within 1 s: Password:");
  }

  @Test
  @Hostile("a --via command that says nothing and hangs")
  void oneThatHangsIsGivenUp() {
    assertThat(failure("sleep 600").problem()).endsWith("`sleep 600` gave no shell within 1 s");
  }

  @Test
  @Hostile("a --via command that prints without end")
  void oneThatNeverStopsPrintingIsGivenUp() {
    assertThat(failure("yes", LONG).problem()).endsWith("prints without end and gives no shell");
    assertThat(failure("yes >&2").problem()).endsWith("gave no shell within 1 s: y");
  }

  @Test
  @Hostile("a --via command that gives back its input")
  void anEchoIsNoShell() {
    assertThat(failure("cat", LONG).problem())
        .endsWith("gives back what it is sent and runs nothing: it is no shell");
  }

  @Test
  @Hostile("a --via command with a terminal in between (docker exec -it, ssh -tt)")
  void aTerminalInBetweenIsNamed() {
    String terminal = Tools.find("script") + " -qfc sh /dev/null";

    assertThat(failure(terminal, LONG).problem())
        .endsWith("puts a terminal before the shell, which changes bytes: leave its -t out");
  }

  @Test
  @Hostile("a --via command that ends at once without a word")
  void oneThatEndsAtOnceIsSaid() {
    assertThat(failure("true").problem()).endsWith("`true` ended with code 0 and gave no shell");
    assertThat(failure("kill -9 $$").problem())
        .endsWith("was killed by signal KILL and gave no shell");
  }

  @Test
  @Hostile("a shell that greets, with escape codes and without a line end")
  void noiseAroundTheShellIsNoAnswer() {
    try (Host host = connect("printf 'Welcome\\033[2J to \"gpu7\"'; echo banner >&2; exec sh")) {
      CommandResult result = host.run(Command.of("echo out; echo err >&2; exit 3", LONG));

      assertThat(result.ending()).isEqualTo(new Ending.Exited(3));
      assertThat(result.stdout()).isEqualTo("out\n");
      assertThat(result.stderr()).isEqualTo("err\n");
    }
  }

  @Test
  @Hostile("csh as the shell behind --via")
  void aShellThatIsNoPosixShellStepsAside() {
    try (Host host = connect(Tools.find("tcsh") + " -f")) {
      assertThat(host.run(Command.of("x='a\nb!'; echo \"$x\"", LONG)).stdout())
          .isEqualTo("a\nb!\n");
      assertThat(new HostScripts(host).run(ScriptCall.of("probe-host")).code()).isZero();
    }
  }

  @Test
  @Hostile("a restricted shell behind --via")
  void aRestrictedShellIsSaid() {
    assertThat(failure(Tools.find("bash") + " -r", LONG).problem())
        .contains("gave no shell: ")
        .contains("restricted");
  }

  @Test
  @Hostile("the --via command dies while a step runs")
  void aStepWhoseConnectionDiesIsUnknown() throws Exception {
    Path pid = folder.resolve("pid");
    try (Host host = connect("echo $$ >" + pid + "; echo lost power >&2; exec sh")) {
      RunningCommand running = host.start(Command.of("echo up; sleep 600", LONG));
      assertThat(Await.line(running.stdout())).isEqualTo("up");

      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .orElseThrow()
          .destroyForcibly();

      assertThat(running.ending()).isInstanceOf(Ending.Lost.class);
      assertThat(running.ending().toString())
          .contains("was killed by signal KILL before the command did: lost power");
      Await.until(() -> !host.isConnected());
      running.close();
    }
  }

  @Test
  @Hostile("the --via command exits with 0 in the middle of a step")
  void theExitCodeOfTheConnectionIsNotThatOfTheStep() {
    // What is sent is passed on until the end of the answer's first line.
    try (Host host = connect("sh | sed -u '/^stop/q'")) {
      CommandResult result =
          host.run(Command.of("echo on; echo stop; sleep 1; echo x; exit 0", LONG));

      assertThat(result.ending()).isInstanceOf(Ending.Lost.class);
      assertThat(result.stdout()).isEqualTo("on\nstop\n");
    }
  }

  @Test
  @Hostile("a --via command whose own exit code is always 1")
  void itsOwnExitCodeMeansNothing() {
    try (Host host = connect("sh; exit 1")) {
      assertThat(host.run(Command.of("exit 0", LONG)).ending()).isEqualTo(new Ending.Exited(0));
      assertThat(host.run(Command.of("exit 42", LONG)).ending()).isEqualTo(new Ending.Exited(42));
    }
  }

  @Test
  @Hostile("a --via command that throws away standard error")
  void withoutStandardErrorAllElseWorks() {
    try (Host host = connect("sh 2>/dev/null")) {
      CommandResult result = host.run(Command.of("echo out; echo err >&2", LONG));

      assertThat(result.stdout()).isEqualTo("out\n");
      assertThat(result.stderr()).isEmpty();
    }
  }

  @Test
  @Hostile("a --via command that never passes on the end of input")
  void theEndOfInputIsNotNeeded() {
    // As old kubectl does: what feeds the shell stays open.
    try (Host host = connect("{ cat; sleep 600; } | sh")) {
      CommandResult result = host.run(Command.of("cat; echo end", LONG).withInput("input\n"));

      assertThat(result.stdout()).isEqualTo("input\nend\n");
      assertThat(new HostScripts(host).run(ScriptCall.of("probe-host")).code()).isZero();
    }
  }

  @Test
  @Hostile("a --via command that passes bytes on one by one")
  void theRestOfASlowInputIsNeverRunAsCommands() {
    try (Host host = connect("dd bs=1 2>/dev/null | sh")) {
      String input = "touch " + folder.resolve("never") + "\n";
      CommandResult result =
          host.run(Command.of("head -c 5; echo", LONG).withInput(input.repeat(50)));

      assertThat(result.stdout()).isEqualTo("touch\n");
      assertThat(folder.resolve("never")).doesNotExist();
    }
  }

  @Test
  @Hostile("Ctrl-C, which a terminal sends to the --via command too")
  void anInterruptIsNotForTheConnection() throws Exception {
    Path pid = folder.resolve("pid");
    try (Host host = connect("echo $$ >" + pid + "; exec sh")) {
      String id = Files.readString(pid).strip();
      assertThat(new ProcessBuilder("kill", "-INT", id).start().waitFor()).isZero();

      assertThat(host.run(Command.of("echo on", LONG)).stdout()).isEqualTo("on\n");
    }
  }

  @Test
  @Hostile("a closed host whose --via command ignores the end of its input")
  void closingLeavesNoProcessHere() throws Exception {
    Path pid = folder.resolve("pid");
    Host host = connect("trap '' TERM HUP; echo $$ >" + pid + "; sh; sleep 600");
    ProcessHandle process =
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();

    host.close();

    Await.until(() -> !process.isAlive());
    assertThat(process.descendants()).isEmpty();
  }

  private static Host connect(String command) {
    return new ViaConnector(environment(), LONG).connect(command, "box");
  }

  private static Failure failure(String command) {
    return failure(command, Duration.ofSeconds(1));
  }

  private static Failure failure(String command, Duration limit) {
    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () -> new ViaConnector(environment(), limit).connect(command, "box").close());
    assertThat(failure).as("`%s` gave a shell", command).isNotNull();
    assertThat(new String(failure.problem().getBytes(UTF_8), UTF_8)).doesNotContain("\n");
    return failure;
  }

  private static Map<String, String> environment() {
    return Map.of("PATH", System.getenv("PATH"));
  }
}
