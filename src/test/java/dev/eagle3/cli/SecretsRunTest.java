package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of a profile, looked for in everything that a whole real run prints and leaves. */
@Tag("slow")
class SecretsRunTest {
  private static final String PLANTED = "sesame";

  /** What only its owner can read, and what the job needs them in. */
  private static final Set<String> MAY_HOLD = Set.of("job.sh", "setup.sh");

  @TempDir Path folder;

  @Test
  @Hostile("secrets in every place of a profile, on a machine with other users")
  void nothingThatARunPrintsOrLeavesReadableHoldsASecret() throws Exception {
    try (StandInHost host =
        StandInHost.start(
            folder,
            Map.of("EAGLE3_STAND_IN_PACE", "0.01", "WANDB_API_KEY", PLANTED + "-of-the-host"))) {
      Path profile = profile(host);
      List<CommandLineRun> runs = new ArrayList<>();
      for (String form : List.of("--json", "-v", "--no-color")) {
        runs.add(run(host, "extract", "--profile", profile.toString(), "--dry-run", form));
      }
      Set<String> words = new ConcurrentSkipListSet<>();
      Thread watcher = watchProcesses(words);
      for (String form : List.of("--json", "-v", "--no-color")) {
        CommandLineRun extracted = run(host, "extract", "--profile", profile.toString(), form);
        assertThat(extracted.code()).as(extracted.out() + extracted.err()).isZero();
        runs.add(extracted);
        for (String command : List.of("tail-log", "status", "runs", "verify-shapes")) {
          runs.add(run(host, command, form));
        }
      }
      watcher.interrupt();
      watcher.join();

      assertThat(Files.readString(folder.resolve("got")))
          .as("the job itself gets them whole")
          .contains(PLANTED + "-1 'it''s'")
          .contains(PLANTED + "-of-the-host")
          .contains(PLANTED + "-3")
          .contains(PLANTED + "-4");
      assertThat(runs).allSatisfy(run -> assertThat(run.out() + run.err()).doesNotContain(PLANTED));
      assertThat(words)
          .as("the words of all processes")
          .anyMatch(line -> line.contains("02_extract_hidden_states.py"))
          .noneMatch(line -> line.contains(PLANTED + "-1"))
          .noneMatch(line -> line.contains(PLANTED + "-4"))
          .noneMatch(line -> line.contains(PLANTED + "-of-the-host"));
      assertThat(filesWithSecrets(host.server().home())).isEqualTo(MAY_HOLD);
      assertThat(filesWithSecrets(folder.resolve("gpu"))).isEmpty();
    }
  }

  @Test
  @Hostile("a secret in the command that gives a shell")
  void noMessageAndNoWayBackHoldsASecretOfVia() throws IOException {
    for (String command : List.of("exit 1", "exec sh")) {
      for (String form : List.of("--json", "-v", "--no-color")) {
        CommandLineRun run =
            CommandLineRun.at(
                folder,
                Map.of("PATH", System.getenv("PATH")),
                "runs",
                "--via",
                "HF_TOKEN=" + PLANTED + " " + command,
                "--state-dir",
                folder.resolve("none").toString(),
                form);

        assertThat(run.out() + run.err()).contains("HF_TOKEN=<redacted>").doesNotContain(PLANTED);
      }
    }
  }

