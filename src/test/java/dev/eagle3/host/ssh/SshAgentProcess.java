package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A real ssh-agent, for one test. */
final class SshAgentProcess implements AutoCloseable {
  private final Path socket;
  private final Process process;

  private SshAgentProcess(Path socket, Process process) {
    this.socket = socket;
    this.process = process;
  }

  /** Starts one whose socket is in this folder; the path must be short. */
  static SshAgentProcess start(Path folder) throws IOException {
    return start(folder, Map.of());
  }

  /** The same, with variables for the agent. */
  static SshAgentProcess start(Path folder, Map<String, String> environment) throws IOException {
    Path socket = folder.resolve("agent");
    Files.deleteIfExists(socket);
    ProcessBuilder builder =
        new ProcessBuilder(Tools.find("ssh-agent").toString(), "-D", "-a", socket.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("agent.out").toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    Await.until(() -> Files.exists(socket) || !process.isAlive());
    return new SshAgentProcess(socket, process);
  }

  Path socket() {
    return socket;
  }

  /** Adds a key without a passphrase, with its certificate if one lies beside it. */
  void add(Path key) throws IOException, InterruptedException {
    sshAdd("-q", key.toString());
  }

  /** Runs ssh-add with this agent. */
  void sshAdd(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tools.find("ssh-add").toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("SSH_AUTH_SOCK", socket.toString());
    Process add = builder.start();
    add.getOutputStream().close();
    String said = new String(add.getInputStream().readAllBytes(), UTF_8);
    if (add.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  /** Kills it without a chance to remove its socket. */
  void kill() {
    process.destroyForcibly();
    Await.until(() -> !process.isAlive());
  }

  @Override
  public void close() {
    kill();
  }
}
