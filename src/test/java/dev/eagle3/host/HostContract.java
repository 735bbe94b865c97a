package dev.eagle3.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What every host must do with commands; run against each implementation. */
public interface HostContract {
  /** Enough for any command here; none may come near it. */
  Duration LONG = Duration.ofMinutes(2);

  /** The host under test; the implementing class makes it and closes it. */
  Host host();

  /** A folder of the host that is also one of this machine, for files that tests make. */
  Path folder();

  /** Whether the host tells a killed command from one that exits with 128 + n. */
  default boolean tellsSignals() {
    return true;
  }

  @Test
  default void aCommandGivesItsOutputErrorsAndExitCode() {
    CommandResult result = run("echo out; echo err >&2; exit 7");

    assertThat(result.ending()).isEqualTo(new Ending.Exited(7));
    assertThat(result.stdout()).isEqualTo("out\n");
    assertThat(result.stderr()).isEqualTo("err\n");
    assertThat(result.cut()).isFalse();
    assertThat(result.succeeded()).isFalse();
    assertThat(run("true").succeeded()).isTrue();
  }

  @Test
  default void inputReachesTheCommandAndIsClosedAfterIt() {
    CommandResult result = host().run(Command.of("cat", LONG).withInput("näme\n漢字 🦅"));

    assertThat(result.stdout()).isEqualTo("näme\n漢字 🦅");
    assertThat(result.succeeded()).isTrue();
  }

  @Test
  default void aLargeInputArrivesWhole() {
    CommandResult result = host().run(Command.of("wc -c", LONG).withInput("漢".repeat(400_000)));

    assertThat(result.stdout().strip()).isEqualTo("1200000");
  }

  @Test
  default void utf8IsWholeWhereverABufferEnds() {
    // Three bytes a character: no buffer size that is a power of two divides them.
    CommandResult result =
        run("s=漢; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do s=$s$s; done; echo \"$s\"");

    assertThat(result.stdout()).hasSize((1 << 16) + 1).doesNotContain("\ufffd");
    assertThat(result.stdout().equals("漢".repeat(1 << 16) + "\n")).isTrue();
  }

  @Test
  default void bytesThatAreNoUtf8AreShownAsSuch() {
    assertThat(run("printf 'a\\377b'").stdout()).isEqualTo("a\ufffdb");
  }

  @Test
  default void outputIsCutAtTheLimitAndNotInsideACharacter() {
    CommandResult result = host().run(new Command("printf 'aé%0100000d' 0", "", LONG, 2));

    assertThat(result.stdout()).isEqualTo("a");
    assertThat(result.cut()).isTrue();
    assertThat(result.succeeded()).isTrue();
  }

  @Test
  default void bothStreamsAreDrainedHoweverMuchComesOnOne() {
    CommandResult result =
        host()
            .run(
                new Command(
                    "head -c 100000000 /dev/zero >&2; echo done; head -c 3000000 /dev/zero",
                    "",
                    LONG,
                    1000));

    assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    assertThat(result.stdout()).startsWith("done\n").hasSize(1000);
    assertThat(result.stderr()).hasSize(1000);
    assertThat(result.cut()).isTrue();
  }

  @Test
  default void aCommandKilledBySignalSaysWhich() {
    CommandResult result = run("echo so far; kill -KILL $$");

    Ending wanted = tellsSignals() ? new Ending.Signalled("KILL") : new Ending.Exited(137);
    assertThat(result.ending()).isEqualTo(wanted);
    assertThat(result.stdout()).isEqualTo("so far\n");
  }

  @Test
  default void aCommandThatTakesTooLongIsGivenUpWithWhatItSaid() {
    CommandResult result =
        host().run(Command.of("echo so far; exec sleep 600", Duration.ofSeconds(1)));

    assertThat(result.ending()).isEqualTo(new Ending.TimedOut());
    assertThat(result.stdout()).isEqualTo("so far\n");
    assertThat(run("echo next").stdout()).isEqualTo("next\n");
  }

  @Test
  default void aBackgroundChildThatHoldsTheOutputDoesNotHoldUpTheAnswer() {
    CommandResult result = run("sleep 600 & echo $!; exit 3");

    try {
      assertThat(result.ending()).isEqualTo(new Ending.Exited(3));
    } finally {
      run("kill " + result.stdout());
    }
  }

