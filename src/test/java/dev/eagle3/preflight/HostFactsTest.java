package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.ScriptAnswer;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostFactsTest {
  @Test
  void anAnswerBecomesFacts() {
    HostFacts facts =
        HostFacts.parse(
            new ScriptAnswer(
                0,
                List.of(
                    "host\tLinux\tx86_64\tgpu7\troot",
                    "home\t/root",
                    "tool\tsetsid\tyes",
                    "tool\tfuser\tno",
                    "path\tpython\tprogram\t/opt/python3",
                    "path\tscript\tmissing\t/opt/a b.py"),
                ""));

    assertThat(facts.node()).isEqualTo("gpu7");
    assertThat(facts.home()).isEqualTo("/root");
    assertThat(facts.has("setsid")).isTrue();
    assertThat(facts.has("fuser")).isFalse();
    assertThat(facts.has("never-asked")).isFalse();
    assertThat(facts.paths().get("script"))
        .isEqualTo(new HostFacts.PathFact("missing", "/opt/a b.py"));
  }

  @Test
  void anAnswerThatIsCutShortIsNoCrash() {
    HostFacts facts =
        HostFacts.parse(new ScriptAnswer(0, List.of("host\tLinux", "path\tpython", "tool\t"), ""));

    assertThat(facts.system()).isEqualTo("unknown");
    assertThat(facts.paths()).isEmpty();
  }
}
