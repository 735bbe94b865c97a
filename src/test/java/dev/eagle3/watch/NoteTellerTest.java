package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.run.EndNote;
import dev.eagle3.run.GuardNotes;
import dev.eagle3.run.RunDetails;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class NoteTellerTest {
  private static final Finding OF_A_SAMPLE =
      Finding.of("layers.count", Severity.ERROR, "/o/data_0.pt", "4 × [5, 7]", "3 × [5, 7]");
  private static final Finding OF_A_DISK =
      Finding.of("disk.too-small", Severity.WARNING, "/o", "2 GiB", "1 GiB");
  private static final String SAYS = "no guard watches over the run";

  private final List<Event> events = new ArrayList<>();

  @Test
  void eachThingIsSaidOnce() {
    NoteTeller teller = new NoteTeller(events::add, true);

    teller.tell(status(new RunState.Running(7), List.of(OF_A_SAMPLE)));
    teller.tell(status(new RunState.Running(7), List.of(OF_A_SAMPLE, OF_A_DISK)));
    teller.tell(status(new RunState.Killed("TERM", 143, List.of()), List.of(OF_A_SAMPLE)));

    assertThat(events)
        .containsExactly(
            new Event.Found(OF_A_SAMPLE),
            new Event.Check("run", "guard", "note", SAYS),
            new Event.Found(OF_A_DISK));
  }

  @Test
  void whatTheRunWasEndedForIsSaidThoughTheGuardDidNotFindIt() {
    new NoteTeller(events::add, true)
        .tell(status(new RunState.Killed("TERM", 143, List.of()), List.of()));

    assertThat(events).contains(new Event.Found(OF_A_SAMPLE));
  }

  @Test
  void whoLooksAtSamplesIsToldOfDisksAlone() {
    NoteTeller teller = new NoteTeller(events::add, false);

    teller.tell(status(new RunState.Running(7), List.of(OF_A_SAMPLE, OF_A_DISK)));
    teller.tell(status(new RunState.Killed("TERM", 143, List.of()), List.of(OF_A_SAMPLE)));

    assertThat(events).containsExactly(new Event.Found(OF_A_DISK));
  }

  @Test
  void aJobThatExitedWithZeroWasDoneBeforeItWasToldToEnd() {
    RunStatus done = status(new RunState.Finished(0, List.of()), List.of());

    assertThat(done.endedSince()).isEmpty();
    assertThat(status(new RunState.Running(7), List.of()).endedSince()).isEmpty();
    assertThat(status(new RunState.Finished(1, List.of()), List.of()).endedSince()).isPresent();
  }

  private static RunStatus status(RunState state, List<Finding> findings) {
    GuardNotes notes =
        new GuardNotes(
            findings,
            List.of(SAYS),
            Optional.of(new EndNote("guard", "data_0.pt is bad", Optional.of(OF_A_SAMPLE))));
    return new RunStatus(
        new RunFolder("/root/.eagle3/runs/20261129-171500-0a1b"),
        state,
        0,
        "",
        new RunDetails(
            Optional.empty(), false, OptionalLong.empty(), OptionalLong.empty(), notes, false));
  }
}
