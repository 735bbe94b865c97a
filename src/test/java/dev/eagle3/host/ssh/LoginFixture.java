package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A user of a real OpenSSH server: a home with known_hosts and ssh_config, and the file of the
 * server that says who may log in.
 */
final class LoginFixture {
  private final OpenSshServer server;
  private final Path authorized;
  private final Path home;
  private final List<String> configuration = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private Optional<Path> agent = Optional.empty();
  private Prompter prompter = Prompter.NOBODY;

  LoginFixture(OpenSshServer server, Path authorized, Path home) throws IOException {
    this.server = server;
    this.authorized = authorized;
    this.home = home;
    Files.writeString(authorized, "");
    Files.createDirectories(home.resolve(".ssh"));
    Files.copy(server.knownHosts(), home.resolve(".ssh/known_hosts"));
  }

  /** A server whose keys that may log in change from test to test. */
  static OpenSshServer start(Path folder, String... configuration)
      throws IOException, InterruptedException {
    OpenSshServer.Setup setup =
        OpenSshServer.in(folder).configuration("AuthorizedKeysFile " + authorized(folder));
    for (String line : configuration) {
      setup.configuration(line);
    }
    return setup.start();
  }

  /** The file of {@link #start} that says who may log in. */
  static Path authorized(Path folder) {
    return folder.resolve("authorized");
  }

  Path ssh(String name) {
    return home.resolve(".ssh").resolve(name);
  }

  /** Lets a key log in. */
  void authorize(Path key) throws IOException {
    Files.writeString(
        authorized,
        Files.readString(authorized) + Files.readString(KeyFileReader.beside(key, ".pub")));
  }

  /** A line of the user's ssh_config. */
  void configure(String line) {
    configuration.add(line);
  }

  void agent(Path socket) {
    agent = Optional.of(socket);
  }

  void prompter(Prompter asking) {
    prompter = asking;
  }

  List<String> notes() {
    return notes;
  }

  SshSettings settings() throws IOException {
    Path config = Files.write(home.resolve("config"), configuration);
    SshSettings settings = SshSettings.of(home).withConfigFile(config).withPrompter(prompter);
    return agent.map(settings::withAgent).orElse(settings);
  }

  /** Logs in, and out again. */
  void logIn() throws IOException {
    logIn(settings());
  }

  void logIn(SshSettings settings) {
    try (Host host = new SshConnector(settings, notes::add).connect(server.target())) {
      assertThat(host.name()).isEqualTo(server.target());
    }
  }

  /** The failure of a login that must not succeed. */
  Failure refusal() throws IOException {
    return refusal(settings());
  }

  Failure refusal(SshSettings settings) {
    Failure failure = catchThrowableOfType(Failure.class, () -> logIn(settings));
    assertThat(failure).as("somebody was let in").isNotNull();
    assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
    assertThat(failure.problem()).doesNotContain("Exception").doesNotContain("\n");
    return failure;
  }
}
