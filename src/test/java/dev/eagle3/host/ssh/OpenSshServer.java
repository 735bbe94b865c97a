package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A real OpenSSH server on loopback, for one test: own host keys, own account home, one key that
 * may log in, everything in one folder. The account is the one that runs the test; its home and its
 * login shell are the test's own ({@code scripts/fetch-tools} says how).
 *
 * <pre>{@code
 * try (OpenSshServer server = OpenSshServer.in(folder).start()) {
 *   ... server.target(), server.clientHome() ...
 * }
 * }</pre>
 */
public final class OpenSshServer implements AutoCloseable {
  /** A variable of everything that its sessions run; its value is the folder. */
  private static final String MARK = "EAGLE3_SSHD";

  private final Path folder;
  private final String address;
  private final int port;
  private final ProcessBuilder command;
  private Process process;

  private OpenSshServer(Path folder, String address, int port, ProcessBuilder command)
      throws IOException {
    this.folder = folder;
    this.address = address;
    this.port = port;
    this.command = command;
    this.process = command.start();
  }

  /** A server to set up in an empty folder. */
  public static Setup in(Path folder) {
    return new Setup(folder.toAbsolutePath());
  }

  /** What makes one server different from another; {@link #start} runs it. */
  public static final class Setup {
    private final Path folder;
    private final List<String> configuration = new ArrayList<>();
    private final List<String> wrapper = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private List<String> hostKeys = List.of("ed25519");
    private String address = "127.0.0.1";
    private Path loginShell = Path.of(Files.exists(Path.of("/bin/bash")) ? "/bin/bash" : "/bin/sh");

    private Setup(Path folder) {
      this.folder = folder;
      environment.put("PATH", System.getenv("PATH"));
      environment.put(MARK, folder.toString());
    }

    /** The login shell of the account; bash if the machine has it. */
    public Setup loginShell(Path shell) {
      loginShell = shell;
      return this;
    }

    /** A variable of every command's environment; {@code PATH} is the test's own unless given. */
    public Setup environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    /** A line of sshd_config; it comes first, so it wins over the fixture's own. */
    public Setup configuration(String line) {
      configuration.add(line);
      return this;
    }

    /** The address of loopback to listen on; {@code 127.0.0.1} unless given. */
    public Setup address(String loopback) {
      address = loopback;
      return this;
    }

    /**
     * Types of host keys, as ssh-keygen names them; ed25519 alone unless given. Keys {@code
     * host_TYPE} that stand in the folder already are used.
     */
    public Setup hostKeys(String... types) {
      hostKeys = List.of(types);
      return this;
    }

    /** Words before the server's own command, for example {@code unshare -m}; they must exec it. */
    public Setup wrappedIn(String... words) {
      wrapper.addAll(List.of(words));
      return this;
    }

    /** Starts it and waits until it answers. */
    public OpenSshServer start() throws IOException, InterruptedException {
      Path sshd = Tools.find("sshd");
      Files.createDirectories(folder.resolve("home"));
      Path keys = Files.createDirectories(folder.resolve("client/.ssh"));
      makeKey("ed25519", keys.resolve("id_ed25519"));
      for (String type : hostKeys) {
        if (!Files.exists(folder.resolve("host_" + type))) {
          makeKey(type, folder.resolve("host_" + type));
        }
      }
      int port = freePort();
      Files.writeString(keys.resolve("known_hosts"), knownHosts(port), UTF_8);
      Files.writeString(folder.resolve("sshd_config"), serverConfiguration(port), UTF_8);
      List<String> command = new ArrayList<>(wrapper);
      command.addAll(
          List.of(sshd.toString(), "-D", "-f", folder + "/sshd_config", "-E", folder + "/log"));
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.redirectErrorStream(true).redirectOutput(folder.resolve("output").toFile());
      builder.environment().put("EAGLE3_SSHD_HOME", folder + "/home");
      builder.environment().put("EAGLE3_SSHD_SHELL", loginShell.toString());
      OpenSshServer server = new OpenSshServer(folder, address, port, builder);
      server.awaitListening();
      return server;
    }

