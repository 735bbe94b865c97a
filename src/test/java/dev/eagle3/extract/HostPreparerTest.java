package dev.eagle3.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.host.HostScripts;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.PreviousOutput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPreparerTest {
  private static final String HOLDER =
      "gpu\t0\tGPU-1\tH200\t143771\t41000\tneeded\n"
          + "holder\t4711\t99\troot\t60\t0\t41000\t-\tother\t-\tpython3 train.py";
  private static final String WRITER =
      "writer\t4712\t99\t60\troot\t707974686f6e3300782e707900\t2f\tnamed\t-\t4712";
  private static final String ASIDE = "aside\t/data/out.before-X\t4096\t3\trenamed";

  private final ScriptedHost host = new ScriptedHost();
  private final List<Event> events = new ArrayList<>();
  private final List<String> questions = new ArrayList<>();
  private boolean agrees = true;

  @Test
  void itLooksAtAllBeforeItAsksAndTouchesAnything() {
    host.answers("look-gpus", 0, HOLDER).answers("set-aside", 0, ASIDE);

    preparer().prepare(() -> false);

    assertThat(scripts())
        .containsExactly(
            "look-gpus",
            "look-output",
            "set-aside",
            "lock-output",
            "look-output",
            "clear-gpus",
            "set-aside");
    assertThat(host.steps().get(2)).contains(" look ");
    assertThat(host.steps().get(5)).contains("4711:99");
    assertThat(host.steps().get(6)).contains(" do ");
  }

  @Test
  void nothingIsEndedWhenPreviousOutputCannotBeSetAside() {
    host.answers("look-gpus", 0, HOLDER).answers("set-aside", 11, "refused\tit is a home");

    Failure failure = catchThrowableOfType(Failure.class, () -> preparer().prepare(() -> false));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(scripts()).containsExactly("look-gpus", "look-output", "set-aside");
  }

  @Test
  void aFolderThatAProcessOfNoRunWritesToIsLeftAlone() {
    host.answers("look-gpus", 0, HOLDER).answers("look-output", 11, WRITER);

    Failure failure = catchThrowableOfType(Failure.class, () -> preparer().prepare(() -> false));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(failure.problem()).contains("process 4712 of root (python3 x.py)");
    assertThat(scripts()).containsExactly("look-gpus", "look-output");
  }

  @Test
  void whoeverIsStillWritingOnceTheLockIsOursIsLeftAlone() {
    host.answers("look-gpus", 0, HOLDER).answers("look-output", 0, WRITER + "\nlocked");

    Failure failure = catchThrowableOfType(Failure.class, () -> preparer().prepare(() -> false));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(scripts())
        .containsExactly(
            "look-gpus", "look-output", "set-aside", "lock-output", "look-output", "unlock-output");
  }

  @Test
  void whoDoesNotAgreeHasLockedNothing() {
    host.answers("look-gpus", 0, HOLDER);
    agrees = false;

    Failure failure = catchThrowableOfType(Failure.class, () -> preparer().prepare(() -> false));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(scripts()).containsExactly("look-gpus", "look-output", "set-aside");
  }

  /** Ctrl-C before the N-th step that changes something: that one and those after it are left. */
  @ParameterizedTest
  @CsvSource({"1,3", "2,3", "3,5", "4,6"})
  void afterCtrlCNothingMoreIsTouched(int question, int steps) {
    host.answers("look-gpus", 0, HOLDER).answers("set-aside", 0, ASIDE);
    AtomicInteger asked = new AtomicInteger();

    preparer().prepare(() -> asked.incrementAndGet() >= question);

    assertThat(scripts())
        .isEqualTo(
            List.of(
                    "look-gpus",
                    "look-output",
                    "set-aside",
                    "lock-output",
                    "look-output",
                    "clear-gpus")
                .subList(0, steps));
  }

  @Test
  void whenTheConnectionIsLostTheWayBackIsNamed() {
    host.loses("lock-output");

    Failure failure = catchThrowableOfType(Failure.class, () -> preparer().prepare(() -> false));

    assertThat(failure.exit()).isEqualTo(Exit.LOST);
    assertThat(hints()).containsExactly("eagle3 undo 20261129-171500-0a1b --host gpu7");
  }

  @Test
  void aLaunchThatIsRefusedPutsPreviousOutputBackAndUnlocks() {
    host.answers("set-aside", 0, ASIDE).answers("undo", 0, "restored\t/data/out\t/data/out.b");
    HostPreparer preparer = preparer();
    preparer.prepare(() -> false);

    preparer.undoAfterLaunch(Failure.of(Exit.REFUSED, "gpu7", "the disk is full"));

    assertThat(scripts()).endsWith("undo", "unlock-output");
  }

  @Test
  void aLaunchThatNobodyKnowsOfIsNotTakenBack() {
    host.answers("set-aside", 0, ASIDE);
    HostPreparer preparer = preparer();
    preparer.prepare(() -> false);

    preparer.undoAfterLaunch(Failure.of(Exit.LOST, "gpu7", "gone"));

    assertThat(scripts()).doesNotContain("undo", "unlock-output");
    assertThat(hints())
        .containsExactly(
            "eagle3 status 20261129-171500-0a1b --host gpu7",
            "eagle3 undo 20261129-171500-0a1b --host gpu7");
  }

  @Test
  void oneQuestionNamesAllThatCannotBeUndone() {
    host.answers("look-gpus", 0, HOLDER).answers("set-aside", 0, "would\t/data/out.b\t4096\t3");
    agrees = false;

    Failure failure =
        catchThrowableOfType(
            Failure.class, () -> preparer(PreviousOutput.DELETE).prepare(() -> false));

    assertThat(failure.exit()).isEqualTo(Exit.REFUSED);
    assertThat(questions).hasSize(1);
    assertThat(questions.get(0))
        .contains(
            "pid 4711",
            "delete what stands in /data/out · 3 entries · 4.0 KiB once the first new sample is"
                + " good",
            " on gpu7?");
    assertThat(scripts()).containsExactly("look-gpus", "look-output", "set-aside");
    assertThat(host.steps().get(2)).contains(" size ");
  }

  @Test
  void whatCanBeUndoneIsNotAskedAbout() {
    host.answers("set-aside", 0, ASIDE);
    agrees = false;

    preparer(PreviousOutput.SET_ASIDE).prepare(() -> false);

    assertThat(questions).isEmpty();
  }

  @Test
  void nothingIsDeletedWhereNothingStood() {
    host.answers("set-aside", 0, "empty\t/data/out");
    agrees = false;
    HostPreparer preparer = preparer(PreviousOutput.DELETE);

    preparer.prepare(() -> false);
    preparer.output().delete();

    assertThat(questions).isEmpty();
    assertThat(scripts()).doesNotContain("prune");
  }

  @Test
  void whatWasSetAsideIsDeletedOnce() {
    host.answers("set-aside", 0, ASIDE).answers("prune", 0, "removed\t/data/out.before-X\t1");
    HostPreparer preparer = preparer(PreviousOutput.DELETE);
    preparer.prepare(() -> false);

    preparer.output().delete();
    preparer.output().delete();

    assertThat(scripts().stream().filter("prune"::equals)).hasSize(1);
    assertThat(preparer.restore()).isEmpty();
  }

  @Test
  void whatIsNotDeletedWholeIsNamedWithTheWayToGoOn() {
    host.answers("set-aside", 0, ASIDE)
        .answers("prune", 1, "left\t/data/out.before-X.removing\tPermission denied");
    HostPreparer preparer = preparer(PreviousOutput.DELETE);
    preparer.prepare(() -> false);

    preparer.output().delete();

    assertThat(hints()).containsExactly("eagle3 prune 20261129-171500-0a1b --host gpu7");
    assertThat(events.toString()).contains("is not deleted whole: Permission denied");
  }

  private HostPreparer preparer() {
    return preparer(PreviousOutput.SET_ASIDE);
  }

  private HostPreparer preparer(PreviousOutput previous) {
    ExtractionRequest request =
        new ExtractionRequest(
            ExtractPlans.of("/data/out", ClearGpus.ALL, previous),
            LogRules.NONE,
            false,
            Optional.empty(),
            Optional.empty(),
            "--host gpu7");
    return new HostPreparer(
        new HostScripts(host),
        request,
        events::add,
        question -> {
          questions.add(question);
          return agrees;
        });
  }

  private List<String> scripts() {
    return host.steps().stream().map(step -> step.split(" ", 2)[0]).toList();
  }

  private List<String> hints() {
    return events.stream()
        .filter(Event.Hint.class::isInstance)
        .map(event -> ((Event.Hint) event).command())
        .collect(Collectors.toList());
  }
}
