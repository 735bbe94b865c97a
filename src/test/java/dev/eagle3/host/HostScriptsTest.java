package dev.eagle3.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.host.local.LocalHost;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostScriptsTest implements HostScriptsContract {
  @TempDir Path folder;

  private final Host host =
      new LocalHost("local", Map.of("PATH", System.getenv("PATH"), "HOME", "/home/some one"));

  @Override
  public Host host() {
    return host;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Test
  void theHostIsProbed() {
    ScriptAnswer answer = new HostScripts(host).run(ScriptCall.of("probe-host"));

    assertThat(answer.code()).isZero();
    assertThat(answer.rows("home").get(0)).containsExactly("/home/some one");
    assertThat(answer.rows("tool")).anySatisfy(row -> assertThat(row).contains("setsid"));
  }

  @Test
  void aHostWithoutAShellIsUnreachable() {
    Host bare = new LocalHost("bare", Map.of("PATH", "/nowhere"));

    assertThatThrownBy(() -> new HostScripts(bare).run(ScriptCall.of("probe-host")))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.exit()).isEqualTo(Exit.UNREACHABLE);
              assertThat(failure.problem()).startsWith("gives no POSIX shell for `sh -s`: ");
            });
    assertThatThrownBy(() -> new HostScripts(bare).start(ScriptCall.of("probe-host")))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("gives no POSIX shell");
  }

  @Test
  void anAnswerTooLargeToKeepIsAFailureAndNotHalfAnAnswer() {
    assertThatThrownBy(() -> new HostScripts(host).run(ScriptCall.of("test-flood", "5000000")))
        .isInstanceOf(Failure.class)
        .hasMessageContaining("its answer is too long");
  }

  @Test
  void aScriptThatTakesTooLongIsAFailure() {
    ScriptCall endless = ScriptCall.of("test-flood", "1000000000000");

    assertThatThrownBy(() -> new HostScripts(host).run(endless.within(Duration.ofSeconds(1))))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.exit()).isEqualTo(Exit.LOST))
        .hasMessageContaining("no answer to step test-flood within 1 s");
  }

  @Test
  void pastedTextDoesWhatTheCallDoes() throws Exception {
    Path done = folder.resolve("it's done");
    ScriptCall call = ScriptCall.of("test-answer", done.toString(), "2", "7");

    Process shell = new ProcessBuilder("sh").redirectErrorStream(true).start();
    shell.outputWriter().write(HostScripts.paste(call, " && echo not reached"));
    shell.outputWriter().close();

    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(said).contains("line\t1\nline\t2").doesNotContain("not reached");
    assertThat(shell.waitFor()).isEqualTo(7);
    assertThat(Files.exists(done)).isTrue();
  }
}
