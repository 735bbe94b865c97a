package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InterruptionsTest {
  private static final long BEGIN = -17;

  private final AtomicInteger asked = new AtomicInteger();
  private final Interruptions interruptions = new Interruptions(() -> {});

  @Test
  void theFirstOneAsksTheCommandToStop() {
    interruptions.stopWith(asked::incrementAndGet);
    assertThat(asked).hasValue(0);

    interruptions.interrupt(BEGIN);

    assertThat(asked).hasValue(1);
  }

  @Test
  void whatComesAtOnceWithTheFirstIsPartOfIt() {
    interruptions.stopWith(asked::incrementAndGet);

    interruptions.interrupt(BEGIN);
    // This process would end by a second one.
    interruptions.interrupt(BEGIN + TimeUnit.MILLISECONDS.toNanos(1));
    interruptions.interrupt(BEGIN + TimeUnit.MILLISECONDS.toNanos(150));

    assertThat(asked).hasValue(1);
  }

  @Test
  void aCommandThatCanStopOnlyLaterIsAskedThen() {
    interruptions.stopWith(() -> {});
    interruptions.interrupt(BEGIN);

    interruptions.stopWith(asked::incrementAndGet);

    assertThat(asked).hasValue(1);
  }
}
