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
  private static final int MOST_BYTES = 1 << 20;
  private static final Path SYSTEM_CONFIG = Path.of("/etc/ssh/ssh_config");

  private static final String NO_CONFIGURATION = "what `ssh -G` prints is no configuration";

  private final SshSettings settings;
  private final Duration limit;

  SshProgramOptionsReader(SshSettings settings) {
    this.settings = settings;
    this.limit = settings.connectLimit();
  }

  /**
   * What ssh would do for the target; empty where there is no such program.
   *
   * @param jumps the jump hosts that lead there, in place of those of ssh_config
   * @throws Failure {@code UNREACHABLE} with ssh's own words when it cannot read its configuration
   */
  Optional<SshOptions> read(SshTarget target, Optional<String> jumps) {
    ProcessBuilder builder = new ProcessBuilder(command(target, jumps));
    builder.environment().put("HOME", settings.home().toString());
    Process process;
    try {
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException noProgram) {
      return Optional.empty();
    }
    try {
      CompletableFuture<String> errors = textOf(process.getErrorStream(), "ssh-config-errors");
      String answer =
          textOf(process.getInputStream(), "ssh-config-answer")
              .get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new TimeoutException();
      }
      if (process.exitValue() != 0) {
        throw unreadable(
            target, complaint(errors.get(limit.toMillis(), TimeUnit.MILLISECONDS) + "\n" + answer));
      }
      SshOptions options = parse(answer);
      if (options.first("hostname").isEmpty()) {
        throw unreadable(target, NO_CONFIGURATION);
      }
      return Optional.of(options);
    } catch (ExecutionException tooLong) {
      throw unreadable(target, NO_CONFIGURATION);
    } catch (TimeoutException stuck) {
      throw unreadable(
          target,
          "`ssh -G` gave no answer within "
              + ConnectFailures.seconds(limit)
              + " (a Match exec of ssh_config may hang)");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unreadable(target, "interrupted");
    } finally {
      // Also what a Match exec has started, which would hold the streams.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
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

  private List<String> command(SshTarget target, Optional<String> jumps) {
    List<String> words = new ArrayList<>(List.of(settings.sshProgram(), "-G"));
    configFile().ifPresent(file -> words.addAll(List.of("-F", file)));
    target.user().ifPresent(user -> words.addAll(List.of("-l", user)));
    target.port().ifPresent(port -> words.addAll(List.of("-p", String.valueOf(port))));
    jumps.ifPresent(list -> words.addAll(List.of("-J", list)));
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

  /** Reads aside, in a thread that nothing waits for when the stream never ends. */
  private static CompletableFuture<String> textOf(InputStream stream, String name) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                byte[] bytes = stream.readNBytes(MOST_BYTES + 1);
                if (bytes.length > MOST_BYTES) {
                  text.completeExceptionally(new IOException("too long"));
                } else {
                  text.complete(new String(bytes, UTF_8));
                }
              } catch (IOException ended) {
                text.complete("");
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return text;
  }

  /** What ssh says is wrong: its first sentence names the line, its last the file. */
  private static String complaint(String text) {
    List<String> lines =
        text.lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("Pseudo-terminal will not"))
            .toList();
    if (lines.isEmpty()) {
      return "ssh cannot read its configuration";
    }
    String first = Printable.line(lines.get(0), 300);
    return lines.size() == 1
        ? first
        : first + "; " + Printable.line(lines.get(lines.size() - 1), 300);
  }

  private static Failure unreadable(SshTarget target, String why) {
    return Failure.of(Exit.UNREACHABLE, target.toString(), why)
        .orTry("ssh -G " + target.host() + "   # shows the same; or name another file with -F");
  }
}
