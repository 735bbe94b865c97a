package dev.eagle3.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.local.LocalHost;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostScriptsTest {
  private final HostScripts scripts =
      new HostScripts(
          new LocalHost("local", Map.of("PATH", System.getenv("PATH"), "HOME", "/home/some one")));

  @Test
  void aScriptAnswersBetweenItsMarkers() {
    ScriptAnswer answer = scripts.run(ScriptCall.of("probe-host"));

    assertThat(answer.code()).isZero();
    assertThat(answer.rows("home").get(0)).containsExactly("/home/some one");
    assertThat(answer.rows("tool")).anySatisfy(row -> assertThat(row).contains("setsid"));
  }
}
