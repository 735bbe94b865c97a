package dev.eagle3.testing;

import dev.eagle3.demo.DemoFolder;
import dev.eagle3.host.ssh.OpenSshServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A GPU host for one test: a real OpenSSH server whose account finds the stand-ins of the demo
 * (devices, {@code nvidia-smi}, model, prepared data, extraction script), and a profile that names
 * them.
 */
public final class StandInHost implements AutoCloseable {
  private final DemoFolder files;
  private final OpenSshServer server;
  private final Path profile;

  private StandInHost(DemoFolder files, OpenSshServer server, Path profile) {
    this.files = files;
    this.server = server;
    this.profile = profile;
  }

  /**
   * Starts one in an empty folder.
   *
   * @param more further variables of its commands
   */
  public static StandInHost start(Path folder, Map<String, String> more)
      throws IOException, InterruptedException {
    DemoFolder files = DemoFolder.create(Files.createDirectories(folder.resolve("gpu")));
    OpenSshServer.Setup setup = OpenSshServer.in(Files.createDirectories(folder.resolve("ssh")));
    files
        .environment(System.getenv("PATH"))
        .forEach(
            (name, value) -> {
              if (!name.equals("HOME")) {
                setup.environment(name, value);
              }
            });
    more.forEach(setup::environment);
    Path profile =
        Files.write(
            folder.resolve("profile.yaml"),
            List.of(
                "python: " + python(),
                "script: " + files.script(),
                "model-path: " + files.model(),
                "prepared-data: " + files.preparedData(),
                "output-dir: " + files.output(),
                "log-file: " + files.log(),
                "layers: [2, 30, 58, 60]"));
    return new StandInHost(files, setup.start(), profile);
  }

  /** What lies on it. */
  public DemoFolder files() {
    return files;
  }

  /** Its SSH server. */
  public OpenSshServer server() {
    return server;
  }

  /** A profile for it, on the client's side. */
  public Path profile() {
    return profile;
  }

  /** The state folder of its account. */
  public Path state() {
    return server.home().resolve(".eagle3");
  }

  @Override
  public void close() {
    server.close();
  }

  private static Path python() {
    Path system = Path.of("/usr/bin/python3");
    return Files.isExecutable(system) ? system : Tools.find("python3");
  }
}
