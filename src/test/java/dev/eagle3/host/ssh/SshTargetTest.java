package dev.eagle3.host.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SshTargetTest {
  @ParameterizedTest
  @CsvSource({
    "gpu7,,gpu7,0",
    "root@gpu7,root,gpu7,0",
    "root@10.1.230.174:2222,root,10.1.230.174,2222",
    "first.last@corp@gpu7:22,first.last@corp,gpu7,22",
    "[2001:db8::7]:2222,,2001:db8::7,2222",
    "root@[2001:db8::7],root,2001:db8::7,0",
    "root@2001:db8::7,root,2001:db8::7,0",
    "gpu_7.cluster-b.example,,gpu_7.cluster-b.example,0",
    "ssh://gpu7,,gpu7,0",
    "ssh://gpu7/,,gpu7,0",
    "ssh://root@gpu7:2222,root,gpu7,2222",
    "ssh://root@[2001:db8::7]:2222/,root,2001:db8::7,2222",
    "ssh://[fe80::1%25eth0],,fe80::1%eth0,0",
    "fe80::1%eth0,,fe80::1%eth0,0",
    "root@[fe80::1%eth0]:22,root,fe80::1%eth0,22",
    "::ffff:10.0.0.1,,::ffff:10.0.0.1,0",
    "[gpu7]:22,,gpu7,22",
  })
  void aTargetHasAUserAHostAndAPort(String text, String user, String host, int port) {
    SshTarget target = SshTarget.parse(text);

    assertThat(target.user()).isEqualTo(Optional.ofNullable(user));
    assertThat(target.host()).isEqualTo(host);
    assertThat(target.port()).isEqualTo(port == 0 ? OptionalInt.empty() : OptionalInt.of(port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@gpu7",
        "root@",
        "-oProxyCommand=touch x",
        "root@-oProxyCommand",
        "-l@gpu7",
        "gpu7:",
        "gpu7:0",
        "gpu7:65536",
        "gpu7:ssh",
        "gpu7:-1",
        "[::1",
        "[::1]x",
        "[]:22",
        "gpu 7",
        "ssh://",
        "ssh://gpu7/root/data",
        "ssh://-oProxyCommand=x",
        "ssh:///gpu7",
        "http://gpu7",
        "gpu7:22:33",
        "gpu7%eth0",
        "fe80::1%",
        "[fe80::1%eth0",
        "fe80::1%eth0;id",
        "[gpu:7]",
        "gpu7\n",
        "gpu7;id",
        "$(id)@gpu7",
        "gpu7\u001b[2J",
      })
  void whatIsNoHostIsRefused(String text) {
    assertThatThrownBy(() -> SshTarget.parse(text))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.USAGE);
              assertThat(failure.getMessage()).doesNotContain("\u001b").doesNotContain("\n");
            });
  }

  @Test
  void aTargetIsShownAsItIsWritten() {
    for (String text :
        new String[] {"gpu7", "root@gpu7:2222", "root@[2001:db8::7]:2222", "2001:db8::7"}) {
      assertThat(SshTarget.parse(text)).hasToString(text);
    }
  }
}
