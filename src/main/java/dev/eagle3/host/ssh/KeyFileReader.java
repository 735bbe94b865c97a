package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Printable;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.common.util.io.resource.PathResource;
import org.apache.sshd.common.util.security.SecurityUtils;

/**
 * Reads identity files without asking anybody: OpenSSH's own format (PROTOCOL.key), whose public
 * half is readable also when the private one is locked, PEM, and public keys.
 */
final class KeyFileReader {
  private static final long MOST_BYTES = 1 << 20;
  private static final byte[] MAGIC = "openssh-key-v1\0".getBytes(ISO_8859_1);

  /** More is a file made to keep us busy: at some milliseconds a round. */
  private static final int MOST_ROUNDS = 4096;

  private static final Set<PosixFilePermission> OF_OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private KeyFileReader() {}

  /**
   * Reads one.
   *
   * @throws NoSuchFileException when there is neither the file nor one with {@code .pub} after it
   * @throws LoginKeyException for everything else that keeps it from being used
   */
  static KeyFile read(Path file) throws NoSuchFileException, LoginKeyException {
    try {
      if (Files.notExists(file)) {
        return withoutPrivateHalf(file);
      }
      String text = text(file);
      Optional<KeyBlob> publicKey = publicLine(text);
      if (publicKey.isPresent()) {
        return new KeyFile(file, publicKey, Optional.empty(), KeyFile.Form.PUBLIC_HALF);
      }
      KeyFile key = privateKey(file, text);
      refuseOpenToOthers(file);
      return key;
    } catch (NoSuchFileException missing) {
      throw missing;
    } catch (AccessDeniedException denied) {
      throw new LoginKeyException(file + " cannot be read: permission denied");
    } catch (IOException | GeneralSecurityException | RuntimeException malformed) {
      throw new LoginKeyException(file + " cannot be read as a private key");
    }
  }

