package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Previous output from the command line, against a real OpenSSH server. */
@Tag("slow")
class PreviousOutputTest {
  @TempDir Path folder;

  @Test
  void whatIsToBeDeletedIsAskedAboutAndGoneOnceANewSampleIsGood() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_PACE", "0.02"))) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");

      CommandLineRun unasked = extract(host, "--previous-output", "delete");

      assertThat(unasked.code()).isEqualTo(11);
      assertThat(unasked.err())
          .contains("delete what stands in " + host.files().output() + " · 1 entry", "--yes");
      assertThat(old).hasContent("old");
      assertThat(host.state()).doesNotExist();

      CommandLineRun run = extract(host, "--previous-output", "delete", "--yes");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).contains("a new sample is good", "is deleted");
      assertThat(beside(host)).containsExactly("hidden_states");
      CommandLineRun undo = command(host, "undo");
      assertThat(undo.code()).isEqualTo(11);
      assertThat(undo.err()).contains("nothing is set aside").contains("any more");
    }
  }

  @Test
  @Hostile("the run that was to replace previous output fails")
  void whatIsToBeDeletedComesBackWhenTheRunBringsNothing() throws Exception {
    try (StandInHost host =
        StandInHost.start(folder, Map.of("EAGLE3_STAND_IN_FAULT", "gpu.out-of-memory"))) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");

      CommandLineRun run = extract(host, "--previous-output", "delete", "--yes");

      assertThat(run.code()).isEqualTo(13);
      assertThat(old).hasContent("old");
      assertThat(beside(host)).containsExactly("hidden_states");
    }
  }

  @Test
  @Hostile("a killed run left half a file and an empty one, which the script would keep for ever")
  void aResumedRunTakesBrokenFilesOutAndMakesThemAnew() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      assertThat(extract(host).code()).isZero();
      Path output = host.files().output();
      byte[] good = Files.readAllBytes(output.resolve("data_3.pt"));
      try (var cut = Files.newByteChannel(output.resolve("data_8.pt"), StandardOpenOption.WRITE)) {
        cut.truncate(1000);
      }
      Files.write(output.resolve("data_9.pt"), new byte[0]);

      CommandLineRun run = extract(host, "--resume");

      assertThat(run.code()).as(run.err() + run.out()).isZero();
      assertThat(run.err())
          .contains("8 good files stay; 2 bad ones go to quarantine (data_8.pt: ")
          .contains("speculators-0.4 goes on after the highest number")
          .contains("2 bad files of");
      assertThat(run.out()).contains("10 of 10 good");
      assertThat(Files.readAllBytes(output.resolve("data_3.pt"))).isEqualTo(good);
      Path quarantine =
          output.resolveSibling(
              beside(host).stream()
                  .filter(n -> n.contains("quarantine"))
                  .findFirst()
                  .orElseThrow());
      assertThat(Files.size(quarantine.resolve("data_8.pt"))).isEqualTo(1000);
      assertThat(Files.readString(quarantine.resolve(".eagle3-manifest")))
          .contains("data_9.pt\tfile.empty");

      CommandLineRun undo = command(host, "undo");
      assertThat(undo.code()).as(undo.err()).isZero();
      assertThat(undo.err()).contains("2 files of a name that is taken there by now stay in");
      assertThat(command(host, "verify-shapes").out()).contains("10 of 10 good");
    }
  }

  @Test
  @Hostile("a broken file stands below the highest, where the script never looks again")
  void holesThatStayAreSaidBeforeTheModelLoads() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      assertThat(extract(host).code()).isZero();
      Files.write(host.files().output().resolve("data_4.pt"), new byte[] {1, 2, 3});

      CommandLineRun run = extract(host, "--resume");

      assertThat(run.err())
          .contains("1 number is missing below the highest that stays", "does not make them again");
      assertThat(run.code()).isEqualTo(16);
      assertThat(run.out()).contains("data_4.pt");
    }
  }

  @Test
  void anExtractorThatStartsOverIsNotResumed() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path mine = folder.resolve("starts-over.yaml");
      Files.writeString(
          mine,
          Files.readString(Path.of("src/main/resources/extractors/speculators-0.4.yaml"))
              .replace("resume: after-highest", "resume: never"));

      CommandLineRun run = extract(host, "--resume", "--extractor", mine.toString());

      assertThat(run.code()).isEqualTo(11);
      assertThat(run.err())
          .contains("starts-over starts at the first sample", "try: --previous-output set-aside");
    }
  }

  @Test
  @Hostile("all files there are whole, and of another set of layers")
  void filesOfAnotherPlanAreNoReasonForAQuarantine() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      assertThat(extract(host, "--layers", "2", "30", "58").code()).isZero();

      CommandLineRun run = extract(host, "--resume");

      assertThat(run.code()).isEqualTo(11);
      assertThat(run.err()).contains("all samples there are whole, and of another plan: data_0.pt");
      assertThat(beside(host)).containsExactly("hidden_states");
    }
  }

  @Test
  void resumeAndAnotherWordForPreviousOutputContradictEachOther() {
    CommandLineRun run =
        CommandLineRun.of(
            "extract",
            "--host",
            "gpu7",
            "--layers",
            "2",
            "--resume",
            "--previous-output",
            "delete",
            "--dry-run");
    CommandLineRun same =
        CommandLineRun.of(
            "extract",
            "--host",
            "gpu7",
            "--layers",
            "2",
            "--resume",
            "--previous-output",
            "keep",
            "--dry-run");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--resume: keeps previous output, and --previous-output delete");
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(same.out()).contains("# quarantine");
  }

  @Test
  void afterUndoVerifyAndPullLookWhereTheFilesAreNow() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Path old = Files.createDirectories(host.files().output()).resolve("data_0.pt");
      Files.writeString(old, "old");
      assertThat(extract(host).code()).isZero();
      String first = runId(host);
      CommandLineRun undone = command(host, "undo");
      assertThat(undone.code()).as(undone.err()).isZero();

      CommandLineRun verified = command(host, "verify-shapes", first);
      assertThat(verified.out()).contains("10 of 10 good").contains(".undone-" + first);
      assertThat(verified.err()).contains("are now in", "was undone");
      CommandLineRun pulled =
          command(host, "pull", first, "--to", folder.resolve("home").toString());
      assertThat(pulled.code()).as(pulled.err()).isZero();
      assertThat(folder.resolve("home/data_9.pt")).exists();

      CommandLineRun again = command(host, "undo", first);
      assertThat(again.code()).isEqualTo(11);
      assertThat(again.err()).contains("was undone before", ".undone-" + first);
    }
  }

  @Test
  @Hostile("the only good copy is what was set aside")
  void pruneListsAsksAndSparesTheOnlyGoodCopy() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      assertThat(command(host, "prune").err()).contains("nothing to delete");
      assertThat(extract(host).code()).isZero();
      assertThat(extract(host).code()).isZero();
      String second = runId(host);
      String aside = "hidden_states.before-" + second;
      assertThat(beside(host)).contains(aside);

      CommandLineRun unasked = command(host, "prune");
      assertThat(unasked.code()).isEqualTo(11);
      assertThat(unasked.out()).contains("chosen", aside, "10 entries", "run " + second);
      assertThat(unasked.err()).contains("delete ", "--yes");
      assertThat(command(host, "prune", "--dry-run").code()).isZero();
      assertThat(command(host, "prune", "--older-than", "7d").out()).contains("stays", "younger");
      assertThat(beside(host)).contains(aside);

      Path bad = host.files().output().resolve("data_0.pt");
      byte[] good = Files.readAllBytes(bad);
      Files.write(bad, new byte[3]);
      CommandLineRun spared = command(host, "prune", "--yes");
      assertThat(spared.code()).as(spared.err()).isZero();
      assertThat(spared.out()).contains("stays", "own output is not all good: 9 of 10");
      assertThat(beside(host)).contains(aside);

      Files.write(bad, good);
      CommandLineRun pruned = command(host, "prune", "--yes", "--json");
      assertThat(pruned.code()).as(pruned.err()).isZero();
      assertThat(pruned.out()).contains("\"type\":\"aside\"", "\"verdict\":\"chosen\"", "free: ");
      assertThat(beside(host)).containsExactly("hidden_states");
      assertThat(command(host, "verify-shapes").out()).contains("10 of 10 good");
    }
  }

  @Test
  void plansAndLogsOfOldRunsGoOnlyWhenAskedFor() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      assertThat(extract(host).code()).isZero();
      String first = runId(host);
      assertThat(extract(host).code()).isZero();
      String second = runId(host);

      assertThat(command(host, "prune", "--yes").code()).isZero();
      assertThat(host.state().resolve("runs/" + first)).exists();
      CommandLineRun pruned = command(host, "prune", "--runs", "--yes");

      assertThat(pruned.code()).as(pruned.err()).isZero();
      assertThat(host.state().resolve("runs/" + first)).doesNotExist();
      assertThat(host.state().resolve("runs/" + second + "/log")).exists();
    }
  }

  private CommandLineRun extract(StandInHost host, String... more) {
    List<String> words =
        new ArrayList<>(List.of("extract", "--profile", host.profile().toString()));
    words.addAll(List.of(more));
    return run(host, words);
  }

  private static CommandLineRun command(StandInHost host, String command, String... more) {
    List<String> words = new ArrayList<>(List.of(command));
    words.addAll(List.of(more));
    return run(host, words);
  }

  private static CommandLineRun run(StandInHost host, List<String> words) {
    return CommandLineRun.at(
        host.server().clientHome(),
        Map.of("EAGLE3_HOST", host.server().target()),
        words.toArray(String[]::new));
  }

  /** The newest run. */
  private static String runId(StandInHost host) throws IOException {
    try (Stream<Path> runs = Files.list(host.state().resolve("runs"))) {
      return runs.filter(Files::isDirectory)
          .map(path -> path.getFileName().toString())
          .max(String::compareTo)
          .orElseThrow();
    }
  }

  /** The output folder, and what was made beside it. */
  private static List<String> beside(StandInHost host) throws IOException {
    Path output = host.files().output();
    try (Stream<Path> entries = Files.list(output.getParent())) {
      return entries
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith(output.getFileName().toString()))
          .sorted()
          .toList();
    }
  }
}
