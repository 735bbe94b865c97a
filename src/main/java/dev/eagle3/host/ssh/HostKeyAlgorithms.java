package dev.eagle3.host.ssh;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.sshd.common.NamedFactory;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.signature.Signature;

/**
 * In which order to ask for host keys: first the types that known_hosts has of the host, as OpenSSH
 * does. A server with several keys otherwise shows one that nobody has seen, which looks like a
 * stranger in between.
 */
final class HostKeyAlgorithms {
  private static final List<BuiltinSignatures> USUAL =
      List.of(
          BuiltinSignatures.ed25519,
          BuiltinSignatures.nistp256,
          BuiltinSignatures.nistp384,
          BuiltinSignatures.nistp521,
          BuiltinSignatures.rsaSHA512,
          BuiltinSignatures.rsaSHA256);

  private static final List<BuiltinSignatures> CERTIFICATES =
      List.of(
          BuiltinSignatures.ed25519_cert,
          BuiltinSignatures.nistp256_cert,
          BuiltinSignatures.nistp384_cert,
          BuiltinSignatures.nistp521_cert,
          BuiltinSignatures.rsaSHA512_cert,
          BuiltinSignatures.rsaSHA256_cert);

  private HostKeyAlgorithms() {}

  /**
   * All that are supported: certificates, where an authority for them is known, then the known
   * types of key, then all others.
   */
  static List<NamedFactory<Signature>> order(KnownKeys known) {
    Set<NamedFactory<Signature>> ordered = new LinkedHashSet<>();
    if (!known.authorities().isEmpty()) {
      ordered.addAll(CERTIFICATES);
    }
    for (String type : known.types()) {
      USUAL.stream().filter(signature -> belongsTo(signature, type)).forEach(ordered::add);
    }
    ordered.addAll(USUAL);
    return new ArrayList<>(ordered);
  }

  /** One RSA key signs with either hash. */
  private static boolean belongsTo(BuiltinSignatures signature, String keyType) {
    return signature.getName().equals(keyType)
        || (keyType.equals("ssh-rsa") && signature.getName().startsWith("rsa-sha2-"));
  }
}