  @Test
  default void aDetachedJobOutlivesItsCommand() {
    Path done = folder().resolve("detached-done");
    CommandResult result =
        run(
            "setsid sh -c 'sleep 1; echo $$ >"
                + ShellQuote.word(done.toString())
                + "' </dev/null >/dev/null 2>&1 & echo started");

    assertThat(result.stdout()).isEqualTo("started\n");
    assertThat(done).doesNotExist();
    Await.until(() -> Files.exists(done));
  }

  @Test
  default void manyCommandsInSequenceAndTogetherLeakNothing() {
    for (int number = 0; number < 20; number++) {
      assertThat(run("echo " + number).stdout()).isEqualTo(number + "\n");
    }
    List<CompletableFuture<CommandResult>> together = new ArrayList<>();
    for (int number = 0; number < 8; number++) {
      String command = "echo " + number;
      together.add(CompletableFuture.supplyAsync(() -> run(command)));
    }
    for (int number = 0; number < 8; number++) {
      assertThat(together.get(number).join().stdout()).isEqualTo(number + "\n");
    }
  }

  @Test
  default void aStartedCommandGivesItsOutputAsItComes() throws Exception {
    try (RunningCommand running =
        host().start(Command.of("while read -r word; do echo \"got $word\"; done", LONG))) {
      for (String word : List.of("one", "two", "näme")) {
        running.stdin().write((word + "\n").getBytes(UTF_8));
        running.stdin().flush();
        assertThat(Await.line(running.stdout())).isEqualTo("got " + word);
      }
      running.stdin().close();

      assertThat(running.stdout().read()).isEqualTo(-1);
      assertThat(running.ending()).isEqualTo(new Ending.Exited(0));
    }
  }

  @Test
  default void theTextOfAStartedCommandComesBeforeWhatTheCallerWrites() throws Exception {
    try (RunningCommand running = host().start(Command.of("cat", LONG).withInput("first\n"))) {
      running.stdin().write("second\n".getBytes(UTF_8));
      running.stdin().close();

      assertThat(new String(running.stdout().readAllBytes(), UTF_8)).isEqualTo("first\nsecond\n");
    }
  }

  @Test
  default void aReaderThatComesLateMissesNothing() throws Exception {
    try (RunningCommand running =
        host().start(Command.of("head -c 3000000 /dev/zero; echo end >&2; exit 4", LONG))) {
      assertThat(running.stdout().readAllBytes()).hasSize(3_000_000);
      assertThat(running.ending()).isEqualTo(new Ending.Exited(4));
      Await.until(() -> running.stderr().equals("end\n"));
    }
  }

  @Test
  default void closingEndsACommandThatWatchesItsInput() throws Exception {
    Path ended = folder().resolve("watcher-ended");
    RunningCommand running =
        host()
            .start(
                Command.of(
                    "trap '' TERM; echo up; cat >/dev/null; echo x >"
                        + ShellQuote.word(ended.toString()),
                    LONG));
    assertThat(Await.line(running.stdout())).isEqualTo("up");

    running.close();

    Await.until(() -> Files.exists(ended));
  }

  @Test
  default void closingACommandWhoseOutputNobodyReadsDoesNotHang() throws Exception {
    RunningCommand running = host().start(Command.of("exec cat /dev/zero", LONG));
    try (InputStream output = running.stdout()) {
      assertThat(output.read()).isZero();

      running.close();
    }

    assertThat(run("echo next").stdout()).isEqualTo("next\n");
  }

  @Test
  default void theErrorsOfAStartedCommandAreDrainedAndKept() throws Exception {
    try (RunningCommand running =
        host()
            .start(Command.of("echo first >&2; head -c 10000000 /dev/zero >&2; echo out", LONG))) {
      assertThat(Await.line(running.stdout())).isEqualTo("out");
      assertThat(running.ending()).isEqualTo(new Ending.Exited(0));
      Await.until(() -> running.stderr().startsWith("first\n"));
    }
  }

  /** For a test of its own where the server, too, can do it: the embedded one cannot. */
  default void inputMayStayUnread() {
    CommandResult result =
        host().run(Command.of("exec <&-; echo done", LONG).withInput("x".repeat(1 << 20)));

    assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
    assertThat(result.stdout()).isEqualTo("done\n");
  }

  /** Runs a line of shell to its end. */
  default CommandResult run(String line) {
    return host().run(Command.of(line, LONG));
  }
}
