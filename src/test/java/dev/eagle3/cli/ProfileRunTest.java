package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every key of a profile does to a job, on a real launch over a real OpenSSH server. */
@Tag("slow")
class ProfileRunTest {
  @TempDir Path folder;

  @Test
  void everyKeyReachesTheJobAsItIsWritten() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("OF_THE_HOST", "host's own"))) {
      Path state = folder.resolve("my state");
      Path profile =
          profile(
              host,
              """
              tp-size: 2
              gpus: [4, 5]
              cuda-home: /usr
              state-dir: %s
              env:
                PLAIN: value
                NUMBER: 007
                EMPTY: ''
                LINES: "a\\n b \\n"
                SHELL_TEXT: $HOME `id` $(id) 'x' "y" \\ * ~
                DASH: --flag
                UNICODE: '日本 é 😀'
                OF_THE_HOST: null
              setup:
                - export FROM_SETUP="$PLAIN, $NUMBER"
                - |
                  if true; then
                    set -- "$@" --from-setup "$OF_THE_HOST"
                  fi
              wrap: [%s, 'a  b', $HOME]
              flags:
                gpu-memory-utilization: null
                batch-size: 2
                seed: 1
                names: [a b, '$c', '']
                trust-remote-code: []
              args: [--last, "-1\\n", 'it''s']
              """
                  .formatted(state, dump()));

      CommandLineRun run =
          run(host, "extract", "--profile", profile.toString(), "--env", "FLAG=a=b", "--", "--end");

      assertThat(strings("words")).as(run.err()).startsWith("a  b", "$HOME");
      List<String> words = strings("words");
      assertThat(words.subList(4, words.size()))
          .containsExactly(
              "--model-path",
              host.files().model().toString(),
              "--prepared-data",
              host.files().preparedData().toString(),
              "--output-dir",
              host.files().output().toString(),
              "--batch-size",
              "2",
              "--max-seq-len",
              "2048",
              "--tp-size",
              "2",
              "--layer-ids",
              "2",
              "30",
              "58",
              "60",
              "--seed",
              "1",
              "--names",
              "a b",
              "$c",
              "",
              "--trust-remote-code",
              "--last",
              "-1\n",
              "it's",
              "--end",
              "--from-setup",
              "host's own");
      assertThat(strings("variables"))
          .contains(
              "CUDA_VISIBLE_DEVICES=4,5",
              "CUDA_HOME=/usr",
              "PLAIN=value",
              "NUMBER=007",
              "EMPTY=",
              "LINES=a\n b \n",
              "SHELL_TEXT=$HOME `id` $(id) 'x' \"y\" \\ * ~",
              "DASH=--flag",
              "UNICODE=日本 é 😀",
              "OF_THE_HOST=host's own",
              "FROM_SETUP=value, 007",
              "FLAG=a=b");
      assertThat(state.resolve("runs")).isDirectory();
      assertThat(host.state()).doesNotExist();
      assertThat(Files.getPosixFilePermissions(state))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
      assertThat(
              run(host, "status", "--state-dir", state.toString()).out()
                  + run(host, "runs", "--state-dir", state.toString()).out())
          .contains("finished");
    }
  }

  @Test
  @Hostile("a variable that the profile takes over and the host does not have")
  void aVariableThatTheHostLacksIsSaidBeforeTheLaunch() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("HERE", ""))) {
      Path profile = profile(host, "env: [NOT_HERE, HERE, PATH]\n");

      CommandLineRun run = run(host, "extract", "--profile", profile.toString());

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err().lines().filter(line -> line.contains("is not set on this host")))
          .as(run.err())
          .hasSize(1)
          .first()
          .asString()
          .contains("warning: the variable NOT_HERE is not set on this host");
      assertThat(run.err().indexOf("NOT_HERE")).isLessThan(run.err().indexOf("pid "));
    }
  }

  @Test
  @Hostile("a module that the host does not have")
  void aSetupLineThatFailsIsTheCauseAndPreviousOutputComesBack() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");
      Path profile =
          profile(host, "setup: [true, no-such-module load cuda/99, touch " + folder + "/after]\n");

      CommandLineRun run = run(host, "extract", "--profile", profile.toString());

      assertThat(run.code()).as(run.err()).isEqualTo(13);
      assertThat(run.out())
          .contains(
              "line 2 of setup ended with code 127, so the job was not started: no-such-module load"
                  + " cuda/99 [setup.failed]")
          .contains("no-such-module: command not found");
      assertThat(folder.resolve("after")).doesNotExist();
      assertThat(old).hasContent("old");
    }
  }

  @Test
  @Hostile("a setup that leaves its shell with code 0")
  void aSetupThatLeavesIsNeverTakenForARunThatEndedWell() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path profile = profile(host, "setup: exit 0\n");

      CommandLineRun run = run(host, "extract", "--profile", profile.toString());

      assertThat(run.code()).isEqualTo(13);
      assertThat(run.out()).contains("line 1 of setup ended with code 0");
    }
  }

  @Test
  @Hostile("a wrap whose program the host does not have")
  void aWrapThatIsNotThereIsNamed() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path profile = profile(host, "wrap: /no/such/apptainer exec --nv /img.sif\n");

      CommandLineRun run = run(host, "extract", "--profile", profile.toString());

      assertThat(run.code()).isIn(11, 13);
      assertThat(run.out() + run.err()).contains("/no/such/apptainer");
    }
  }

  /** A program that writes down what it is given and how, then launches the job without extras. */
  private Path dump() throws IOException {
    Path program =
        Files.writeString(
            folder.resolve("dump.sh"),
            """
            #!/bin/bash
            printf '%s\\0' "$@" >"${0%/*}/words"
            cat /proc/$$/environ >"${0%/*}/variables"
            job=("${@:3}")
            exec "${job[@]:0:19}"
            """);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    return program;
  }

  private static Path profile(StandInHost host, String more) throws IOException {
    return Files.writeString(
        host.profile().resolveSibling("more.yaml"), Files.readString(host.profile()) + more);
  }

  private static CommandLineRun run(StandInHost host, String... words) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words);
  }

  private List<String> strings(String file) throws IOException {
    String text = Files.readString(folder.resolve(file), StandardCharsets.UTF_8);
    return List.of(text.substring(0, text.length() - 1).split("\0", -1));
  }
}
