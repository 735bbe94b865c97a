package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.Host;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of {@code setup}, in real jobs. */
@Tag("slow")
class SetupTest {
  private static final String JOB = "echo the job runs\n";

  @TempDir Path folder;
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @ParameterizedTest
  @Hostile("a setup line that fails, leaves its shell, or is no shell text")
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "false | 1",
        "no-such-program --x | 127",
        "exit 9 | 9",
        "exit 0 | 78",
        "(exit 3) | 3",
        "set -e; false; true | 1",
        ". /no/such/file | 1",
        "set -u; echo \"\"$NOT_THERE\"\" | 1",
        "return 5; exit 5 | 5",
        "if then ( | 2",
        "echo 'open | 2",
        "trap '' EXIT; exit 4 | 4"
      })
  void aLineThatFailsEndsTheJobWithItsCode(String line, int code) throws IOException {
    ExtractionPlan plan = Replaced.setup(bench.plan(JOB), "true", line, "echo not reached");

    bench.launch(plan);

    RunState state = bench.ended(plan);
    String log = Files.readString(bench.folder(plan).resolve("log"));
    assertThat(state).as(log).isEqualTo(new RunState.Finished(code, List.of()));
    assertThat(log).doesNotContain("the job runs").doesNotContain("not reached\nnot reached");
    if (!line.startsWith("trap")) {
      assertThat(log)
          .contains("eagle3: the job was not started: setup line ")
          .contains(" ended with code ")
          .contains(line);
    }
  }

  @Test
  @Hostile("a setup line that hangs")
  void aLineThatHangsIsTheLastOfTheLogAndCanBeEnded() throws IOException {
    ExtractionPlan plan = Replaced.setup(bench.plan(JOB), "true", "sleep 600");
    bench.launch(plan);
    Path log = bench.folder(plan).resolve("log");
    Await.until(() -> RunBench.awaitText(log).endsWith("eagle3: setup line 2 of 2: sleep 600\n"));

    RunStopper.stop(bench.scripts(), bench.status(plan).folder(), Duration.ofSeconds(20));

    assertThat(bench.ended(plan).isOver()).isTrue();
    assertThat(bench.state(plan).code()).isNotZero();
    assertThat(log).content().doesNotContain("the job runs");
  }

  @Test
  @Hostile("a setup line that kills its own shell")
  void aLineThatKillsItsShellIsNamed() throws IOException {
    ExtractionPlan plan = Replaced.setup(bench.plan(JOB), "kill -KILL $$");

    bench.launch(plan);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Killed("KILL", 137, List.of()));
    assertThat(bench.folder(plan).resolve("log"))
        .content()
        .startsWith("eagle3: setup line 1 of 1: kill -KILL $$\n");
  }

  @Test
  @Hostile("setup lines that close the streams, change folders, masks and signals")
  void theWrapperDoesNotDependOnWhatSetupDoesToItsShell() throws IOException {
    ExtractionPlan plan =
        Replaced.setup(
            bench.plan("exit 7\n"),
            "exec >/dev/null 2>&1",
            "cd /",
            "umask 0",
            "trap '' TERM INT",
            "unset PATH HOME",
            "alias exec=false",
            "eagle3_setup_line_ended() { :; }",
            "false",
            "IFS=x");

    bench.launch(plan);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(7, List.of()));
  }

  @Test
  void theLogSaysWhichLineRunsWithoutItsSecrets() throws IOException {
    ExtractionPlan plan =
        Replaced.setup(
            bench.plan(JOB),
            "export HF_TOKEN='sesame it'",
            "echo \u001b[31m 'quo''ted' >/dev/null");

    bench.launch(plan);
    bench.ended(plan);

    assertThat(bench.folder(plan).resolve("log"))
        .hasContent(
            "eagle3: setup line 1 of 2: export HF_TOKEN=<redacted>\n"
                + "eagle3: setup line 2 of 2: echo \\x1b[31m 'quo''ted' >/dev/null\n"
                + "the job runs\n");
    assertThat(Files.getPosixFilePermissions(bench.folder(plan).resolve("setup.sh")))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void modulesAndCondaAreFoundAsInALoginShell() throws IOException {
    bench.close();
    Path modules = folder.resolve("modules");
    Files.createDirectories(modules.resolve("init"));
    Files.writeString(
        modules.resolve("init/bash"), "module() { export LOADED=\"${LOADED:-}$2 \"; }\n");
    Path conda = folder.resolve("conda");
    Files.createDirectories(conda.resolve("etc/profile.d"));
    Files.writeString(
        conda.resolve("etc/profile.d/conda.sh"), "conda() { export CONDA_DEFAULT_ENV=$2; }\n");
    bench =
        new RunBench(
            folder,
            Map.of(
                "MODULESHOME",
                modules.toString(),
                "CONDA_EXE",
                conda.resolve("bin/conda").toString()));
    ExtractionPlan plan =
        Replaced.setup(
            bench.plan("echo \"$LOADED$CONDA_DEFAULT_ENV\"\n"),
            "module load cuda/12.8 && module load nccl",
            "conda activate ml");

    bench.launch(plan);

    assertThat(bench.ended(plan)).isEqualTo(new RunState.Finished(0, List.of()));
    assertThat(bench.folder(plan).resolve("log")).content().endsWith("\ncuda/12.8 nccl ml\n");
  }

  @Test
  void setupComesBeforeTheWordsOfWrapAndReachesWhatTheyStart() throws IOException {
    ExtractionPlan plan =
        Replaced.wrap(
            Replaced.setup(bench.plan("echo \"$FROM_SETUP $0\"\n"), "export FROM_SETUP=yes"),
            "env",
            "WRAPPED=1",
            "nice");

    bench.launch(plan);
    bench.ended(plan);

    assertThat(bench.folder(plan).resolve("log"))
        .content()
        .endsWith("\nyes " + plan.script() + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox"})
  @Hostile("a host without bash")
  void withoutBashTheShellOfTheHostRunsThem(String shell) throws IOException {
    bench.close();
    Path programs = Files.createDirectories(folder.resolve("bin"));
    for (String tool :
        List.of(
            "cat",
            "tr",
            "mv",
            "rm",
            "mkdir",
            "rmdir",
            "ln",
            "readlink",
            "chmod",
            "sleep",
            "touch",
            "tail",
            "setsid",
            "nohup",
            "env",
            "id",
            "stat",
            "ls",
            "head",
            "wc",
            "dirname",
            "uname",
            "cut",
            "grep",
            "sed",
            "awk",
            "date",
            "kill",
            "df",
            "test",
            "true",
            "false",
            "od",
            "hostname",
            "find",
            "sort",
            "basename",
            "cp",
            "ps",
            "expr",
            "printf")) {
      Path real = Path.of("/usr/bin", tool);
      if (Files.exists(real)) {
        Files.copy(real, programs.resolve(tool));
      }
    }
    String applet = shell.equals("busybox") ? " sh" : "";
    Path wrapper =
        Files.writeString(
            programs.resolve("sh"), "#!/bin/sh\nexec " + Tools.find(shell) + applet + " \"$@\"\n");
    Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path home = Files.createDirectories(folder.toRealPath().resolve("home"));
    Host host = RunBench.localHost(home, Map.of("PATH", programs.toString()));
    bench = new RunBench(home, host);
    ExtractionPlan good =
        Replaced.setup(
            bench.plan("echo \"$A\"\n"), "if true; then", "  export A=set", "fi", "echo $0");
    ExtractionPlan bad = Replaced.setup(bench.plan(JOB), "(exit 5)");

    bench.launch(good);
    assertThat(bench.ended(good)).isEqualTo(new RunState.Finished(0, List.of()));
    assertThat(bench.folder(good).resolve("log"))
        .content()
        .contains("setup line 3 of 4: if true; then;   export A=set; fi\n".replace(";   ", "; "))
        .endsWith("\nset\n");
    bench.launch(bad);
    assertThat(bench.ended(bad)).isEqualTo(new RunState.Finished(5, List.of()));
    assertThat(bench.folder(bad).resolve("log"))
        .content()
        .endsWith(
            "eagle3: the job was not started: setup line 1 of 1 ended with code 5: (exit 5)\n");
  }
}
