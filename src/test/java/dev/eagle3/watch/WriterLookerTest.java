package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who writes a file, asked of this machine, where this very process writes. */
class WriterLookerTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void filesThatAreOpenForWritingAreTold(String shell) throws IOException {
    Path written = Files.createFile(folder.resolve("data 0.pt"));
    Path read = Files.createFile(folder.resolve("data_1.pt"));
    Path closed = Files.createFile(folder.resolve("data_2.pt"));
    Path link = Files.createSymbolicLink(folder.resolve("data_3.pt"), written);
    try (Host host = hostWith(shell);
        var reader = new FileInputStream(read.toFile())) {
      HostScripts scripts = new HostScripts(host);
      List<String> files = List.of(written + "", read + "", closed + "", link + "", "/nowhere");
      try (var writer = new FileOutputStream(written.toFile())) {
        assertThat(WriterLooker.look(scripts, files))
            .hasValue(Set.of(written.toString(), link.toString()));
        writer.write(reader.available());
      }
      assertThat(WriterLooker.look(scripts, files)).hasValue(Set.of());
    }
  }

  @Test
  @Hostile("a file name with a line end, quotes and shell text")
  void hostileNamesAreNoShellText() throws IOException {
    Path written = Files.createFile(folder.resolve("$(touch x)\n'\"; data_0.pt"));
    try (Host host = RunBench.localHost(folder, Map.of());
        var writer = new FileOutputStream(written.toFile())) {
      assertThat(WriterLooker.look(new HostScripts(host), List.of(written.toString()))).isPresent();
      assertThat(folder.resolve("x")).doesNotExist();
      writer.flush();
    }
  }

  @Test
  @Hostile("a host without /proc tools")
  void aHostThatCannotSayIsNotTakenForOneWhereNobodyWrites() throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    try (Host host =
        new LocalHost("local", Map.of("PATH", tools.toString(), "HOME", folder.toString()))) {
      assertThat(WriterLooker.look(new HostScripts(host), List.of("/out/data_0.pt"))).isEmpty();
    }
  }

  private Host hostWith(String shell) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin-" + shell));
    Path sh = bin.resolve("sh");
    String applet = shell.equals("busybox") ? " sh" : "";
    Files.writeString(sh, "#!/bin/sh\nexec " + Tools.find(shell) + applet + " \"$@\"\n");
    Files.setPosixFilePermissions(sh, PosixFilePermissions.fromString("rwxr-xr-x"));
    return RunBench.localHost(folder, Map.of("PATH", bin + ":" + System.getenv("PATH")));
  }
}
