package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.tensor.TorchFileWriter;
import dev.eagle3.testing.Hostile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** {@code inspect host:PATH} against a real OpenSSH server. */
@Tag("slow")
class InspectOverSshTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  @Test
  void aFileOfAHostIsToldAsTheSameFileHere() throws Exception {
    Path file = folder.resolve("data 0.pt");
    Files.write(file, TorchFileWriter.sample(512, 4, "bfloat16", 512, 7168).bytes());
    try (OpenSshServer server = OpenSshServer.in(folder.resolve("server")).start()) {
      CommandLineRun here = CommandLineRun.of("inspect", "--json", file.toString());
      CommandLineRun there = inspect(server, "--json", "box:" + file);

      assertThat(there.code()).as(there.err()).isZero();
      assertThat(there.out().lines()).hasSize(1);
      JsonNode object = JSON.readTree(there.out());
      assertThat(object.get("file").asString()).isEqualTo("box:" + file);
      for (String field : Arrays.asList("container", "bytes", "tensors", "globals", "findings")) {
        assertThat(object.get(field)).as(field).isEqualTo(JSON.readTree(here.out()).get(field));
      }
      CommandLineRun text = inspect(server, "box:" + file);
      assertThat(text.out())
          .startsWith("box:" + file + ": torch zip, ")
          .contains("  hidden_states[3]  bfloat16  [512, 7168]");
    }
  }

  @Test
  @Hostile("a file on a host that was cut, one that is none, and one that may not be read")
  void whatIsWrongWithAFileOfAHostIsNamed() throws Exception {
    Path cut = folder.resolve("cut.pt");
    byte[] whole = TorchFileWriter.sample(512, 4, "bfloat16", 512, 64).bytes();
    Files.write(cut, Arrays.copyOf(whole, 100_000));
    Path pipe = folder.resolve("pipe.pt");
    new ProcessBuilder("mkfifo", pipe.toString()).start().onExit().join();
    try (OpenSshServer server = OpenSshServer.in(folder.resolve("server")).start()) {
      CommandLineRun damaged = inspect(server, "box:" + cut);
      assertThat(damaged.code()).as(damaged.err()).isEqualTo(16);
      assertThat(damaged.out())
          .contains("100,000 bytes: the first 2 of 6 storages are whole, wanted ")
          .contains("[file.cut]");

      CommandLineRun missing = inspect(server, "box:" + folder.resolve("no.pt"));
      assertThat(missing.code()).isEqualTo(11);
      assertThat(missing.err())
          .contains("box:" + folder.resolve("no.pt"), "there is no such file", "# on box");

      CommandLineRun none = inspect(server, "box:" + pipe);
      assertThat(none.code()).isEqualTo(11);
      assertThat(none.err()).contains("is no regular file, so it was not opened");
    }
  }

  private static CommandLineRun inspect(OpenSshServer server, String... words) throws Exception {
    String[] all = new String[words.length + 3];
    all[0] = "inspect";
    all[1] = "-F";
    all[2] = server.clientConfiguration().toString();
    System.arraycopy(words, 0, all, 3, words.length);
    return CommandLineRun.at(server.clientHome(), Map.of(), all);
  }
}
