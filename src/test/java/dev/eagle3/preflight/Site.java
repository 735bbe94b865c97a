package dev.eagle3.preflight;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;

/** A folder of packages as pip installs them. */
record Site(Path folder) {
  static Site in(Path folder) throws IOException {
    return new Site(Files.createDirectories(folder));
  }

  /** The metadata of a package. */
  void distribution(String name, String version, String more) throws IOException {
    file(
        name + "-" + version + ".dist-info/METADATA",
        "Metadata-Version: 2.4\nName: "
            + name
            + "\nVersion: "
            + version
            + "\n"
            + more
            + "\nText\n");
  }

  /** As pip notes what it installed: the SHA-256 in base64 without padding, and the size. */
  void record(String distribution, String path, String installed) throws Exception {
    byte[] bytes = installed.getBytes(StandardCharsets.ISO_8859_1);
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
    String hash = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    file(distribution + ".dist-info/RECORD", path + ",sha256=" + hash + "," + bytes.length + "\n");
  }

  /** A module that ends whoever imports it. */
  void module(String path, String text) throws IOException {
    file(path, "raise SystemExit('a package was imported')\n" + text);
  }

  void file(String path, String text) throws IOException {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardCharsets.ISO_8859_1);
  }
}
