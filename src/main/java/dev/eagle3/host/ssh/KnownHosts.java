package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * known_hosts files, as sshd(8) describes them: plain and hashed names, patterns with negation,
 * {@code [host]:port}, markers. Lines that are none are passed over, as ssh does.
 */
final class KnownHosts {
  private static final int DEFAULT_PORT = 22;
  private static final long MOST_BYTES = 64L << 20;
  private static final Path NOTHING = Path.of("/dev/null");
  private static final Set<String> MARKERS = Set.of("", "@revoked", "@cert-authority");
  private static final String HASH_MARK = "|1|";

  private final List<Path> files;

  /** Reads these files, each time that it is asked; those that are not there are empty. */
  KnownHosts(List<Path> files) {
    this.files = List.copyOf(files);
  }

  /** The name under which a host stands there. */
  static String name(String host, int port) {
    String lower = host.toLowerCase(Locale.ROOT);
    return port == DEFAULT_PORT ? lower : "[" + lower + "]:" + port;
  }

  /**
   * The lines that speak of a name, in the order of the files.
   *
   * @throws IOException when a file is there and cannot be read
   */
  List<KnownKey> find(String name) throws IOException {
    List<KnownKey> found = new ArrayList<>();
    for (Path file : files) {
      if (!Files.exists(file)) {
        continue;
      }
      if (Files.isDirectory(file) || (!Files.isRegularFile(file) && !file.equals(NOTHING))) {
        // A pipe would wait for a writer.
        throw new IOException(file + ": is not a file");
      }
      if (Files.size(file) > MOST_BYTES) {
        throw new IOException(file + ": too large for a known_hosts file");
      }
      int number = 0;
      for (String line : new String(Files.readAllBytes(file), UTF_8).lines().toList()) {
        number++;
        addMatching(found, file, number, line.strip(), name);
      }
    }
    return found;
  }

  /**
   * Writes a key into a file: appended as one line, with the file and its folder made for the user
   * alone where they do not exist.
   *
   * @param hashed whether the line hides the name, as {@code HashKnownHosts} wants it
   */
  static void append(Path file, String name, byte[] blob, boolean hashed) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.exists(folder)) {
      Files.createDirectories(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    String line =
        (hashed ? hash(name) : name)
            + " "
            + HostKeys.type(blob)
            + " "
            + Base64.getEncoder().encodeToString(blob)
            + "\n";
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    String before = endsWithLineEnd(file) ? "" : "\n";
    Files.writeString(file, before + line, UTF_8, StandardOpenOption.APPEND);
  }

  private static boolean endsWithLineEnd(Path file) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(file)) {
      if (channel.size() == 0) {
        return true;
      }
      ByteBuffer last = ByteBuffer.allocate(1);
      channel.position(channel.size() - 1).read(last);
      return last.get(0) == '\n';
    }
  }

  private static String hash(String name) {
    byte[] salt = new byte[20];
    new SecureRandom().nextBytes(salt);
    Base64.Encoder encoder = Base64.getEncoder();
    try {
      return HASH_MARK
          + encoder.encodeToString(salt)
          + "|"
          + encoder.encodeToString(mac(salt, name));
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every Java has HMAC-SHA1", impossible);
    }
  }

  private static byte[] mac(byte[] salt, String name) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA1");
    mac.init(new SecretKeySpec(salt, "HmacSHA1"));
    return mac.doFinal(name.getBytes(UTF_8));
  }

  private static void addMatching(
      List<KnownKey> found, Path file, int number, String line, String name) {
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    }
    List<String> words = List.of(line.split("[ \t]+", -1));
    String marker = words.get(0).startsWith("@") ? words.get(0) : "";
    List<String> rest = marker.isEmpty() ? words : words.subList(1, words.size());
    if (!MARKERS.contains(marker) || rest.size() < 3 || !holds(rest.get(0), name)) {
      return;
    }
    byte[] blob;
    try {
      blob = Base64.getDecoder().decode(rest.get(2));
    } catch (IllegalArgumentException notBase64) {
      return;
    }
    if (HostKeys.type(blob).equals(rest.get(1))) {
      found.add(
          new KnownKey(
              file, number, marker, rest.get(1), Base64.getEncoder().encodeToString(blob)));
    }
  }

  private static boolean holds(String names, String name) {
    if (names.startsWith(HASH_MARK)) {
      return isHashOf(names, name);
    }
    List<String> patterns = List.of(names.toLowerCase(Locale.ROOT).split(",", -1));
    return Wildcards.matchOne(patterns, name.toLowerCase(Locale.ROOT));
  }

  /** {@code |1|SALT|HASH}: HMAC-SHA1 of the name under the salt, both in base 64. */
  private static boolean isHashOf(String hashed, String name) {
    String[] parts = hashed.split("\\|", -1);
    if (parts.length != 4) {
      return false;
    }
    try {
      byte[] wanted = Base64.getDecoder().decode(parts[3]);
      return MessageDigest.isEqual(wanted, mac(Base64.getDecoder().decode(parts[2]), name));
    } catch (IllegalArgumentException | GeneralSecurityException malformed) {
      return false;
    }
  }
}
