package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The probes in real shells. */
class ProbeShellsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void theMachineAnswersInEveryShell(String shell) throws IOException {
    Path model = Files.createDirectories(folder.resolve("a model"));

    ScriptAnswer answer =
        run(
            shell,
            ScriptCall.of(
                    "probe-machine",
                    "python",
                    "/usr/bin/python3",
                    "output",
                    folder.resolve("not/there/yet").toString(),
                    "model",
                    model.toString())
                .after("probe-host"));

    assertThat(answer.code()).as(answer.stderr()).isZero();
    Rows rows = new Rows(answer);
    assertThat(rows.named("place", "output", 3).orElseThrow())
        .containsExactly("output", folder.toString(), "writable");
    assertThat(rows.named("disk", "model", 8).orElseThrow().get(1)).isEqualTo(model.toString());
    assertThat(rows.number("clock", 0).orElse(0)).isGreaterThan(1_700_000_000L);
    assertThat(rows.named("limit", "open-files", 3)).isPresent();
    assertThat(rows.number("memory", 1)).isPresent();
    assertThat(answer.rows("path")).anySatisfy(row -> assertThat(row).contains("model", "folder"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void filesAreReadInEveryShell(String shell) throws IOException {
    Path script = Files.writeString(folder.resolve("it's a script.py"), "import no_such_thing\n");

    ScriptAnswer answer =
        run(
            shell,
            ScriptCall.of(
                    "probe-files",
                    ReadyHost.python().toString(),
                    "30",
                    "",
                    "job",
                    "--",
                    "script",
                    script.toString())
                .after("probe-job.py"));

    assertThat(new Rows(answer).first("import", 4).orElseThrow())
        .containsExactly("no_such_thing", "1", "missing", "always");
    assertThat(new Rows(answer).named("part", "job", 2).orElseThrow()).containsExactly("job", "0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  @Hostile("a container has GPUs 0, 2, 4 and 11, and no nvidia-smi")
  void devicesAreCountedOverGaps(String shell) throws IOException {
    Path devices = Files.createDirectories(folder.resolve("devices"));
    for (String name :
        List.of("0", "2", "4", "11", "ctl", "-uvm", "-caps", "-nvswitch1", "-nvswitchctl")) {
      Files.writeString(devices.resolve("nvidia" + name), "");
    }

    ScriptAnswer answer = run(shell, ScriptCall.of("probe-machine").after("probe-host"));

    assertThat(answer.rows("devices")).containsExactly(List.of("4", "1", "no"));
  }

  @Test
  @Hostile("nvidia-smi hangs and ignores TERM")
  void nvidiaSmiThatDoesNotAnswerIsNotWaitedForLongerThanItsTime() throws IOException {
    program("timeout", "#!/bin/sh\nexit 124\n");
    program("nvidia-smi", "#!/bin/sh\nexec sleep 600\n");

    ScriptAnswer answer = run("dash", ScriptCall.of("probe-machine").after("probe-host"));

    assertThat(answer.code()).isZero();
    assertThat(answer.rows("smi")).containsExactly(List.of("late"));
  }

  @Test
  @Hostile("nvidia-smi prints control characters and half a megabyte")
  void whatNvidiaSmiPrintsIsMadeHarmless() throws IOException {
    program(
        "nvidia-smi",
        "#!/bin/sh\n"
            + "printf 'index, name\\n"
            + "0, \\033[31mred\\t%s\\n"
            + "' \"$(head -c 500000 /dev/zero | tr '\\0' x)\"\n");

    ScriptAnswer answer = run("dash", ScriptCall.of("probe-machine").after("probe-host"));

    assertThat(answer.rows("gpu-csv")).hasSize(2);
    assertThat(answer.rows("gpu-csv").get(1).get(0))
        .startsWith("0, ?[31mred x")
        .hasSizeLessThan(301);
  }

  private ScriptAnswer run(String shell, ScriptCall call) throws IOException {
    program(
        "sh",
        "#!/bin/sh\nexec "
            + Tools.find(shell)
            + (shell.equals("busybox") ? " sh" : "")
            + " \"$@\"\n");
    Map<String, String> environment =
        Map.of(
            "PATH",
            folder.resolve("bin") + ":" + System.getenv("PATH"),
            "HOME",
            folder.toString(),
            "EAGLE3_DEVICES",
            folder.resolve("devices").toString());
    try (LocalHost host = new LocalHost("local", environment)) {
      return new HostScripts(host).run(call);
    }
  }

  private void program(String name, String text) throws IOException {
    Path program = Files.createDirectories(folder.resolve("bin")).resolve(name);
    Files.writeString(program, text);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
