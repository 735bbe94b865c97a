package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Await;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ssh -G} may answer, and may not. */
@Tag("slow")
class SshProgramOptionsReaderTest {
  @TempDir Path folder;

  @Test
  void theFirstComplaintOfSshIsShown() throws Exception {
    Path config = Files.writeString(folder.resolve("config"), "User x\nPort many\n");

    Failure failure = failure(SshSettings.of(folder).withConfigFile(config));

    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem())
        .startsWith(config + " line 2: Bad port 'many'.; ")
        .endsWith("terminating, 1 bad configuration options");
  }

  @Test
  @Hostile("ssh -G that hangs, as a Match exec can make it")
  void aProgramThatHangsIsGivenUpAndEnded() throws Exception {
    Path pid = folder.resolve("pid");
    Path config =
        Files.writeString(
            folder.resolve("config"),
            "Match exec \"echo $$ >" + pid + "; sleep 600; true\"\n  User x\n");

    Failure failure =
        failure(
            SshSettings.of(folder)
                .withConfigFile(config)
                .withLimits(Duration.ofSeconds(1), Duration.ofSeconds(1)));

    assertThat(failure.problem())
        .isEqualTo("`ssh -G` gave no answer within 1 s (a Match exec of ssh_config may hang)");
    long sleeper = Long.parseLong(Files.readString(pid).strip());
    Await.until(() -> ProcessHandle.of(sleeper).filter(ProcessHandle::isAlive).isEmpty());
  }

  @Test
  @Hostile("an ssh program that prints rubbish")
  void aProgramThatPrintsRubbishIsNoConfiguration() throws Exception {
    String says = "what `ssh -G` prints is no configuration";
    assertThat(failure(program("echo Welcome; echo to the cluster")).problem()).isEqualTo(says);
    assertThat(failure(program("head -c 3000000 /dev/urandom")).problem()).isEqualTo(says);
    assertThat(failure(program("true")).problem()).isEqualTo(says);
    assertThat(failure(program("yes hostname")).problem()).isEqualTo(says);
    assertThat(failure(program("printf '\\033[2J' >&2; exit 3")).problem()).isEqualTo("\\x1b[2J");
    assertThat(failure(program("exit 3")).problem()).isEqualTo("ssh cannot read its configuration");
  }

  @Test
  void whatSshSaysAsideIsNoPartOfItsAnswer() throws Exception {
    SshSettings settings =
        program("echo 'hostname evil' >&2; echo 'hostname gpu7'; echo 'user me'; echo 'x'");

    SshOptions options =
        new SshProgramOptionsReader(settings)
            .read(SshTarget.parse("gpu7"), Optional.empty())
            .orElseThrow();

    assertThat(options.all("hostname")).containsExactly("gpu7");
    assertThat(options.first("user")).contains("me");
  }

  private SshSettings program(String text) throws Exception {
    Path program = Files.writeString(folder.resolve("ssh"), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return SshSettings.of(folder)
        .withSshProgram(program.toString())
        .withLimits(Duration.ofSeconds(20), Duration.ofSeconds(1));
  }

  private static Failure failure(SshSettings settings) {
    Failure failure =
        catchThrowableOfType(
            Failure.class,
            () ->
                new SshProgramOptionsReader(settings)
                    .read(SshTarget.parse("gpu7"), Optional.empty()));
    assertThat(failure.problem()).doesNotContain("\u001b");
    return failure;
  }
}
