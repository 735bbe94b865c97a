package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lets OpenSSH itself resolve ssh_config: {@code ssh -G} prints every option for a host, with
 * {@code Include}, {@code Match} and canonical names done. It connects to nothing, but a {@code
 * Match exec} of the user's own file runs its command, as it would for ssh.
 */
final class SshProgramOptionsReader {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int MOST_BYTES = 1 << 20;
  private static final Path SYSTEM_CONFIG = Path.of("/etc/ssh/ssh_config");

  private final SshSettings settings;

  SshProgramOptionsReader(SshSettings settings) {
    this.settings = settings;
  }

  /**
   * What ssh would do for the target; empty where there is no such program.
   *
   * @throws Failure {@code UNREACHABLE} with ssh's own words when it cannot read its configuration
   */
  Optional<SshOptions> read(SshTarget target) {
    ProcessBuilder builder = new ProcessBuilder(command(target)).redirectErrorStream(true);
    builder.environment().put("HOME", settings.home().toString());
    Process process;
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException noProgram) {
      return Optional.empty();
    }
    try {
      String answer =
          CompletableFuture.supplyAsync(() -> textOf(process.getInputStream()))
              .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TimeoutException();
      }
      if (process.exitValue() != 0) {
        throw unreadable(target, lastLine(answer));
      }
      return Optional.of(parse(answer));
    } catch (TimeoutException | ExecutionException stuck) {
      throw unreadable(target, "`ssh -G` gave no answer within " + LIMIT.toSeconds() + " s");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unreadable(target, "interrupted");
    } finally {
      process.destroyForcibly();
    }
  }

  /** Reads the lines {@code keyword value} of {@code ssh -G}; keywords are in lower case. */
  static SshOptions parse(String answer) {
    SshOptions options = new SshOptions();
    for (String line : answer.lines().toList()) {
      int blank = line.indexOf(' ');
      if (blank > 0) {
        options.add(line.substring(0, blank), line.substring(blank + 1).strip());
      }
    }
    return options;
  }

  private List<String> command(SshTarget target) {
    List<String> words = new ArrayList<>(List.of(settings.sshProgram(), "-G"));
    configFile().ifPresent(file -> words.addAll(List.of("-F", file)));
    target.user().ifPresent(user -> words.addAll(List.of("-l", user)));
    target.port().ifPresent(port -> words.addAll(List.of("-p", String.valueOf(port))));
    words.addAll(List.of("--", target.host()));
    return words;
  }

  /** ssh looks for {@code ~} in the account's entry, not in HOME: so say where the file is. */
  private Optional<String> configFile() {
    if (settings.configFile().isPresent()) {
      return settings.configFile().map(Path::toString);
    }
    if (settings.home().equals(Path.of(System.getProperty("user.home")))) {
      return Optional.empty();
    }
    Path own = settings.home().resolve(".ssh/config");
    if (Files.exists(own)) {
      return Optional.of(own.toString());
    }
    return Optional.of(Files.exists(SYSTEM_CONFIG) ? SYSTEM_CONFIG.toString() : "none");
  }

  private static String textOf(InputStream stream) {
    try {
      return new String(stream.readNBytes(MOST_BYTES), UTF_8);
    } catch (IOException ended) {
      return "";
    }
  }

  private static String lastLine(String text) {
    String last = text.lines().reduce("", (before, line) -> line.isBlank() ? before : line);
    return last.isEmpty() ? "ssh cannot read its configuration" : Printable.line(last, 300);
  }

  private static Failure unreadable(SshTarget target, String why) {
    return Failure.of(Exit.UNREACHABLE, target.toString(), why)
        .orTry("ssh -G " + target.host() + "   # shows the same; or name another file with -F");
  }
}
