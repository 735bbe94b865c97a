package dev.eagle3.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who writes to an output folder, asked of this machine. */
class OutputWriterFinderTest {
  @TempDir Path folder;

  private final List<Process> started = new ArrayList<>();
  private Path output;
  private ExtractionPlan plan;

  @BeforeEach
  void make() throws IOException {
    output = Files.createDirectories(folder.toRealPath().resolve("some home/hidden states"));
    try (RunBench bench = new RunBench(folder)) {
      plan = bench.plan("exit 0\n");
    }
    assertThat(plan.outputDir()).isEqualTo(output.toString());
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  @Hostile("a process whose command line names the output folder, in other words")
  void whoseCommandLineNamesTheFolderIsRefused(String shell) throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), output);
    Host host = hostWith(shell);
    assertThatCode(() -> refuse(host)).doesNotThrowAnyException();
    for (List<String> words :
        List.of(
            List.of("--output-dir", output.toString()),
            List.of("--output-dir=" + output + "/"),
            List.of("--x", "y", "--output-dir", link.toString()),
            List.of("--output-dir", "hidden states"))) {
      Process job = job(words);

      Failure refused = catchThrowableOfType(Failure.class, () -> refuse(host));

      assertThat(refused).as(words.toString()).isNotNull();
      assertThat(refused.exit()).isEqualTo(Exit.REFUSED);
      assertThat(refused.problem()).contains("is written to by process " + job.pid() + " of ");
      assertThat(refused.tryNext().orElse("")).contains("kill " + job.pid());
      end(job);
    }
    host.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  @Hostile("a process that has a file in the output folder open for writing, and no word of it")
  void whoHasAFileThereOpenForWritingIsRefused(String shell) throws IOException {
    Path file = Files.createFile(output.resolve("data_0.pt"));
    Host host = hostWith(shell);
    Process reader = start(new ProcessBuilder("sleep", "602").redirectInput(file.toFile()));
    assertThatCode(() -> refuse(host)).doesNotThrowAnyException();
    end(reader);

    Process writer = start(new ProcessBuilder("sleep", "602").redirectOutput(file.toFile()));

    Failure refused = catchThrowableOfType(Failure.class, () -> refuse(host));
    assertThat(refused.problem()).contains("process " + writer.pid());
    host.close();
  }

  @Test
  void whoNamesAnotherFolderOrNamesThisOneInPassingIsNot() throws IOException {
    job(List.of("--output-dir", output + ".before"));
    job(List.of("--output-dir", home().toString()));
    job(List.of("--log", output.toString()));
    job(List.of(output.toString()));
    job(List.of("--output-dir"));
    job(List.of("dev.eagle3.cli.Main", "extract", "--output-dir", output.toString()));
    try (Host host = RunBench.localHost(folder, Map.of())) {
      assertThatCode(() -> refuse(host)).doesNotThrowAnyException();
    }
  }

  @Test
  @Hostile("a process of a run of eagle3 without its lock")
  void whatBelongsToARunIsLeftToTheLockAtFirst() throws IOException {
    String run = "20260101-000000-0001";
    ProcessBuilder marked = new ProcessBuilder(words(List.of("--output-dir", output.toString())));
    marked.environment().put("EAGLE3_RUN", run);
    start(marked);
    try (Host host = RunBench.localHost(folder, Map.of())) {
      assertThatCode(() -> refuse(host)).doesNotThrowAnyException();
      Failure refused =
          catchThrowableOfType(
              Failure.class, () -> OutputWriterFinder.refuseAll(new HostScripts(host), plan));
      assertThat(refused.problem()).contains("of run " + run);
    }
  }

  @Test
  void whereARunHasTheLockItIsLeftToThat() throws IOException {
    job(List.of("--output-dir", output.toString()));
    Path lock = Files.createDirectory(Path.of(output + ".eagle3-lock"));
    Files.createFile(lock.resolve("20260101-000000-0001"));
    try (Host host = RunBench.localHost(folder, Map.of())) {
      assertThatCode(() -> refuse(host)).doesNotThrowAnyException();
    }
  }

  private Path home() throws IOException {
    return folder.toRealPath().resolve("some home");
  }

  private void refuse(Host host) {
    OutputWriterFinder.refuseStrangers(new HostScripts(host), plan);
  }

  private Process job(List<String> arguments) throws IOException {
    return start(new ProcessBuilder(words(arguments)).directory(home().toFile()));
  }

  /** A process that waits, with these words on its command line. */
  private static List<String> words(List<String> arguments) {
    List<String> words = new ArrayList<>(List.of("sh", "-c", "read x; exit", "job"));
    words.addAll(arguments);
    return words;
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.redirectError(new File("/dev/null")).start();
    started.add(process);
    return process;
  }

  private static void end(Process process) {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
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
