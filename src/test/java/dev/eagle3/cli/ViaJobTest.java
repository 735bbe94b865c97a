package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.demo.DemoFolder;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The main job through commands that give a shell. */
@Tag("slow")
class ViaJobTest {
  @TempDir Path folder;

  @Test
  void theWholeJobRunsThroughTheUsersOwnSsh() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      String via =
          Tools.find("ssh")
              + " -F "
              + ShellQuote.word(host.server().clientConfiguration().toString())
              + " box sh";
      Path home = folder.resolve("home");

      CommandLineRun run =
          run("extract", "--via", via, "--profile", host.profile().toString(), "--pull", home + "");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.out()).contains("10 of 10 good");
      assertThat(names(home)).isEqualTo(names(host.files().output())).hasSize(10);
      CommandLineRun status = run("status", "--via", via, "--host", "gpu7");
      assertThat(status.code()).as(status.err()).isZero();
      CommandLineRun tail = run("tail-log", "--via", via);
      assertThat(tail.out()).contains("Data generation complete!");
      String output = host.files().output().toString();
      CommandLineRun verified = run("verify-shapes", output, "--via", via, "--host", "gpu7");
      assertThat(verified.code()).as(verified.err()).isZero();
      assertThat(verified.out()).contains("10 of 10 good").contains("gpu7:" + output);
      CommandLineRun pulled = run("pull", output, "--via", via, "--to", home + "2");
      assertThat(pulled.code()).as(pulled.err()).isZero();
      assertThat(names(folder.resolve("home2"))).hasSize(10);
    }
  }

  @Test
  void aProfileSaysHowItsHostIsReachedAndHintsLeadBackTheSameWay() throws Exception {
    DemoFolder files = DemoFolder.create(Files.createDirectories(folder.resolve("gpu")));
    Map<String, String> environment = files.environment(System.getenv("PATH"));
    Path profile =
        Files.write(
            folder.resolve("profile.yaml"),
            List.of(
                "host: trainer",
                "via: exec sh",
                "python: " + python(),
                "script: " + files.script(),
                "model-path: " + files.model(),
                "prepared-data: " + files.preparedData(),
                "output-dir: " + files.output(),
                "log-file: " + files.log(),
                "layers: [2, 30, 58, 60]"));

    CommandLineRun run =
        CommandLineRun.at(
            folder, environment, "extract", "--profile", profile.toString(), "--detach");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).contains("--via 'exec sh' --host trainer");
    CommandLineRun tail =
        CommandLineRun.at(folder, environment, "tail-log", "--via", "exec sh", "--host", "trainer");
    assertThat(tail.code()).as(tail.err()).isZero();
  }

  @Test
  void theDryRunNamesTheCommandAndTheWayBack() {
    CommandLineRun run =
        CommandLineRun.of(
            "extract", "--via", "docker exec -i 'a b' sh", "--layers", "2", "--dry-run");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("does on docker exec -i 'a b' sh. Nothing was connected to")
        .contains(" --via 'docker exec -i '\\''a b'\\'' sh'");
  }

  @Test
  void whatBelongsToSshIsAUsageError() {
    for (List<String> words : List.of(List.of("-F", "config"), List.of("--accept-new-host-key"))) {
      List<String> all = new ArrayList<>(List.of("status", "--via", "sh"));
      all.addAll(words);
      CommandLineRun run = run(all.toArray(String[]::new));
      assertThat(run.code()).isEqualTo(2);
      assertThat(run.err()).contains("is for eagle3's own SSH").contains("try: ");
    }
    CommandLineRun remote = run("verify-shapes", "gpu8:/data", "--via", "sh");
    assertThat(remote.code()).isEqualTo(2);
    assertThat(remote.err()).contains("names another host than sh").contains("try: the path alone");
  }

  @Test
  @Hostile("EAGLE3_HOST names one machine and --via another")
  void theDefaultHostIsNoNameForAnotherMachine() {
    CommandLineRun run =
        CommandLineRun.at(
            folder,
            Map.of("EAGLE3_HOST", "gpu7", "PATH", System.getenv("PATH")),
            "status",
            "--via",
            "echo no such container >&2; exit 1");

    assertThat(run.code()).isEqualTo(12);
    assertThat(run.err())
        .startsWith("eagle3: echo no such container >&2; exit 1: ")
        .contains("ended with code 1 and gave no shell: no such container")
        .doesNotContain("gpu7");
  }

  private CommandLineRun run(String... words) {
    return CommandLineRun.at(folder, Map.of("PATH", System.getenv("PATH")), words);
  }

  private static Path python() {
    Path system = Path.of("/usr/bin/python3");
    return Files.isExecutable(system) ? system : Tools.find("python3");
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }
}
