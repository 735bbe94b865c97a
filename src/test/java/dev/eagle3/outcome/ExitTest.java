package dev.eagle3.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitTest {
  @Test
  void done() {
    assertThat(Exit.DONE).isNotNull();
  }
}
