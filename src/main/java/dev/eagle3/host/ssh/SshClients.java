package dev.eagle3.host.ssh;

import java.time.Duration;
import java.util.List;
import org.apache.sshd.client.ClientBuilder;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.cipher.BuiltinCiphers;
import org.apache.sshd.common.cipher.Cipher;
import org.apache.sshd.common.io.nio2.Nio2ServiceFactoryFactory;
import org.apache.sshd.common.kex.BuiltinDHFactories;
import org.apache.sshd.common.kex.KeyExchangeFactory;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;
import org.apache.sshd.common.mac.BuiltinMacs;
import org.apache.sshd.common.mac.Mac;
import org.apache.sshd.core.CoreModuleProperties;
import org.apache.sshd.sftp.SftpModuleProperties;

/**
 * Builds SSHD's client with what this program uses and nothing else. Its defaults accept any host
 * key, read ssh_config in their own way, wait for small packets, cut silent commands, never notice
 * a frozen server, and try out every algorithm of the Java installation at start.
 */
final class SshClients {
  /** One round trip of 100 ms then allows 160 MB/s; SSHD's 2 MiB allow 20. */
  private static final long WINDOW_BYTES = 16L << 20;

  private static final long REKEY_BYTES = 64L << 30;
  private static final Duration NEVER = Duration.ofDays(365);

  /** AES-GCM first: it runs in hardware here, ChaCha20 is plain Java. */
  private static final List<NamedFactory<Cipher>> CIPHERS =
      List.of(
          BuiltinCiphers.aes128gcm,
          BuiltinCiphers.aes256gcm,
          BuiltinCiphers.aes128ctr,
          BuiltinCiphers.aes256ctr,
          BuiltinCiphers.cc20p1305_openssh);

  private static final List<NamedFactory<Mac>> MACS =
      List.of(
          BuiltinMacs.hmacsha256etm,
          BuiltinMacs.hmacsha512etm,
          BuiltinMacs.hmacsha256,
          BuiltinMacs.hmacsha512);

  private static final List<BuiltinDHFactories> KEY_EXCHANGES =
      List.of(
          BuiltinDHFactories.curve25519,
          BuiltinDHFactories.curve25519_libssh,
          BuiltinDHFactories.ecdhp256,
          BuiltinDHFactories.ecdhp384,
          BuiltinDHFactories.ecdhp521,
          BuiltinDHFactories.dhg16_512,
          BuiltinDHFactories.dhg18_512,
          BuiltinDHFactories.dhg14_256);

  private SshClients() {}

  /** A client, not started, for one connection; who gets it stops it. */
  static SshClient build(
      SshDestination destination, SshSettings settings, HostKeyVerifier verifier, KnownKeys known) {
    SshClient client =
        ClientBuilder.builder()
            .serverKeyVerifier(verifier)
            .hostConfigEntryResolver(HostConfigEntryResolver.EMPTY)
            .signatureFactories(HostKeyAlgorithms.order(known))
            .cipherFactories(CIPHERS)
            .macFactories(MACS)
            .keyExchangeFactories(keyExchanges(destination, verifier))
            .channelFactories(List.of())
            .build();
    client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
    LivelyConnectionService.install(client);
    client.setUserAuthFactories(LoginMethod.factories(destination));
    client.setIoServiceFactoryFactory(new Nio2ServiceFactoryFactory());
    configure(client, settings);
    return client;
  }

  private static void configure(SshClient client, SshSettings settings) {
    CoreModuleProperties.TCP_NODELAY.set(client, true);
    CoreModuleProperties.SOCKET_KEEPALIVE.set(client, true);
    CoreModuleProperties.IDLE_TIMEOUT.set(client, Duration.ZERO);
    CoreModuleProperties.HEARTBEAT_INTERVAL.set(client, settings.heartbeat());
    CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.set(client, settings.missedHeartbeats());
    // A refusal is then known at once. The answer comes meanwhile; nothing waits for it.
    CoreModuleProperties.REQUEST_EXEC_REPLY.set(client, true);
    SftpModuleProperties.SFTP_CHANNEL_OPEN_TIMEOUT.set(client, settings.sftpLimit());
    CoreModuleProperties.WINDOW_SIZE.set(client, WINDOW_BYTES);
    CoreModuleProperties.REKEY_BYTES_LIMIT.set(client, REKEY_BYTES);
    CoreModuleProperties.REKEY_TIME_LIMIT.set(client, NEVER);
    CoreModuleProperties.IO_CONNECT_TIMEOUT.set(client, settings.connectLimit());
    // We have limits of our own, which leave people the time to answer a question.
    CoreModuleProperties.AUTH_TIMEOUT.set(client, NEVER);
    CoreModuleProperties.ABORT_ON_INVALID_CERTIFICATE.set(client, false);
    // A command that reads its input slowly is no error; a dead connection the heartbeat finds.
    CoreModuleProperties.WAIT_FOR_SPACE_TIMEOUT.set(client, NEVER);
  }

  private static List<KeyExchangeFactory> keyExchanges(
      SshDestination destination, HostKeyVerifier verifier) {
    return KEY_EXCHANGES.stream()
        .map(method -> HostCertificateExchange.factory(method, destination, verifier))
        .toList();
  }
}
