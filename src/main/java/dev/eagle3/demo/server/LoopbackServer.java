package dev.eagle3.demo.server;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.config.keys.writer.openssh.OpenSSHKeyPairResourceWriter;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.Command;
import org.apache.sshd.server.shell.ProcessShellFactory;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/**
 * An SSH server on loopback for one client: a key made for this run, commands of this machine's
 * {@code sh} under an environment of their own, files of this machine. Nobody without the key gets
 * in, and it listens on 127.0.0.1 only.
 *
 * <p>It differs from OpenSSH: a command killed by a signal has exit code 128 + n, and background
 * jobs never hold a channel open.
 */
public final class LoopbackServer implements Closeable {
  private static final String ADDRESS = "127.0.0.1";

  private final SshServer server;
  private final Path identity;
  private final Path knownHosts;

  private LoopbackServer(SshServer server, Path identity, Path knownHosts) {
    this.server = server;
    this.identity = identity;
    this.knownHosts = knownHosts;
  }

  /**
   * Starts a server.
   *
   * @param keys existing folder that gets the client's key and a known_hosts file
   * @param environment the whole environment of every command
   * @throws IOException when it cannot listen, or the files cannot be written
   */
  public static LoopbackServer start(Path keys, Map<String, String> environment)
      throws IOException {
    KeyPair hostKey = newKey();
    KeyPair clientKey = newKey();
    Path identity = keys.resolve("client_key");
    writeKey(clientKey, identity);

    SshServer server = SshServer.setUpDefaultServer();
    server.setHost(ADDRESS);
    server.setPort(0);
    server.setKeyPairProvider(KeyPairProvider.wrap(hostKey));
    PublicKey allowed = clientKey.getPublic();
    server.setPublickeyAuthenticator((user, key, session) -> KeyUtils.compareKeys(key, allowed));
    server.setCommandFactory((channel, line) -> command(channel, line, environment));
    server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
    CoreModuleProperties.TCP_NODELAY.set(server, true);
    server.start();

    Path knownHosts = keys.resolve("known_hosts");
    Files.writeString(
        knownHosts,
        "["
            + ADDRESS
            + "]:"
            + server.getPort()
            + " "
            + PublicKeyEntry.toString(hostKey.getPublic())
            + "\n");
    return new LoopbackServer(server, identity, knownHosts);
  }

  /** The port that it listens on. */
  public int port() {
    return server.getPort();
  }

  /** The client's private key file. */
  public Path identity() {
    return identity;
  }

  /** A known_hosts file with the server's key. */
  public Path knownHosts() {
    return knownHosts;
  }

  /** Stops at once; detached processes go on. */
  @Override
  public void close() throws IOException {
    server.stop(true);
  }

  private static Command command(
      ChannelSession channel, String line, Map<String, String> environment) throws IOException {
    List<String> words = new ArrayList<>(List.of("/usr/bin/env", "-i"));
    environment.forEach((name, value) -> words.add(name + "=" + value));
    words.addAll(List.of("/bin/sh", "-c", line));
    return new ProcessShellFactory(line, words) {
      @Override
      protected List<String> resolveEffectiveCommand(
          ChannelSession session, String raw, List<String> parsed) {
        // SSHD's own way is sh -c with the raw line, under the environment of this process.
        return words;
      }
    }.createShell(channel);
  }

  private static KeyPair newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JDK has P-256", impossible);
    }
  }

  private static void writeKey(KeyPair key, Path file) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (OutputStream out = Files.newOutputStream(file)) {
      OpenSSHKeyPairResourceWriter.INSTANCE.writePrivateKey(key, "eagle3 demo", null, out);
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("an unencrypted key can be written", impossible);
    }
  }
}