    private String knownHosts(int port) throws IOException {
      StringBuilder lines = new StringBuilder();
      for (String type : hostKeys) {
        String key = Files.readString(folder.resolve("host_" + type + ".pub"), UTF_8);
        String withoutComment = key.substring(0, key.lastIndexOf(' '));
        lines.append("[" + address + "]:" + port + " " + withoutComment + "\n");
      }
      return lines.toString();
    }

    private String serverConfiguration(int port) {
      List<String> lines = new ArrayList<>(configuration);
      lines.add("ListenAddress [" + address + "]:" + port);
      for (String type : hostKeys) {
        lines.add("HostKey " + folder + "/host_" + type);
      }
      lines.add("AuthorizedKeysFile " + folder + "/client/.ssh/id_ed25519.pub");
      lines.add("PidFile none");
      lines.add("UsePAM no");
      lines.add("StrictModes no");
      lines.add("PermitRootLogin yes");
      lines.add("PrintMotd no");
      if (configuration.stream().noneMatch(line -> line.startsWith("Subsystem sftp "))) {
        lines.add("Subsystem sftp internal-sftp");
      }
      lines.add(
          environment.entrySet().stream()
              .map(entry -> "\"" + entry.getKey() + "=" + entry.getValue() + "\"")
              .collect(Collectors.joining(" ", "SetEnv ", "")));
      return String.join("\n", lines) + "\n";
    }
  }

  /** The address that it listens on. */
  public String host() {
    return address;
  }

  /** The port that it listens on. */
  public int port() {
    return port;
  }

  /** The account that may log in: the one that runs the test. */
  public String user() {
    return userName();
  }

  /** The same as {@code user@host:port}. */
  public String target() {
    String shown = address.indexOf(':') >= 0 ? "[" + address + "]" : address;
    return user() + "@" + shown + ":" + port;
  }

  /** The account's home; login shells start here, and read their own start-up files from it. */
  public Path home() {
    return folder.resolve("home");
  }

  /** A client's home: {@code .ssh/id_ed25519} may log in, {@code .ssh/known_hosts} has the keys. */
  public Path clientHome() {
    return folder.resolve("client");
  }

  /** The private key that may log in. */
  public Path identity() {
    return clientHome().resolve(".ssh/id_ed25519");
  }

  /** A known_hosts file with the server's keys. */
  public Path knownHosts() {
    return clientHome().resolve(".ssh/known_hosts");
  }

  /**
   * An ssh_config for OpenSSH's own client, with {@code -F}, in which the server is {@code box}.
   */
  public Path clientConfiguration() throws IOException {
    return Files.write(
        folder.resolve("client/ssh_config"),
        List.of(
            "Host box",
            "HostName " + host(),
            "Port " + port,
            "User " + user(),
            "IdentityFile " + identity(),
            "IdentitiesOnly yes",
            "UserKnownHostsFile " + knownHosts(),
            "BatchMode yes",
            "LogLevel ERROR"));
  }

  /** The public half of the host key of a type. */
  public Path hostKey(String type) {
    return folder.resolve("host_" + type + ".pub");
  }

  /** What the server logged so far. */
  public String log() throws IOException {
    return Files.readString(folder.resolve("log"), UTF_8)
        + Files.readString(folder.resolve("output"), UTF_8);
  }

  /** How many connections are open. */
  public long connections() {
    return process.children().count();
  }

  /** Ends every connection from the server's side without a word; commands that run go on. */
  public void cutConnections() {
    sessions().forEach(ProcessHandle::destroyForcibly);
    // Also those that are over and not yet waited for: they count as connections till then.
    Await.until(() -> sessions().isEmpty() && connections() == 0);
  }

