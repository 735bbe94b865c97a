package dev.eagle3.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStatus;
import dev.eagle3.watch.Watched;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When previous output is put back by itself, and what is said of the files then. */
class RunFinisherTest {
  @TempDir Path folder;
  private final ScriptedHost host = new ScriptedHost();
  private final List<Event> events = new ArrayList<>();
  private Path out;

  @BeforeEach
  void makeTheOutputFolder() throws IOException {
    out = Files.createDirectory(folder.resolve("out"));
    host.answers("set-aside", 0, "aside\t" + out + ".before-X\t4096\t3\trenamed");
    host.answers("undo", 0, "undone\t" + out + ".undone-X\nrestored\t" + out + "\t" + out + ".b");
  }

  @Test
  void aRunThatSavedNothingPutsPreviousOutputBack() {
    assertThat(finish(new RunState.Finished(1, List.of()))).isEqualTo(Exit.RUN_FAILED);

    assertThat(undone()).isTrue();
  }

  @Test
  void theFilesOfARunWithoutAGoodSampleAreNamedWhereTheyAreNow() throws IOException {
    Files.writeString(out.resolve("data_0.pt"), "no tensor file");

    finish(new RunState.Finished(0, List.of()));

    assertThat(undone()).isTrue();
    assertThat(hints())
        .contains("eagle3 verify-shapes " + out + ".undone-X --host gpu7")
        .noneMatch(command -> command.startsWith("eagle3 pull"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"orphaned", "left behind"})
  void whileAProcessOfTheRunLivesNothingIsMoved(String how) {
    finish(
        how.equals("orphaned")
            ? new RunState.Orphaned(List.of(4711L))
            : new RunState.Finished(1, List.of(4711L)));

    assertThat(undone()).isFalse();
    assertThat(hints()).contains("eagle3 undo 20261129-171500-0a1b --host gpu7");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a folder/", "sample_0.npz"})
  void whatNobodyLookedIntoIsNotTakenForWorthless(String name) throws IOException {
    if (name.endsWith("/")) {
      Files.createDirectory(out.resolve(name));
    } else {
      Files.writeString(out.resolve(name), "of a kind that is not known");
    }

    finish(new RunState.Finished(0, List.of()));

    assertThat(undone()).isFalse();
  }

  @Test
  void ofARunThatEagle3EndedForItsSamplesTheSamplesAreWrongAndNotTheRun() throws IOException {
    Files.writeString(out.resolve("data_0.pt"), "no tensor file");

    Exit exit =
        finish(new RunState.Killed("TERM", 143, List.of()), Optional.of("data_0.pt is damaged"));

    assertThat(exit).isEqualTo(Exit.WRONG);
    assertThat(undone()).isTrue();
    assertThat(events)
        .contains(
            new Event.Check(
                "run",
                "on-bad",
                "warning",
                "the run was ended by eagle3, since data_0.pt is damaged"))
        .noneMatch(
            event ->
                event instanceof Event.Found found && found.finding().code().startsWith("run."));
  }

  @Test
  void whatDidNotEndOfARunThatEagle3EndedIsNamed() {
    finish(new RunState.Killed("TERM", 143, List.of(4711L)), Optional.of("data_0.pt is damaged"));

    assertThat(undone()).isFalse();
    assertThat(hints()).contains("eagle3 stop 20261129-171500-0a1b --host gpu7");
  }

  private Exit finish(RunState state) {
    return finish(state, Optional.empty());
  }

  private Exit finish(RunState state, Optional<String> endedSince) {
    ExtractionPlan plan = ExtractPlans.of(out.toString(), ClearGpus.NONE);
    ExtractionRequest request =
        new ExtractionRequest(
            plan, LogRules.NONE, false, Optional.empty(), Optional.empty(), "--host gpu7");
    HostScripts scripts = new HostScripts(host);
    HostPreparer preparer = new HostPreparer(scripts, request, events::add, question -> true);
    preparer.prepare(() -> false);
    RunStatus status =
        new RunStatus(new RunFolder("/root/.eagle3/runs/" + plan.run()), state, 0, "");
    Watched watched =
        new Watched(status, false, new LogReader(LogRules.NONE, 0, events::add), endedSince);
    return new RunFinisher(scripts, request, events::add, events::add, preparer)
        .finish(watched, Duration.ofSeconds(1));
  }

  private boolean undone() {
    return host.steps().stream().anyMatch(step -> step.startsWith("undo "));
  }

  private List<String> hints() {
    return events.stream()
        .filter(Event.Hint.class::isInstance)
        .map(event -> ((Event.Hint) event).command())
        .toList();
  }
}
