package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.RunId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TargetTest {
  @Test
  void anIdOrLatestIsARun() {
    assertThat(parse("20261129-170512-1a2b"))
        .isEqualTo(new Target.Run(Optional.of(new RunId("20261129-170512-1a2b"))));
    assertThat(parse("latest")).isEqualTo(new Target.Run(Optional.empty()));
  }

  @Test
  void aColonBeforeAnySlashIsRemote() {
    assertThat(parse("gpu7:/data/x")).isEqualTo(new Target.Remote("gpu7", "/data/x"));
    assertThat(parse("root@gpu7:x y")).isEqualTo(new Target.Remote("root@gpu7", "x y"));
    assertThat(parse("root@[::1]:/data")).isEqualTo(new Target.Remote("root@[::1]", "/data"));
    assertThat(parse("[fe80::1]:/data")).isEqualTo(new Target.Remote("[fe80::1]", "/data"));
  }

  @Test
  void allElseIsLocal() {
    assertThat(parse("./gpu7:x")).isEqualTo(new Target.Local("./gpu7:x"));
    assertThat(parse("/a:b")).isEqualTo(new Target.Local("/a:b"));
    assertThat(parse("c:/x")).isEqualTo(new Target.Local("c:/x"));
    assertThat(parse("data_0.pt")).isEqualTo(new Target.Local("data_0.pt"));
    assertThat(parse("20261129-170512-1a2")).isEqualTo(new Target.Local("20261129-170512-1a2"));
  }

  @Test
  void aPathIsOnTheHostThatStandsOnTheCommandLine() {
    assertThat(Target.parse("/data", Optional.of("gpu7")))
        .isEqualTo(new Target.Remote("gpu7", "/data"));
    assertThat(Target.parse("gpu7:/data", Optional.of("gpu7")))
        .isEqualTo(new Target.Remote("gpu7", "/data"));
  }

  @Test
  void twoHostsAreRefused() {
    assertThatThrownBy(() -> Target.parse("gpu8:/data", Optional.of("gpu7")))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("names another host than gpu7");
    assertThatThrownBy(() -> parse("gpu8:")).hasMessageContaining("no path");
  }

  @Test
  void aUriIsNoPath() {
    assertThatThrownBy(() -> parse("ssh://gpu7/data"))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("ssh:// names a host for --host");
  }

  private static Target parse(String text) {
    return Target.parse(text, Optional.empty());
  }
}