  /** Ends those connections that are open now; new ones may be made meanwhile. */
  public void cutOpenConnections() {
    List<ProcessHandle> open = sessions();
    open.forEach(ProcessHandle::destroyForcibly);
    Await.until(() -> open.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Ends every connection as {@link #cutConnections}, and takes none until {@link #comeBack}. */
  public void goAway() {
    List<ProcessHandle> connected = sessions();
    process.destroy();
    Await.until(() -> !process.isAlive());
    connected.forEach(ProcessHandle::destroyForcibly);
    Await.until(() -> connected.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Takes connections again, on the port that it had. */
  public void comeBack() throws IOException {
    Files.deleteIfExists(folder.resolve("log"));
    process = command.start();
    awaitListening();
  }

  /** Stops every connection's process, as a network does that swallows everything. */
  public void freeze() {
    // Again, until nothing runs: a connection that was just made swaps its processes.
    Await.until(
        () -> {
          List<ProcessHandle> running =
              sessions().stream().filter(one -> !isStopped(one.pid())).toList();
          running.forEach(one -> signal("STOP", one));
          return running.isEmpty();
        });
  }

  /** Lets frozen connections go on. */
  public void thaw() {
    sessions().forEach(one -> signal("CONT", one));
  }

  /**
   * Stops it with all its connections and all that runs in its sessions or was left behind by them,
   * and waits until they are gone.
   */
  @Override
  public void close() {
    List<ProcessHandle> below = process.descendants().toList();
    process.destroy();
    below.forEach(ProcessHandle::destroyForcibly);
    Await.until(() -> !process.isAlive());
    Await.until(
        () -> {
          List<ProcessHandle> left = processes();
          left.forEach(ProcessHandle::destroyForcibly);
          return left.isEmpty();
        });
  }

  /** All that its sessions run or left behind: also processes whose parents are gone. */
  public List<ProcessHandle> processes() {
    return ProcessHandle.allProcesses()
        .filter(one -> one.pid() != ProcessHandle.current().pid() && isMarked(one.pid()))
        .toList();
  }

  private boolean isMarked(long pid) {
    try {
      String variables = Files.readString(Path.of("/proc/" + pid + "/environ"), ISO_8859_1);
      return ("\0" + variables).contains("\0" + MARK + "=" + folder + "\0");
    } catch (IOException goneOrForeign) {
      return false;
    }
  }

  /** Makes a key pair without a passphrase: {@code file} and {@code file.pub}. */
  public static void makeKey(String type, Path file) throws IOException, InterruptedException {
    answer(Tools.find("ssh-keygen").toString(), "-q", "-t", type, "-N", "", "-f", file.toString());
  }

  private void awaitListening() throws IOException {
    Await.until(() -> !process.isAlive() || said("Server listening"));
    if (!process.isAlive()) {
      throw new IOException("sshd ended: " + log());
    }
  }

  private boolean said(String words) {
    try {
      return Files.exists(folder.resolve("log")) && log().contains(words);
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** The server's own processes below the listening one, not the commands that they run. */
  private List<ProcessHandle> sessions() {
    String program = process.info().command().orElse("");
    try (Stream<ProcessHandle> below = process.descendants()) {
      return below.filter(one -> one.info().command().orElse("").equals(program)).toList();
    }
  }

  private static boolean isStopped(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), ISO_8859_1);
      return "TZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
    } catch (IOException gone) {
      return true;
    }
  }

  /** A process that ended since it was listed needs no signal. */
  private static void signal(String signal, ProcessHandle session) {
    try {
      answer("kill", "-" + signal, String.valueOf(session.pid()));
    } catch (IOException failed) {
      if (session.isAlive() && !isStopped(session.pid())) {
        throw new UncheckedIOException(failed);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", stopped);
    }
  }

  private static String userName() {
    return System.getProperty("user.name");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static String answer(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
    return said;
  }
}
