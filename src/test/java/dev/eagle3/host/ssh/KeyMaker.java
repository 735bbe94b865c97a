package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes keys and certificates with the real ssh-keygen. */
final class KeyMaker {
  private KeyMaker() {}

  /** A pair {@code file} and {@code file.pub}; returns {@code file}. */
  static Path make(Path file, String type, String format, String passphrase, String... more)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("-q", "-t", type, "-m", format));
    words.addAll(List.of("-N", passphrase, "-C", file.getFileName().toString()));
    words.addAll(List.of(more));
    words.addAll(List.of("-f", file.toString()));
    keygen(words);
    return file;
  }

  /** An ed25519 pair in OpenSSH's format; no passphrase when empty. */
  static Path make(Path file, String passphrase) throws IOException, InterruptedException {
    return make(file, "ed25519", "RFC4716", passphrase);
  }

  /** A certificate {@code key-cert.pub} of a key, by an authority. */
  static Path certify(Path authority, Path key, String principals, String validity)
      throws IOException, InterruptedException {
    keygen(
        List.of(
            "-q",
            "-s",
            authority.toString(),
            "-I",
            "test",
            "-n",
            principals,
            "-V",
            validity,
            key + ".pub"));
    return Path.of(key + "-cert.pub");
  }

  private static void keygen(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Tools.find("ssh-keygen").toString()));
    command.addAll(words);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }
}
