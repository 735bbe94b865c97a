package dev.eagle3.host.ssh;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.apache.sshd.common.util.security.SecurityUtils;

/**
 * What the first connection of a process needs whatever the host is, done aside while ssh_config is
 * read and the name is looked up: most of the time of a first connection goes into loading classes
 * and building tables.
 */
final class HeadStart {
  private static final CompletableFuture<Void> LIBRARY = new CompletableFuture<>();

  static {
    Thread thread = new Thread(HeadStart::load, "ssh-head-start");
    thread.setDaemon(true);
    thread.start();
  }

  private HeadStart() {}

  /** Begins, once in the life of the process; returns at once. */
  static void begin() {
    // Initializing this class has begun it.
  }

  /**
   * Waits for the part that belongs to SSHD: two threads that initialize its classes at the same
   * time, each from another end, could wait for each other for ever.
   */
  static void awaitLibrary() {
    LIBRARY.join();
  }

  private static void load() {
    try {
      BuiltinSignatures.ed25519.create();
      SecurityUtils.getKeyPairResourceParser();
    } finally {
      LIBRARY.complete(null);
    }
    try {
      KeyPairGenerator.getInstance("X25519").generateKeyPair();
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(new byte[16], "AES"),
          new GCMParameterSpec(128, new byte[12]));
      cipher.doFinal(new byte[16]);
    } catch (GeneralSecurityException missing) {
      // Then a connection uses something else.
      return;
    }
  }
}
