package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --dry-run} prints does what {@code extract} does, when it is pasted into a shell. */
@Tag("slow")
class DryRunPasteTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Writes what it was called with, as the job sees it, into the output folder. */
  private static final String RECORDER =
      """
      import json, os, sys
      out = sys.argv[sys.argv.index("--output-dir") + 1]
      names = ("CUDA_HOME", "CUDA_VISIBLE_DEVICES", "PYTHONUNBUFFERED", "PYTHONUTF8", "COLUMNS",
               "ODD", "EAGLE3_RUN")
      with open(os.path.join(out, "data_0.pt"), "w") as file:
          json.dump({"argv": sys.argv, "env": {n: os.environ.get(n) for n in names},
                     "path": os.environ["PATH"].split(":")[0], "stdin": os.readlink("/proc/self/fd/0")}, file, sort_keys=True)
      print("recorded")
      """;

  @TempDir Path folder;

  @Test
  void pastedStepsHaveTheEffectsOfExtract() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Files.writeString(host.files().script(), RECORDER);
      List<String> words =
          List.of(
              "extract",
              "--profile",
              host.profile().toString(),
              "--gpus",
              "0,1,2,3,4,5,6,7",
              "--env",
              "ODD=a 'b' \"c\" $HOME `x` \\ -n\nnew line",
              "--",
              "--note",
              "it's $5; rm -rf *\n",
              "-x");

      Map<String, String> extracted = effects(host, words, false);
      Map<String, String> pasted = effects(host, words, true);

      assertThat(extracted).containsKey("data_0.pt");
      assertThat(extracted.get("data_0.pt"))
          .contains("--layer-ids", "it's $5; rm -rf *\\n", "new line");
      assertThat(pasted).isEqualTo(extracted);
    }
  }

  @Test
  @Hostile("a pasted step refuses after the lock was taken")
  void aPastedStepThatRefusesGivesTheLockBack() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path output = Files.createDirectories(host.files().output());
      Files.writeString(output.resolve("notes.txt"), "mine");
      CommandLineRun run =
          CommandLineRun.at(
              host.server().clientHome(),
              Map.of("EAGLE3_HOST", host.server().target()),
              "extract",
              "--profile",
              host.profile().toString(),
              "--dry-run");

      int code = shell(host, run.out());

      assertThat(code).isEqualTo(11);
      assertThat(Files.readString(folder.resolve("shell")))
          .contains("refused\tit holds files that are no extraction output: notes.txt");
      assertThat(output.resolve("notes.txt")).hasContent("mine");
      assertThat(output.resolveSibling(output.getFileName() + ".eagle3-lock")).doesNotExist();
      assertThat(host.state().resolve("runs")).isEmptyDirectory();
    }
  }

  @Test
  @Hostile("a pasted launch is refused after previous output was renamed")
  void aPastedLaunchThatIsRefusedPutsPreviousOutputBack() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path output = Files.createDirectories(host.files().output());
      Files.writeString(output.resolve("data_0.pt"), "old");
      CommandLineRun run =
          CommandLineRun.at(
              host.server().clientHome(),
              Map.of("EAGLE3_HOST", host.server().target()),
              "extract",
              "--profile",
              host.profile().toString(),
              "--dry-run");
      String marker = "# launch\n";
      assertThat(run.out()).contains(marker);
      // Somebody else makes the folder of this very run, right before the launch.
      String meanwhile = "mkdir -p " + host.state() + "/runs/" + id(run.out()) + " &&\n";

      int code = shell(host, run.out().replace(marker, meanwhile));

      assertThat(code).as(Files.readString(folder.resolve("shell"))).isEqualTo(11);
      assertThat(output.resolve("data_0.pt")).hasContent("old");
      assertThat(output.resolveSibling(output.getFileName() + ".eagle3-lock")).doesNotExist();
      try (Stream<Path> beside = Files.list(output.getParent())) {
        assertThat(beside.filter(path -> path.toString().contains(".before-"))).isEmpty();
      }
    }
  }

  private static String id(String text) {
    Matcher id = Pattern.compile("[0-9]{8}-[0-9]{6}-[0-9a-f]{4}").matcher(text);
    assertThat(id.find()).isTrue();
    return id.group();
  }

  /** Runs once over previous output; returns what then stands on the host, run ids taken out. */
  private Map<String, String> effects(StandInHost host, List<String> words, boolean paste)
      throws Exception {
    Path output = host.files().output();
    Files.createDirectories(output);
    Files.writeString(output.resolve("data_7.pt"), "previous");
    List<String> all = new ArrayList<>(words);
    int flags = all.indexOf("--");
    all.add(flags, paste ? "--dry-run" : "--detach");
    CommandLineRun run =
        CommandLineRun.at(
            host.server().clientHome(),
            Map.of("EAGLE3_HOST", host.server().target()),
            all.toArray(String[]::new));
    assertThat(run.code()).as(run.err()).isZero();
    if (paste) {
      paste(host, run.out());
    }
    Await.until(() -> ended(host));
    Map<String, String> effects = new TreeMap<>();
    collect(output, effects);
    try (Stream<Path> beside = Files.list(output.getParent())) {
      for (Path path :
          beside.filter(p -> p.getFileName().toString().contains(".before-")).toList()) {
        collect(path, effects);
        remove(path);
      }
    }
    effects.put("log", Files.readString(host.files().log()));
    remove(output);
    remove(host.state());
    Files.delete(host.files().log());
    effects.replaceAll((name, text) -> text.replaceAll("[0-9]{8}-[0-9]{6}-[0-9a-f]{4}", "RUN"));
    return effects;
  }

  private void paste(StandInHost host, String text) throws Exception {
    assertThat(shell(host, text)).as(Files.readString(folder.resolve("shell"))).isZero();
  }

  private int shell(StandInHost host, String text) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh");
    builder.environment().clear();
    builder.environment().putAll(host.files().environment(System.getenv("PATH")));
    builder.environment().put("HOME", host.server().home().toString());
    builder.redirectInput(Files.writeString(folder.resolve("pasted"), text).toFile());
    builder.redirectErrorStream(true).redirectOutput(folder.resolve("shell").toFile());
    Process shell = builder.start();
    assertThat(shell.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return shell.exitValue();
  }

  /** Its code is written, and it has given back its lock: then it needs its folder no more. */
  private static boolean ended(StandInHost host) throws IOException {
    Path output = host.files().output();
    if (Files.exists(output.resolveSibling(output.getFileName() + ".eagle3-lock"))) {
      return false;
    }
    try (Stream<Path> files = Files.walk(host.state())) {
      return files.anyMatch(file -> file.getFileName().toString().matches("exit\\.[0-9]+"));
    }
  }

  private static void collect(Path path, Map<String, String> effects) throws IOException {
    String name = path.getFileName().toString();
    if (Files.isDirectory(path)) {
      try (Stream<Path> entries = Files.list(path)) {
        for (Path entry : entries.toList()) {
          effects.put(entry.getFileName().toString(), Files.readString(entry));
        }
      }
    } else {
      effects.put(name, Files.readString(path));
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path path : walk.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
