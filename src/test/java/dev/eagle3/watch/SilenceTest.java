package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFollower;
import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final LogRules RULES =
      new LogRules(
          List.of(
              mark("executor-starting", Duration.ofMinutes(30)),
              mark("samples-starting", Duration.ofMinutes(10))),
          List.of(),
          List.of(),
          List.of(),
          List.of(new LogFollower(Pattern.compile("No available .*block found"), "")));

  private static final Activity IDLE =
      new Activity(List.of(new Activity.Worker(7, 'S', 0, 0, "futex_wait_queue", "VLLM")), 5);

  private static final Activity BUSY =
      new Activity(List.of(new Activity.Worker(7, 'R', 4.9, 0, "-", "VLLM")), 5);

  private final List<Event> events = new ArrayList<>();
  private long nanos;
  private boolean isNew = true;
  private final Silence silence = new Silence(RULES, () -> nanos);
  private final EventSink log = silence.listening(events::add, () -> isNew);

  @Test
  void silenceIsMeasuredByWhatThePhaseAllows() {
    log.emit(new Event.Milestone("executor-starting", ""));
    pass(29);
    assertThat(silence.isLookDue()).as("loading is silent").isFalse();
    log.emit(new Event.Progress("shards", 119, 119, 1, 0));
    log.emit(new Event.Milestone("samples-starting", ""));
    pass(11);

    assertThat(silence.isLookDue()).isTrue();
    assertThat(silence.isLookDue()).as("one look at a time").isFalse();
    assertThat(silence.judge(IDLE, false, "r"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.code()).isEqualTo("run.stalled");
              assertThat(found.expected()).contains("within 10 min after samples-starting");
              assertThat(found.actual())
                  .isEqualTo(
                      "no line in the log and no new sample for 11 min, and its processes do not"
                          + " work");
              assertThat(found.evidence())
                  .containsExactly(
                      "pid 7 VLLM sleeps in futex_wait_queue, 0.0 s of processor time, 0 bytes"
                          + " read");
            });
    pass(100);
    assertThat(silence.isLookDue()).as("said once").isFalse();
  }

  @Test
  void theHeartbeatOfVllmIsNoLifeAndAnyOtherLineIs() {
    log.emit(new Event.Milestone("samples-starting", ""));
    pass(9);
    log.emit(line("INFO No available shared memory broadcast block found in 60 seconds."));
    log.emit(line("   "));
    pass(2);
    assertThat(silence.isLookDue()).isTrue();
    silence.judge(IDLE, false, "r");
    assertThat(silence.hasEnded()).isFalse();

    log.emit(line("Batch 2"));

    assertThat(silence.hasEnded()).isTrue();
    assertThat(silence.hasEnded()).isFalse();
    pass(11);
    assertThat(silence.isLookDue()).as("the next silence").isTrue();
    assertThat(events).hasSize(4);
  }

  @Test
  void aLifeSignBetweenTheLooksIsNoStall() {
    pass(16);
    assertThat(silence.isLookDue()).isTrue();
    silence.life();

    assertThat(silence.judge(IDLE, false, "r")).isEmpty();
  }

  @Test
  void processesThatWorkPutItOffButNotForEver() {
    List<Finding> found = new ArrayList<>();
    int minutes = 0;
    while (found.isEmpty()) {
      pass(1);
      minutes++;
      if (silence.isLookDue()) {
        found.addAll(silence.judge(BUSY, true, "r"));
      }
    }

    assertThat(minutes).isEqualTo(46);
    assertThat(found.get(0).actual()).isEqualTo("no line in the log and no new sample for 46 min");
    assertThat(found.get(0).evidence()).last().asString().contains("GPUs are busy");
  }

  @Test
  void whatWasInTheLogBeforeTheWatchIsAsOldAsTheLog() {
    isNew = false;
    silence.backdate(Duration.ofMinutes(20));
    log.emit(new Event.Milestone("samples-starting", ""));
    log.emit(line("Batch 1"));

    assertThat(silence.isLookDue()).isTrue();
    assertThat(silence.judge(Activity.UNKNOWN, false, "r"))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.actual())
                  .isEqualTo("no line in the log and no new sample for 20 min");
              assertThat(found.evidence()).containsExactly("what its processes do cannot be seen");
            });
  }

  private void pass(int minutes) {
    nanos += Duration.ofMinutes(minutes).toNanos();
  }

  private static Event.LogLine line(String text) {
    return new Event.LogLine(0, text, "line");
  }

  private static LogMilestone mark(String name, Duration quiet) {
    return new LogMilestone(name, Pattern.compile(name), name, quiet);
  }
}
