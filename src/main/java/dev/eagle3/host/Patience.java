package dev.eagle3.host;

import java.time.Duration;

/**
 * How long and how often a lost connection is made again. A connection that was lost soon after it
 * was made, or was never made, makes the next try wait twice as long; one that answered something
 * meanwhile waits little. The time counts from the loss to the next answer, and only while this
 * process runs. Not for several threads at once.
 */
final class Patience {
  private static final Duration SHORT_LIFE = Duration.ofSeconds(5);

  /** As good as an answer: a long command was under way. */
  private static final Duration LONG_LIFE = Duration.ofMinutes(5);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration LONGEST_PAUSE_AFTER_ANSWERS = Duration.ofMillis(500);
  private static final int MOST_DOUBLINGS = 10;

  private final Duration giveUpAfter;
  private long connectedAt;
  private boolean answered;
  private int misfortunes;
  private long triedNanos;
  private long since;

  /** A connection was made now. */
  Patience(Duration giveUpAfter, long now) {
    this.giveUpAfter = giveUpAfter;
    this.connectedAt = now;
    this.since = now;
  }

  /** The host answered: the trouble, if there was one, is over. */
  void answered() {
    answered = true;
    triedNanos = 0;
  }

  /** The connection was lost: how long to wait before the first try; negative to give up. */
  Duration lost(long now) {
    long life = now - connectedAt;
    misfortunes = life > SHORT_LIFE.toNanos() ? 0 : misfortunes + 1;
    if (life > LONG_LIFE.toNanos()) {
      answered();
    }
    if (answered) {
      since = now;
    } else {
      count(now);
    }
    Duration most = answered ? LONGEST_PAUSE_AFTER_ANSWERS : LONGEST_PAUSE;
    answered = false;
    return orGiveUp(pause(most));
  }

  /** It could not be made: how long to wait before the next try; negative to give up. */
  Duration failed(long now) {
    misfortunes++;
    count(now);
    return orGiveUp(pause(LONGEST_PAUSE));
  }

  /** It was made again. */
  void connected(long now) {
    count(now);
    connectedAt = now;
  }

  /** With no time at all there is one try. */
  private Duration orGiveUp(Duration pause) {
    boolean over = triedNanos > 0 && triedNanos + pause.toNanos() > giveUpAfter.toNanos();
    return over ? Duration.ofNanos(-1) : pause;
  }

  private void count(long now) {
    triedNanos += now - since;
    since = now;
  }

  /** None for a connection that had lived; then longer and longer. */
  private Duration pause(Duration most) {
    if (misfortunes == 0) {
      return Duration.ZERO;
    }
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(misfortunes - 1, MOST_DOUBLINGS));
    return pause.compareTo(most) < 0 ? pause : most;
  }
}
