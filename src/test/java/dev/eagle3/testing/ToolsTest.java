package dev.eagle3.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ToolsTest {
  @Test
  void aToolIsFoundByItsAbsolutePath() {
    assertThat(Tools.find("sh")).isAbsolute().isExecutable();
  }

  @Test
  void aToolThatIsMissingSaysHowToGetIt() {
    assertThatThrownBy(() -> Tools.find("no-such-tool"))
        .isInstanceOf(AssertionError.class)
        .hasMessage("no-such-tool is not on this machine: run scripts/fetch-tools");
  }
}