  /** The text of a file that is small enough to be a key; never waits for a pipe. */
  static String text(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file + ": not a file");
    }
    if (Files.size(file) > MOST_BYTES) {
      throw new IOException(file + ": too large for a key");
    }
    return Files.readString(file, ISO_8859_1);
  }

  /** The key of a text that is one public key or certificate, {@code TYPE BASE64 [COMMENT]}. */
  static Optional<KeyBlob> publicLine(String text) {
    String[] words = text.strip().split("[ \t]+", 3);
    if (words.length < 2 || words[0].startsWith("-")) {
      return Optional.empty();
    }
    try {
      byte[] blob = Base64.getDecoder().decode(words[1]);
      return HostKeys.type(blob).equals(words[0])
          ? Optional.of(KeyBlob.of(blob))
          : Optional.empty();
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }

  /** {@code file} with this behind its name. */
  static Path beside(Path file, String suffix) {
    return Path.of(file + suffix);
  }

  /** Reads a private key that nothing locks, or that the provider unlocks. */
  static KeyPair decode(Path file, String text, FilePasswordProvider passphrases)
      throws IOException, GeneralSecurityException {
    List<KeyPair> pairs = new ArrayList<>();
    try (InputStream in = new ByteArrayInputStream(text.getBytes(ISO_8859_1))) {
      Iterable<KeyPair> found =
          SecurityUtils.loadKeyPairIdentities(null, new PathResource(file), in, passphrases);
      if (found != null) {
        found.forEach(pairs::add);
      }
    }
    if (pairs.isEmpty()) {
      throw new IOException(file + ": no key");
    }
    return pairs.get(0);
  }

  /** The public half of a pair. */
  static KeyBlob publicHalf(KeyPair pair) {
    ByteArrayBuffer buffer = new ByteArrayBuffer();
    buffer.putRawPublicKey(pair.getPublic());
    return KeyBlob.of(buffer.getCompactData());
  }

  private static KeyFile withoutPrivateHalf(Path file) throws IOException {
    Optional<KeyBlob> besideIt = publicLine(text(existing(beside(file, ".pub"), file)));
    if (besideIt.isEmpty()) {
      throw new NoSuchFileException(file.toString());
    }
    return new KeyFile(file, besideIt, Optional.empty(), KeyFile.Form.PUBLIC_HALF);
  }

  private static Path existing(Path file, Path meant) throws NoSuchFileException {
    if (!Files.isRegularFile(file)) {
      throw new NoSuchFileException(meant.toString());
    }
    return file;
  }

  /** As ssh: a key of one's own that others may read is no secret any more. */
  private static void refuseOpenToOthers(Path file) throws IOException, LoginKeyException {
    PosixFileAttributes attributes;
    try {
      attributes = Files.readAttributes(file, PosixFileAttributes.class);
    } catch (UnsupportedOperationException noSuchPermissions) {
      return;
    }
    boolean own = attributes.owner().getName().equals(System.getProperty("user.name"));
    if (own && attributes.permissions().stream().anyMatch(OF_OTHERS::contains)) {
      throw new LoginKeyException(
          file + " is open to others (its mode is not 0600), so it is not used",
          "chmod 600 " + ShellQuote.word(file.toString()));
    }
  }

  private static KeyFile privateKey(Path file, String text)
      throws IOException, GeneralSecurityException, LoginKeyException {
    if (text.startsWith("PuTTY-User-Key-File-")) {
      throw new LoginKeyException(
          file + " is a key of PuTTY",
          "puttygen " + ShellQuote.word(file.toString()) + " -O private-openssh -o NEW");
    }
    if (text.contains("-----BEGIN OPENSSH PRIVATE KEY-----")) {
      KeyFile locked = readHeader(file, text);
      if (locked.isLocked()) {
        return locked;
      }
    } else if (text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")) {
      return lockedPem(file, KeyFile.Form.LOCKED_PKCS8);
    } else if (text.contains("Proc-Type: 4,ENCRYPTED")) {
      return lockedPem(file, KeyFile.Form.LOCKED);
    }
    KeyPair pair = decode(file, text, FilePasswordProvider.EMPTY);
    return new KeyFile(file, Optional.of(publicHalf(pair)), Optional.of(pair), KeyFile.Form.OPEN);
  }

  private static KeyFile lockedPem(Path file, KeyFile.Form form) throws IOException {
    Path beside = beside(file, ".pub");
    Optional<KeyBlob> known =
        Files.isRegularFile(beside) ? publicLine(text(beside)) : Optional.empty();
    return new KeyFile(file, known, Optional.empty(), form);
  }

  /** The part of OpenSSH's format that is never locked: cipher, key derivation, public key. */
  private static KeyFile readHeader(Path file, String text) throws IOException, LoginKeyException {
    WireReader reader = new WireReader(body(text));
    String cipher = reader.text();
    reader.text();
    byte[] derivation = reader.string();
    if (reader.uint32() != 1) {
      throw new IOException(file + ": not one key");
    }
    KeyBlob publicHalf = KeyBlob.of(reader.string());
    if (publicHalf.isInSecurityKey()) {
      throw new LoginKeyException(
          file + " is in a security key (FIDO), which only OpenSSH's own ssh can use",
          LoginKeyException.LET_SSH_CONNECT);
    }
    if (cipher.equals("none")) {
      return new KeyFile(file, Optional.of(publicHalf), Optional.empty(), KeyFile.Form.OPEN);
    }
    WireReader options = new WireReader(derivation);
    options.string(); // the salt
    long rounds = options.uint32();
    if (rounds > MOST_ROUNDS) {
      throw new LoginKeyException(
          file
              + String.format(
                  Locale.ROOT,
                  " is locked with %d rounds of bcrypt, more than %d",
                  rounds,
                  MOST_ROUNDS),
          "ssh-keygen -p -a 100 -f " + ShellQuote.word(file.toString()));
    }
    if (publicHalf.type().isEmpty()
        || !Printable.line(publicHalf.type()).equals(publicHalf.type())) {
      throw new IOException(file + ": no public key");
    }
    return new KeyFile(file, Optional.of(publicHalf), Optional.empty(), KeyFile.Form.LOCKED);
  }

  private static byte[] body(String text) throws IOException {
    int begin = text.indexOf("KEY-----") + "KEY-----".length();
    int end = text.indexOf("-----END", begin);
    if (end < 0) {
      throw new IOException("a key without its end");
    }
    byte[] all = Base64.getMimeDecoder().decode(text.substring(begin, end));
    if (!Arrays.equals(MAGIC, Arrays.copyOf(all, MAGIC.length))) {
      throw new IOException("not OpenSSH's format");
    }
    return Arrays.copyOfRange(all, MAGIC.length, all.length);
  }

  /** The most rounds of bcrypt that a passphrase is worked on with. */
  static int mostRounds() {
    return MOST_ROUNDS;
  }
}
