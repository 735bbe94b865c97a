package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.HostProcess;
import dev.eagle3.testing.Hostile;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogEndJudgeTest {
  private static final HostProcess WRITER =
      new HostProcess(4711, 99, 60, "root", List.of("python3"), "/");

  private final LogEndJudge judge = new LogEndJudge(Duration.ofMinutes(30));

  @Test
  void whenItsWritersAreGoneTwiceItHasEnded() {
    assertThat(judge.judge(held(10), false)).isEmpty();
    assertThat(judge.judge(free(20, 0), false)).isEmpty();
    assertThat(judge.judge(free(20, 1), false)).hasValue(LogEnd.WRITERS_GONE);
  }

  @Test
  void whoOpensItAgainAfterOneLookIsNotGone() {
    judge.judge(held(10), false);
    assertThat(judge.judge(free(20, 0), false)).isEmpty();
    assertThat(judge.judge(held(20), false)).isEmpty();
    assertThat(judge.judge(free(20, 0), false)).isEmpty();
    assertThat(judge.judge(free(20, 0), false)).hasValue(LogEnd.WRITERS_GONE);
  }

  @Test
  void anOldLogThatNobodyWritesHasEndedAtOnce() {
    assertThat(judge.judge(free(20, 3600), false)).hasValue(LogEnd.NOBODY_WRITES);
  }

  @Test
  void aLogThatWasJustWrittenIsLookedAtAgain() {
    assertThat(judge.judge(free(20, 1), true)).isEmpty();
    assertThat(judge.judge(free(20, 9), true)).isEmpty();
    assertThat(judge.judge(free(20, 10), true)).hasValue(LogEnd.NOBODY_WRITES);
  }

  @Test
  @Hostile("a log that is opened for each line, so that nobody is ever seen to write it")
  void aLogThatGrowsThoughNobodyIsSeenIsNotOver() {
    assertThat(judge.judge(free(20, 1), false)).isEmpty();
    assertThat(judge.judge(free(40, 1), false)).isEmpty();
    for (long still = 2; still < 1800; still += 300) {
      assertThat(judge.judge(free(40, still), false)).isEmpty();
    }
    assertThat(judge.judge(free(40, 1801), false)).hasValue(LogEnd.LONG_STILL);
  }

  @Test
  @Hostile("a log whose writer belongs to another user, and cannot be seen")
  void whatCannotBeSeenIsNoEnd() {
    assertThat(judge.judge(hidden(1700), false)).isEmpty();
    assertThat(judge.judge(hidden(1700), true)).hasValue(LogEnd.LONG_STILL);
    assertThat(judge.judge(hidden(1801), false)).hasValue(LogEnd.LONG_STILL);
  }

  @Test
  void aWriterThatWasSeenCountsAlsoWhereOthersAreHidden() {
    judge.judge(held(10), false);
    judge.judge(hidden(0), false);
    assertThat(judge.judge(hidden(1), false)).hasValue(LogEnd.WRITERS_GONE);
  }

  @Test
  void aLogThatIsGoneHasEndedWhenNobodyHasItOpen() {
    LogLook gone = look(LogLook.Is.MISSING, -1, 0, List.of(), false);
    assertThat(judge.judge(gone, false)).isEmpty();
    assertThat(judge.judge(gone, false)).isEqualTo(Optional.of(LogEnd.WRITERS_GONE));
  }

  private static LogLook held(long bytes) {
    return look(LogLook.Is.LOG, bytes, 0, List.of(WRITER), false);
  }

  private static LogLook free(long bytes, long stillSeconds) {
    return look(LogLook.Is.LOG, bytes, stillSeconds, List.of(), false);
  }

  private static LogLook hidden(long stillSeconds) {
    return look(LogLook.Is.LOG, 20, stillSeconds, List.of(), true);
  }

  private static LogLook look(
      LogLook.Is is,
      long bytes,
      long stillSeconds,
      List<HostProcess> writers,
      boolean someAreHidden) {
    return new LogLook(
        is,
        bytes,
        "1:2",
        stillSeconds,
        "/log",
        "root",
        1_700_000_000,
        -1,
        writers,
        List.of(),
        someAreHidden,
        false,
        false);
  }
}
