package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KernelLookerTest {
  private static final String KILL =
      "Out of memory: Killed process 4711 (python3) total-vm:9kB, anon-rss:801234567kB";

  @TempDir Path folder;

  @Test
  void onlyWhatHappenedDuringTheRunCounts() {
    KernelNotes notes =
        KernelLooker.parse(
            answer(
                "here\t1000000\t5000",
                "run\t999000\t999900",
                "kernel\tdmesg",
                "line\t[ 3900.000001] " + KILL.replace("4711", "1"),
                "line\t[ 4300.000001] " + KILL,
                "line\t[ 4925.500000] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711",
                "line\t[ 4990.000001] " + KILL.replace("4711", "3"),
                "line\tno stamp " + KILL.replace("4711", "4"),
                "group\t/sys/fs/cgroup\t3\t68719476736",
                "group\t/sys/fs/cgroup/x\t0\tmax"));

    assertThat(notes.readable()).isTrue();
    assertThat(notes.lines())
        .containsExactly(
            "[ 4300.000001] " + KILL, "[ 4925.500000] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711");
    assertThat(notes.groups())
        .containsExactly(
            new KernelNotes.Group("/sys/fs/cgroup", 3, 68719476736L),
            new KernelNotes.Group("/sys/fs/cgroup/x", 0, -1));
  }

  @Test
  @Hostile("a kernel's log that has lost its old lines")
  void aLogThatBeginsAfterTheRunProvesNothing() {
    for (String oldest : List.of("4800", "4950")) {
      KernelNotes notes =
          KernelLooker.parse(
              answer(
                  "here\t1000000\t5000",
                  "run\t999000\t999900",
                  "kernel\tjournal",
                  "oldest\t[ " + oldest + ".000001] something"));

      assertThat(notes.readable()).isEqualTo(oldest.equals("4800"));
    }
  }

  @Test
  @Hostile("the kernel's log answers nonsense")
  void nonsenseProvesNothing() {
    KernelNotes notes =
        KernelLooker.parse(
            answer(
                "here\tx\t",
                "run",
                "kernel\tnone",
                "line\t[99999999999999999999999.1] " + KILL,
                "line\t[ 1.1",
                "line",
                "group\t/sys\t-1\t",
                "group\t/sys"));

    assertThat(notes.readable()).isFalse();
    assertThat(notes.lines()).isEmpty();
    assertThat(notes.groups()).isEmpty();
  }

  static Stream<String> shells() {
    return Stream.of("dash", "bash", "busybox").filter(Tools::has);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void theScriptReadsTheKernelsLogInEveryShell(String shell) throws IOException {
    stand("sh", "exec " + Tools.find(shell) + (shell.equals("busybox") ? " sh" : "") + " \"$@\"");
    stand(
        "dmesg",
        """
        read -r up rest </proc/uptime
        echo "[    1.000000] Linux version"
        echo "[${up%.*}.000000] KILL"
        echo "[${up%.*}.000000] something else"
        """
            .replace("KILL", KILL));
    RunFolder run = madeRun();

    KernelNotes notes = KernelLooker.look(scripts(), run);

    assertThat(notes.readable()).isTrue();
    assertThat(notes.lines()).singleElement().asString().endsWith(KILL);
  }

  @Test
  @Hostile("a kernel's log that the user may not read")
  void aLogThatMayNotBeReadIsNoEmptyLog() throws IOException {
    stand("dmesg", "echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1");
    stand("journalctl", "exit 1");

    KernelNotes notes = KernelLooker.look(scripts(), madeRun());

    assertThat(notes.readable()).isFalse();
    assertThat(notes.lines()).isEmpty();
  }

  @Test
  void theJournalTellsWhereDmesgMayNot() throws IOException {
    stand("dmesg", "exit 1");
    stand("journalctl", "read -r up rest </proc/uptime; echo \"[$up] gpu7 kernel: " + KILL + "\"");

    assertThat(KernelLooker.look(scripts(), madeRun()).lines())
        .singleElement()
        .asString()
        .endsWith("gpu7 kernel: " + KILL);
  }

  private static ScriptAnswer answer(String... lines) {
    return new ScriptAnswer(0, List.of(lines), "");
  }

  private RunFolder madeRun() throws IOException {
    Path run =
        Files.createDirectories(folder.resolve("state/runs/20261129-171500-0a1b")).toRealPath();
    Files.writeString(run.resolve("plan.json"), "{}");
    Files.writeString(run.resolve("exit.137"), "");
    return new RunFolder(run.toString());
  }

  private HostScripts scripts() {
    String path = folder.resolve("bin") + ":" + System.getenv("PATH");
    return new HostScripts(RunBench.localHost(folder, Map.of("PATH", path)));
  }

  private void stand(String program, String text) throws IOException {
    Path file = Files.createDirectories(folder.resolve("bin")).resolve(program);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
