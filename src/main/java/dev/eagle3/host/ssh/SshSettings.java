package dev.eagle3.host.ssh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

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
    return with(draft -> draft.configFile = Optional.of(file));
  }

  /** The same, asking another OpenSSH client. */
  public SshSettings withSshProgram(String program) {
    return with(draft -> draft.sshProgram = program);
  }

  /** The same, taking the key of a host that is not known yet. */
  public SshSettings acceptingNewHostKeys() {
    return with(draft -> draft.acceptNewHostKey = true);
  }

  /** The same with other limits for connecting and for logging in. */
  public SshSettings withLimits(Duration connecting, Duration login) {
    return with(
        draft -> {
          draft.connectLimit = connecting;
          draft.loginLimit = login;
        });
  }

  /** The same, waiting so long for SFTP. */
  public SshSettings withSftpLimit(Duration limit) {
    return with(draft -> draft.sftpLimit = limit);
  }

  /** The same with another heartbeat. */
  public SshSettings withHeartbeat(Duration interval, int missed) {
    return with(
        draft -> {
          draft.heartbeat = interval;
          draft.missedHeartbeats = missed;
        });
  }

  /** The same, asking this agent for keys. */
  public SshSettings withAgent(Path socket) {
    return with(draft -> draft.agentSocket = Optional.of(socket));
  }

  /** The same, asking the user through this. */
  public SshSettings withPrompter(Prompter asking) {
    return with(draft -> draft.prompter = asking);
  }

  /** The same, with variables that ssh_config may name. */
  public SshSettings withEnvironment(Map<String, String> variables) {
    return with(draft -> draft.environment = Map.copyOf(variables));
  }

  private SshSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** Settings while one of them is changed. */
  private static final class Draft {
    private final Path home;
    private Optional<Path> configFile;
    private String sshProgram;
    private boolean acceptNewHostKey;
    private Duration connectLimit;
    private Duration loginLimit;
    private Duration sftpLimit;
    private Duration heartbeat;
    private int missedHeartbeats;
    private Optional<Path> agentSocket;
    private Prompter prompter;
    private Map<String, String> environment;

    Draft(SshSettings from) {
      home = from.home;
      configFile = from.configFile;
      sshProgram = from.sshProgram;
      acceptNewHostKey = from.acceptNewHostKey;
      connectLimit = from.connectLimit;
      loginLimit = from.loginLimit;
      sftpLimit = from.sftpLimit;
      heartbeat = from.heartbeat;
      missedHeartbeats = from.missedHeartbeats;
      agentSocket = from.agentSocket;
      prompter = from.prompter;
      environment = from.environment;
    }

    SshSettings settings() {
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
          environment);
    }
  }
}
