package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a connection depends on beside the host: values that {@code main} passes on, so that nothing
 * here reads the environment.
 *
 * @param home the user's home folder: {@code ~} of identity and known_hosts files
 * @param configFile the ssh_config file; empty: what ssh itself reads ({@code ~/.ssh/config} and
 *     the system's), or {@code home/.ssh/config} where {@code home} is not the account's own
 * @param sshProgram the OpenSSH client that is asked to resolve ssh_config ({@code ssh -G}); where
 *     it cannot be started the file is read here
 * @param acceptNewHostKey whether the key of an unknown host is written to known_hosts instead of
 *     refused; a changed key is refused always
 * @param connectLimit for name, connection and key exchange, each
 * @param loginLimit for the login
 * @param sftpLimit for the first word of the server's SFTP, which counts as none after that
 * @param heartbeat how often a silent server is asked for a sign of life
 * @param missedHeartbeats after how many unanswered ones a connection is lost
 * @param agentSocket the Unix socket of the user's ssh-agent ({@code SSH_AUTH_SOCK})
 * @param prompter asks for passphrases and passwords; {@link Prompter#NOBODY} without a terminal
 * @param environment variables that ssh_config may name ({@code ${NAME}})
 */
public record SshSettings(
    Path home,
    Optional<Path> configFile,
    String sshProgram,
    boolean acceptNewHostKey,
    Duration connectLimit,
    Duration loginLimit,
    Duration sftpLimit,
    Duration heartbeat,
    int missedHeartbeats,
    Optional<Path> agentSocket,
    Prompter prompter,
    Map<String, String> environment) {

  /** The settings of everyday, for a user with this home folder. */
  public static SshSettings of(Path home) {
    return new SshSettings(
        home,
        Optional.empty(),
        "ssh",
        false,
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(10),
        Duration.ofSeconds(15),
        3,
        Optional.empty(),
        Prompter.NOBODY,
        Map.of());
  }

  /** The same with another ssh_config file, as {@code -F} names it. */
  public SshSettings withConfigFile(Path file) {
    return new SshSettings(
        home,
        Optional.of(file),
        sshProgram,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        prompter,
        environment);
  }

  /** The same, asking another OpenSSH client. */
  public SshSettings withSshProgram(String program) {
    return new SshSettings(
        home,
        configFile,
        program,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        prompter,
        environment);
  }

  /** The same, taking the key of a host that is not known yet. */
  public SshSettings acceptingNewHostKeys() {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        true,
        connectLimit,
        loginLimit,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        prompter,
        environment);
  }

  /** The same with other limits for connecting and for logging in. */
  public SshSettings withLimits(Duration connecting, Duration login) {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        acceptNewHostKey,
        connecting,
        login,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        prompter,
        environment);
  }

  /** The same, waiting so long for SFTP. */
  public SshSettings withSftpLimit(Duration limit) {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        limit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        prompter,
        environment);
  }

  /** The same with another heartbeat. */
  public SshSettings withHeartbeat(Duration interval, int missed) {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        sftpLimit,
        interval,
        missed,
        agentSocket,
        prompter,
        environment);
  }

  /** The same, asking this agent for keys. */
  public SshSettings withAgent(Path socket) {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        Optional.of(socket),
        prompter,
        environment);
  }

  /** The same, asking the user through this. */
  public SshSettings withPrompter(Prompter asking) {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        asking,
        environment);
  }

  /** The same, with variables that ssh_config may name. */
  public SshSettings withEnvironment(Map<String, String> variables) {
    return new SshSettings(
        home,
        configFile,
        sshProgram,
        acceptNewHostKey,
        connectLimit,
        loginLimit,
        sftpLimit,
        heartbeat,
        missedHeartbeats,
        agentSocket,
        prompter,
        Map.copyOf(variables));
  }
}
