package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of known_hosts in every state, against lines that ssh-keygen makes and finds. */
class KnownHostsTest {
  @TempDir static Path keys;
  private static String key;

  @TempDir Path folder;

  @BeforeAll
  static void makeKey() throws Exception {
    String line = Files.readString(Path.of(KeyMaker.make(keys.resolve("key"), "") + ".pub"));
    key = line.substring(0, line.lastIndexOf(' '));
  }

  @Test
  @Hostile("known_hosts with lines of rubbish")
  void linesThatAreNoneArePassedOver() throws Exception {
    byte[] binary = new byte[100_000];
    new Random(7).nextBytes(binary);
    Path file = folder.resolve("known");
    String rubbish =
        String.join(
            "\n",
            "gpu7",
            "gpu7 ssh-ed25519",
            "gpu7 ssh-ed25519 !!!!",
            "gpu7 ssh-ed25519 AAAA",
            "gpu7 ssh-rsa " + key.substring(key.indexOf(' ') + 1),
            "gpu7 ssh-\u001b[2J " + Base64.getEncoder().encodeToString("\0\0\0\0".getBytes(UTF_8)),
            "@nonsense gpu7 " + key,
            "|1|%%%|%%% " + key,
            "|1| " + key,
            "|1|||| " + key,
            "|2|AAAA|AAAA " + key,
            "@revoked",
            "@",
            "gpu7".repeat(300_000) + " " + key,
            "*".repeat(1_000_000) + "x " + key,
            "g\u0000pu7 " + key,
            "\t \u0007",
            "");
    Files.write(file, rubbish.getBytes(UTF_8));
    Files.write(file, binary, java.nio.file.StandardOpenOption.APPEND);
    Files.writeString(
        file, "\ngpu7 " + key + " me\u001b[2J@here\n", java.nio.file.StandardOpenOption.APPEND);

    List<KnownKey> found = find(file, "gpu7");

    assertThat(found).extracting(KnownKey::marker).containsExactly("");
    assertThat(found.get(0).type()).isEqualTo("ssh-ed25519");
  }

  @Test
  @Hostile("known_hosts that is a pipe, a folder, or of four gigabytes")
  void whatIsNoFileIsRefusedAndNeverWaitedFor() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path large = folder.resolve("large");
    assertThat(new ProcessBuilder("truncate", "-s", "4G", large.toString()).start().waitFor())
        .isZero();

    for (Path file : List.of(pipe, folder, large)) {
      assertThatThrownBy(() -> find(file, "gpu7"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(file.toString());
    }
    assertThat(find(Path.of("/dev/null"), "gpu7")).isEmpty();
    assertThat(find(folder.resolve("missing"), "gpu7")).isEmpty();
  }

  @Test
  void whatIsWrittenIsFoundBySshKeygenAndByUs() throws Exception {
    for (boolean hashed : List.of(true, false)) {
      Path file = folder.resolve("new/folder/known" + hashed);
      KnownHosts.append(file, "[gpu7]:2222", blob(), hashed);
      KnownHosts.append(file, "gpu8", blob(), hashed);

      assertThat(Files.readString(file).contains("gpu")).isEqualTo(!hashed);
      assertThat(find(file, "[gpu7]:2222")).hasSize(1);
      assertThat(find(file, "gpu8")).hasSize(1);
      assertThat(find(file, "gpu9")).isEmpty();
      for (String name : List.of("[gpu7]:2222", "gpu8")) {
        assertThat(
                new ProcessBuilder(
                        Tools.find("ssh-keygen").toString(), "-F", name, "-f", file.toString())
                    .start()
                    .waitFor())
            .isZero();
      }
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
    }
  }

  private static List<KnownKey> find(Path file, String name) throws IOException {
    return new KnownHosts(List.of(file)).find(name);
  }

  private static byte[] blob() {
    return Base64.getDecoder().decode(key.substring(key.indexOf(' ') + 1));
  }
}
