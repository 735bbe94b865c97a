package dev.eagle3.host.ssh;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.login.FailedLoginException;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.io.resource.PathResource;
import org.apache.sshd.common.util.security.SecurityUtils;

/** Reads private keys: OpenSSH's own format and PEM, with ed25519, ECDSA and RSA. */
final class IdentityReader {
  private static final long MOST_BYTES = 1 << 20;

  private final SshDestination destination;
  private final List<String> passedOver = new ArrayList<>();

  IdentityReader(SshDestination destination) {
    this.destination = destination;
  }

  /** The keys of the destination that can be used, in their order. */
  List<Identity> read() {
    List<Identity> identities = new ArrayList<>();
    for (Path file : destination.identityFiles()) {
      try {
        for (KeyPair pair : pairsOf(file)) {
          identities.add(new Identity(file, pair));
        }
      } catch (NoSuchFileException missing) {
        // Most of the usual files exist nowhere; one that was asked for should.
        if (destination.identityFilesChosen()) {
          passedOver.add(file + " does not exist");
        }
      } catch (FailedLoginException encrypted) {
        passedOver.add(file + " has a passphrase, which is not supported yet");
      } catch (IOException | GeneralSecurityException | RuntimeException unreadable) {
        passedOver.add(file + " cannot be read as a private key");
      }
    }
    return identities;
  }

  /** Files that gave no key although they should, with the reason. */
  List<String> passedOver() {
    return List.copyOf(passedOver);
  }

  private static List<KeyPair> pairsOf(Path file) throws IOException, GeneralSecurityException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + ": too large for a key");
    }
    List<KeyPair> pairs = new ArrayList<>();
    try (InputStream in = Files.newInputStream(file)) {
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(
              null, new PathResource(file), in, FilePasswordProvider.EMPTY);
      if (found != null) {
        found.forEach(pairs::add);
      }
    }
    if (pairs.isEmpty()) {
      throw new IOException(file + ": no key");
    }
    return pairs;
  }
}
