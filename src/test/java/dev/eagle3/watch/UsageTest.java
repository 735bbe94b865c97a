package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageTest {
  /** As an H200 answered, twice. */
  private static final List<String> RECORDED =
      List.of(
          "disk\t1073741824\t2147483648",
          "gpu\t0\t115263\t143771\t97",
          "gpu\t1\t0\t143771\t0",
          "looked");

  @TempDir Path folder;

  @Test
  void whatAHostAnsweredIsSummedOverTheGpusOfTheRun() {
    assertThat(parse(RECORDED, List.of(), 2).toEvent())
        .isEqualTo(new Event.Usage(1L << 40, 2, 115_263, 287_542));
    assertThat(parse(RECORDED, List.of(1), 8).toEvent())
        .isEqualTo(new Event.Usage(1L << 40, 1, 0, 143_771));
    assertThat(parse(RECORDED, List.of(), 2).isComputing()).isTrue();
    assertThat(parse(RECORDED, List.of(1), 8).isComputing()).isFalse();
  }

  @Test
  @Hostile("an nvidia-smi and a df that answer nonsense")
  void whatMakesNoSenseIsLeftOut() {
    List<String> nonsense =
        List.of(
            "disk\t-1\t5",
            "disk\t99999999999999999999\t5",
            "gpu\t[N/A]\t1\t2\t3",
            "gpu\t0\t[N/A]\t143771\t[N/A]",
            "gpu\t0\t5\t0\t0",
            "gpu\t1",
            "gpu",
            "gpu\tNVIDIA-SMI has failed because it couldn't communicate with the driver",
            "looked");

    assertThat(parse(nonsense, List.of(), 8).toEvent()).isEqualTo(new Event.Usage(-1, 0, -1, -1));
  }

  @Test
  void theScriptAsksForTheFolderThatIsThere() throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    tool(bin, "nvidia-smi", "echo '0, 115263, 143771, 97'; echo '1, 0, 143771, [N/A]'");
    tool(bin, "df", "echo Filesystem; echo \"/dev/md0 2000 500 1500 25% ${4##*/}\"");
    try (Host host =
        RunBench.localHost(folder, Map.of("PATH", bin + ":" + System.getenv("PATH")))) {
      ScriptAnswer answer =
          new HostScripts(host)
              .run(ScriptCall.of("look-usage", folder.resolve("not/there yet").toString()));

      assertThat(answer.lines())
          .containsExactly(
              "disk\t1500\t2000",
              "gpu\t0\t115263\t143771\t97",
              "gpu\t1\t0\t143771\t[N/A]",
              "looked");
    }
  }

  @Test
  @Hostile("a host without df and nvidia-smi")
  void aHostThatSaysNothingIsNoTrouble() throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    tool(bin, "nvidia-smi", "exit 9");
    tool(bin, "df", "echo 'df: no file systems processed' >&2; exit 1");
    try (Host host =
        RunBench.localHost(folder, Map.of("PATH", bin + ":" + System.getenv("PATH")))) {
      ScriptAnswer answer =
          new HostScripts(host).run(ScriptCall.of("look-usage", folder.toString()));

      assertThat(answer.lines()).containsExactly("looked");
    }
  }

  private static Usage parse(List<String> lines, List<Integer> indices, int count) {
    return Usage.parse(new ScriptAnswer(0, lines, ""), indices, count);
  }

  private static void tool(Path bin, String name, String text) throws IOException {
    Path tool = Files.writeString(bin.resolve(name), "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