  @Test
  @Hostile("secrets in profiles and command lines that are wrong")
  void noMessageAboutAMistakeHoldsASecret() throws IOException {
    Map<String, String> profiles = new LinkedHashMap<>();
    profiles.put("a", "env: {HF_TOKEN: [sesame]}\n");
    profiles.put("b", "env: HF_TOKEN=sesame\n");
    profiles.put("c", "env:\n  HF_TOKEN: sesame: 'x\n");
    profiles.put("d", "env: [HF_TOKEN=sesame, HF_TOKEN=sesame]\n");
    profiles.put("e", "env: {HF_TOKEN: \"sesame\\0\"}\n");
    profiles.put("f", "HF_TOKEN: sesame\n");
    profiles.put("g", "env: {HF TOKEN: sesame, CUDA_HOME: sesame}\n");
    profiles.put("h", "flags: {api-key: {x: sesame}, token: true}\n");
    profiles.put("i", "args: [--api-key, sesame, --tp-size, 4, [sesame]]\n");
    profiles.put("j", "setup: {x: export HF_TOKEN=sesame}\n");
    profiles.put("k", "wrap: env HF_TOKEN=sesame `\n");
    profiles.put("l", "env:\n\tHF_TOKEN: sesame\n");
    profiles.put("m", "env: {HF_TOKEN: &a sesame, B: *a}\n");
    profiles.put("n", "env: {HF_TOKEN: !x sesame}\n");
    List<List<String>> lines = new ArrayList<>();
    for (Map.Entry<String, String> profile : profiles.entrySet()) {
      Path file = Files.writeString(folder.resolve(profile.getKey() + ".yaml"), profile.getValue());
      lines.add(List.of("extract", "--host", "h", "--profile", file.toString(), "--dry-run"));
    }
    for (String command : List.of("status", "init", "extract", "no-such-command", "tail-log")) {
      lines.add(List.of(command, "--no-such", "--env", "HF_TOKEN=sesame", "--x"));
      lines.add(List.of(command, "--env=HF_TOKEN=sesame", "--no-such"));
      lines.add(List.of(command, "HF_TOKEN=sesame", "--api-key=sesame", "--no-such"));
      lines.add(List.of(command, "--api-key", "sesame", "--token", "sesame"));
    }
    lines.add(List.of("extract", "--host", "h", "--env", "HF TOKEN=sesame", "--dry-run"));
    lines.add(List.of("extract", "--host", "h", "--env", "HF_TOKEN=sesame", "--tp-size", "x"));
    lines.add(
        List.of(
            "init", "--from", "HF_TOKEN=sesame python3 --api-key sesame 'open", "--to", "/no/x"));
    lines.add(List.of("init", "--from", "x", "--set", "sesame"));
    int wrong = 0;
    for (List<String> line : lines) {
      for (String form : List.of("-v", "--json")) {
        List<String> words = new ArrayList<>(line);
        words.add(form);
        CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));

        assertThat(run.out() + run.err()).as("%s", words).doesNotContain(PLANTED);
        wrong += run.code() == 0 ? 0 : 1;
      }
    }
    assertThat(wrong).isGreaterThan(60);
  }

  private Path profile(StandInHost host) throws IOException {
    Path wrap =
        Files.writeString(
            folder.resolve("wrap.sh"),
            """
            #!/bin/sh
            # Notes what reaches the job, and takes the words off that its stand-in does not know.
            printf '%s\\n' "$HF_TOKEN" "$WANDB_API_KEY" "$FROM_SETUP_KEY" "$*" >>"${0%/*}/got"
            python=$1 script=$2
            shift 2
            count=$#
            while [ "$count" -gt 0 ]; do
              case $1 in
                --api-key) shift; count=$((count - 1)) ;;
                --password=*) ;;
                *) set -- "$@" "$1" ;;
              esac
              shift
              count=$((count - 1))
            done
            exec "$python" "$script" "$@"
            """);
    Files.setPosixFilePermissions(wrap, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path profile = folder.resolve("secrets.yaml");
    Files.writeString(
        profile,
        Files.readString(host.profile())
            + "env: {HF_TOKEN: \"sesame-1 'it''s'\\n$x\", WANDB_API_KEY: null}\n"
            + "args: [--api-key, sesame-3]\n"
            + "flags: {seed: null}\n"
            + "setup: [\"export FROM_SETUP_KEY='sesame-4 x'\", 'set -- \"$@\" --password=sesame-6']\n"
            + "wrap: ["
            + wrap
            + "]\n");
    return profile;
  }

  private static CommandLineRun run(StandInHost host, String... words) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words);
  }

  /** The words of every process of this machine, again and again. */
  private static Thread watchProcesses(Set<String> words) {
    Thread watcher =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
                  processes
                      .filter(path -> path.getFileName().toString().matches("[0-9]+"))
                      .forEach(path -> words.add(read(path.resolve("cmdline"))));
                } catch (IOException over) {
                  return;
                }
              }
            });
    watcher.start();
    Await.until(() -> !words.isEmpty());
    return watcher;
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).replace('\0', ' ');
    } catch (IOException gone) {
      return "";
    }
  }

  /** The names of files that hold one; those of a run are for their owner only. */
  private static Set<String> filesWithSecrets(Path top) throws IOException {
    Set<String> holding = new TreeSet<>();
    try (Stream<Path> walk = Files.walk(top)) {
      for (Path path : (Iterable<Path>) walk::iterator) {
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
          continue;
        }
        if (path.toString().contains("/.eagle3/")) {
          assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
              .as("%s", path)
              .endsWith("------");
        }
        if (read(path).contains(PLANTED)) {
          holding.add(path.getFileName().toString());
        }
      }
    }
    return holding;
  }
}
