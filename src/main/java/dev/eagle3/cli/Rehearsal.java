package dev.eagle3.cli;

import dev.eagle3.demo.server.LoopbackServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs short commands against a loopback host, for {@code scripts/eagle3}: the JVM notes which
 * classes that takes, and later starts load them from one archive. What the commands print is of no
 * interest.
 */
final class Rehearsal {
  private static final String HOST = "rehearsal";

  private Rehearsal() {}

  /** Takes one argument, an existing folder that all that is made goes into. */
  public static void main(String[] arguments) throws IOException {
    run(Path.of(arguments[0]));
    System.exit(0);
  }

  /**
   * Rehearses; takes about a second. Listens on loopback for that time.
   *
   * @return the exit code of each command
   */
  static Map<String, Integer> run(Path folder) throws IOException {
    Map<String, String> environment =
        Map.of(
            "HOME",
            folder.toString(),
            "PATH",
            "/usr/bin:/bin",
            "LC_ALL",
            "C.UTF-8",
            // Nobody is there; asking is what is rehearsed.
            "SSH_AUTH_SOCK",
            folder.resolve("agent").toString());
    try (LoopbackServer server = LoopbackServer.start(folder, environment)) {
      Eagle3 eagle3 = new Eagle3(surroundings(folder, environment));
      Map<String, Integer> codes = new LinkedHashMap<>();
      Path samples = writeSamples(folder);
      for (List<String> command : commands(writeConfig(folder, server).toString(), samples)) {
        codes.put(String.join(" ", command), eagle3.run(command.toArray(String[]::new)));
      }
      return codes;
    }
  }

  private static List<List<String>> commands(String config, Path samples) {
    String torch = samples.resolve("torch").toString();
    String safetensors = samples.resolve("safetensors").toString();
    String model = samples.resolve("model").toString();
    return List.of(
        List.of("--help"),
        List.of("--version"),
        List.of("status", "--help"),
        List.of("status", "--host", HOST, "-F", config),
        List.of("status", "--host", HOST, "-F", config, "--json"),
        List.of("runs", "--host", HOST, "-F", config),
        List.of("verify-shapes", torch),
        List.of("verify-shapes", torch + "/data_0.pt", "--layers", "2", "30"),
        List.of("verify-shapes", safetensors, "--json"),
        List.of("verify-shapes", torch, "--model-path", model),
        List.of("verify-shapes", HOST + ":" + torch, "-F", config),
        List.of("inspect", torch + "/data_0.pt"),
        List.of("extract", "--host", HOST, "--layers", "2", "30", "--dry-run"));
  }

  /** Small samples as extractors save them, and the config of their model. */
  private static Path writeSamples(Path folder) throws IOException {
    Path torch = Files.createDirectories(folder.resolve("samples").resolve("torch"));
    try (InputStream sample =
        Objects.requireNonNull(Rehearsal.class.getResourceAsStream("/rehearsal/data_0.pt"))) {
      Files.copy(sample, torch.resolve("data_0.pt"), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.copy(
        torch.resolve("data_0.pt"),
        torch.resolve("data_1.pt"),
        StandardCopyOption.REPLACE_EXISTING);
    byte[] header =
        """
        {"token_ids":{"dtype":"I64","shape":[2],"data_offsets":[0,16]},\
        "hidden_states":{"dtype":"BF16","shape":[2,2,2],"data_offsets":[16,32]}}\
        """
            .getBytes(StandardCharsets.UTF_8);
    ByteBuffer file = ByteBuffer.allocate(8 + header.length + 32).order(ByteOrder.LITTLE_ENDIAN);
    file.putLong(header.length).put(header);
    Path safetensors = Files.createDirectories(folder.resolve("samples").resolve("safetensors"));
    Files.write(safetensors.resolve("hs_0.safetensors"), file.array());
    Path model = Files.createDirectories(folder.resolve("samples").resolve("model"));
    Files.writeString(
        model.resolve("config.json"),
        """
        {"hidden_size": 2, "num_hidden_layers": 2, "vocab_size": 9, "torch_dtype": "bfloat16"}
        """);
    return folder.resolve("samples");
  }

  private static Surroundings surroundings(Path home, Map<String, String> environment) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return new Surroundings(
        InputStream.nullInputStream(),
        nowhere,
        nowhere,
        environment,
        home,
        new Surroundings.Terminal(false, false, false, 80),
        ask -> Optional.empty(),
        Clock.systemUTC(),
        () -> 0);
  }

  private static Path writeConfig(Path folder, LoopbackServer server) throws IOException {
    return Files.writeString(
        folder.resolve("ssh_config"),
        """
        Host %s
          HostName 127.0.0.1
          Port %d
          User rehearsal
          IdentityFile "%s"
          IdentitiesOnly yes
          UserKnownHostsFile "%s"
        """
            .formatted(HOST, server.port(), server.identity(), server.knownHosts()));
  }
}
