package dev.eagle3.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scripts on a host, whatever its login shell is and prints; run against several of both. */
public interface HostScriptsContract {
  /** The host under test. */
  Host host();

  /** A folder of the host that is also one of this machine; new for each test. */
  Path folder();

  @Test
  default void argumentsArriveAsTheyAreAndInputIsEmpty() {
    List<String> hostile =
        List.of(
            "plain", "", " two  words ", "it's", "\"$HOME\"`id`", "-n", "a\\nb", "näme 漢字 🦅", "*");

    ScriptAnswer answer =
        scripts().run(ScriptCall.of("test-show-arguments", hostile.toArray(String[]::new)));

    assertThat(answer.code()).isZero();
    assertThat(answer.rows("argument"))
        .containsExactlyElementsOf(hostile.stream().map(List::of).toList());
    assertThat(answer.rows("input")).containsExactly(List.of("0"));
  }

  @Test
  default void anAnswerHasItsLinesItsErrorsAndItsCode() {
    ScriptAnswer answer = scripts().run(answer(1, 11));

    assertThat(answer.code()).isEqualTo(11);
    assertThat(answer.lines()).containsExactly("line\t1");
    assertThat(answer.stderr()).contains("a word of warning");
  }

  @Test
  default void aLargeAnswerIsWhole() {
    ScriptAnswer answer = scripts().run(answer(20_000, 0));

    assertThat(answer.rows("line")).hasSize(20_000).last().isEqualTo(List.of("20000"));
  }

  @Test
  default void aStartedScriptGivesItsOwnOutputAndNoticesTheEndOfItsInput() throws Exception {
    Path ended = folder().resolve("ended");
    RunningCommand running = scripts().start(ScriptCall.of("test-watch-input", ended.toString()));
    assertThat(Await.line(running.stdout())).isEqualTo("ready");
    running.stdin().write("näme\n".getBytes(UTF_8));
    running.stdin().flush();
    assertThat(Await.line(running.stdout())).isEqualTo("got\tnäme");
    assertThat(ended).doesNotExist();

    running.stdin().close();

    Await.until(() -> Files.exists(ended));
    running.close();
  }

  @Test
  default void aScriptThatArrivesHalfDoesNothing() {
    String whole = Recorder.textOf(answer(1, 0));
    for (int length : List.of(whole.length() / 2, whole.length() - 20, whole.length() - 3)) {
      host().run(Command.of("sh -s", Duration.ofMinutes(1)).withInput(whole.substring(0, length)));
      assertThat(folder().resolve("done")).doesNotExist();
    }
    host().run(Command.of("sh -s", Duration.ofMinutes(1)).withInput(whole));
    assertThat(folder().resolve("done")).exists();
  }

  private HostScripts scripts() {
    return new HostScripts(host());
  }

  private ScriptCall answer(int lines, int code) {
    return ScriptCall.of(
        "test-answer",
        folder().resolve("done").toString(),
        String.valueOf(lines),
        String.valueOf(code));
  }
}
