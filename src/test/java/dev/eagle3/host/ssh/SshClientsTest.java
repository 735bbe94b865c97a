package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.core.CoreModuleProperties;
import org.junit.jupiter.api.Test;

/** SSHD's defaults that would cut, slow down or hang us, and cannot be seen in a short test. */
class SshClientsTest {
  private final SshClient client = build(List.of());

  @Test
  void aSilentCommandIsNeverCutAndAFrozenServerAlwaysNoticed() {
    assertThat(CoreModuleProperties.IDLE_TIMEOUT.getRequired(client)).isEqualTo(Duration.ZERO);
    assertThat(CoreModuleProperties.HEARTBEAT_INTERVAL.getRequired(client))
        .isEqualTo(Duration.ofSeconds(15));
    assertThat(CoreModuleProperties.HEARTBEAT_NO_REPLY_MAX.getRequired(client)).isEqualTo(3);
  }

  @Test
  void smallPacketsAreNotHeldBackAndWindowsAreLarge() {
    assertThat(CoreModuleProperties.TCP_NODELAY.getRequired(client)).isTrue();
    assertThat(CoreModuleProperties.WINDOW_SIZE.getRequired(client)).isEqualTo(16L << 20);
    assertThat(NamedResource.getNameList(client.getCipherFactories()))
        .startsWith("aes128-gcm@openssh.com", "aes256-gcm@openssh.com");
  }

  @Test
  void knownTypesOfHostKeyComeFirstAndNoneIsLeftOut() {
    assertThat(NamedResource.getNameList(client.getSignatureFactories()))
        .startsWith("ssh-ed25519")
        .doesNotContain("ssh-rsa", "ssh-dss");
    assertThat(NamedResource.getNameList(build(List.of("ssh-rsa")).getSignatureFactories()))
        .startsWith("rsa-sha2-512", "rsa-sha2-256", "ssh-ed25519")
        .hasSize(6);
  }

  private static SshClient build(List<String> knownTypes) {
    SshDestination destination =
        new SshDestination(
            new SshTarget(Optional.empty(), "gpu7", OptionalInt.empty()),
            "root",
            "gpu7",
            22,
            "gpu7",
            List.of(),
            false,
            List.of(),
            List.of(),
            HostKeyPolicy.ASK,
            new SshOptions());
    List<KnownKey> keys =
        knownTypes.stream().map(type -> new KnownKey(Path.of("known"), 1, "", type, "")).toList();
    KnownKeys known = new KnownKeys(keys, List.of());
    SshSettings settings = SshSettings.of(Path.of("/home/me"));
    ConnectFailures failures = new ConnectFailures(destination.target(), destination, settings, "");
    return SshClients.build(
        destination,
        settings,
        new HostKeyVerifier(destination, known, settings, failures, note -> {}),
        known);
  }
}
