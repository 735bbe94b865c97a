package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.Launched;
import dev.eagle3.run.RunBench;
import dev.eagle3.run.RunState;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stop}, {@code status} and {@code runs} as users see them, on this machine. */
@Tag("slow")
class StopCommandTest {
  @TempDir Path folder;
  private RunBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new RunBench(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void aRunIsStoppedOnceItWasAgreedTo() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));

    CommandLineRun unasked = run("stop");
    assertThat(unasked.code()).isEqualTo(11);
    assertThat(unasked.err()).contains("end run " + plan.run() + " on local").contains("--yes");
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);

    CommandLineRun stopped = run("stop", "--yes");
    assertThat(stopped.code()).as(stopped.err()).isZero();
    assertThat(stopped.err()).contains("KILL follows after 30s").contains("ended after TERM");
    assertThat(stopped.out()).contains(plan.run() + ": killed with code 143");

    CommandLineRun again = run("stop", plan.run().text());
    assertThat(again.code()).isZero();
    assertThat(again.err()).contains("there is nothing to stop");
    CommandLineRun status = run("status");
    assertThat(status.code()).isEqualTo(13);
    assertThat(status.out()).contains("killed by signal TERM");
  }

  @Test
  void jsonSaysWhatBecameOfIt() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));

    CommandLineRun stopped = run("stop", "--yes", "--json", "--kill-after", "1m");

    List<String> lines = stopped.out().lines().toList();
    assertThat(lines).allSatisfy(line -> assertThat(line).startsWith("{\"v\":1"));
    assertThat(lines.get(lines.size() - 2))
        .contains("\"type\":\"state\"", "\"state\":\"killed\"", "\"code\":143", "\"pids\":[]");
    assertThat(lines.get(lines.size() - 1)).contains("\"exit\":0");
  }

  @Test
  void runsAndStatusSayWhereARunWritesAndHowItGoes() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    RunBench.awaitText(bench.folder(plan).resolve("log"));

    CommandLineRun runs = run("runs");
    assertThat(runs.code()).as(runs.err()).isZero();
    assertThat(runs.out().lines()).hasSize(1);
    assertThat(runs.out())
        .contains(plan.run().text())
        .contains("it is running")
        .contains("local:" + bench.home() + "/hidden states");

    CommandLineRun status = run("status");
    assertThat(status.code()).as(status.err()).isZero();
    assertThat(status.out()).contains("log 3 B written").contains("running");
    assertThat(status.err()).contains("eagle3 tail-log " + plan.run() + " --host local");
  }

  @Test
  @Hostile("an orphaned run, as status and stop see it")
  void whatIsLeftOfARunIsNamedWithTheCommandThatEndsIt() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    Launched launched = bench.launch(plan);
    String job = RunBench.awaitText(bench.folder(plan).resolve("log")).strip();
    RunBench.signal("KILL", launched.pid());
    bench.ended(plan);

    CommandLineRun status = run("status");
    assertThat(status.code()).isEqualTo(13);
    assertThat(status.out()).contains("orphaned").contains(job);
    assertThat(status.err()).contains("eagle3 stop " + plan.run() + " --host local");
    CommandLineRun tail = run("tail-log");
    assertThat(tail.err()).contains("eagle3 stop " + plan.run() + " --host local");

    assertThat(run("stop", "--yes").code()).isZero();
    assertThat(run("status").err()).doesNotContain("eagle3 stop");
  }

  @Test
  @Hostile("a job stopped by SIGSTOP, as status sees it")
  void aStoppedJobIsToldWithHowItGoesOn() throws IOException {
    ExtractionPlan plan = bench.plan("echo $$; exec sleep 600\n");
    bench.launch(plan);
    long job = Long.parseLong(RunBench.awaitText(bench.folder(plan).resolve("log")).strip());
    RunBench.signal("STOP", job);
    dev.eagle3.host.Await.until(() -> bench.state(plan).says().contains("SIGSTOP"));

    CommandLineRun status = run("status");

    assertThat(status.code()).isZero();
    assertThat(status.out()).contains("running, but stopped (SIGSTOP): process " + job);
    assertThat(status.err()).contains("kill -CONT " + job);
  }

  @Test
  @Hostile("a run of another node, as stop sees it")
  void aRunOfAnotherNodeIsRefused() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
    bench.launch(plan);
    Path pid = bench.folder(plan).resolve("pid");
    String record = Files.readString(pid);
    Files.writeString(pid, record.replaceFirst("(\t[^\t]*\t[^\t]*\t)[^\t]*", "$1node\u001b17"));
    assertThat(run("status").out()).contains("makes no sense").doesNotContain("\u001b");
    Files.writeString(pid, record.replaceFirst("(\t[^\t]*\t[^\t]*\t)[^\t]*", "$1node17"));

    CommandLineRun stopped = run("stop", "--yes");

    assertThat(stopped.code()).isEqualTo(11);
    assertThat(stopped.err()).contains("runs on node17");
    Files.writeString(pid, record);
    assertThat(bench.state(plan)).isInstanceOf(RunState.Running.class);
  }

  @Test
  @Hostile("a plan that is cut, as tail-log, verify-shapes and undo see it")
  void aPlanThatIsCutIsRefusedAndNoLostConnection() throws IOException {
    ExtractionPlan plan = bench.plan("echo up; exit 3\n");
    bench.launch(plan);
    bench.ended(plan);
    Files.writeString(bench.folder(plan).resolve("plan.json"), "{");

    CommandLineRun tail = run("tail-log");
    assertThat(tail.code()).isEqualTo(13);
    assertThat(tail.out()).startsWith("up\n").contains("the job exited with 3");
    assertThat(run("verify-shapes", "latest").code()).isEqualTo(11);
    CommandLineRun undo = run("undo");
    assertThat(undo.code()).isEqualTo(11);
    assertThat(undo.err()).contains("plan.json tells nothing");
  }

  @Test
  @Hostile("a state folder that holds nothing but trouble, as runs and status see it")
  void troubleInTheStateFolderIsToldWithoutAStackTrace() throws IOException {
    Path runs = Files.createDirectories(bench.home().resolve(".eagle3/runs"));
    Path run = Files.createDirectory(runs.resolve("20260101-000000-0000"));
    Files.createDirectory(run.resolve("pid"));
    Files.createDirectory(run.resolve("exit.pending"));
    Files.createDirectory(run.resolve("log"));
    Files.createDirectory(run.resolve("lock"));
    Files.createDirectory(run.resolve("plan.json"));
    Files.createDirectory(runs.resolve("20260101-000000-0001\n"));

    for (List<String> words : List.of(List.of("runs"), List.of("status"), List.of("stop", "-y"))) {
      CommandLineRun said = run(words.toArray(String[]::new));

      assertThat(said.code()).as(said.err()).isIn(0, 13);
      assertThat(said.err()).doesNotContain("internal error").doesNotContain("\tat ");
    }
    assertThat(run("runs").out()).contains("20260101-000000-0000: lost").contains("is no file");
  }

  @Test
  void aTimeThatIsNoneIsAUsageError() {
    assertThat(run("stop", "--kill-after", "soon").code()).isEqualTo(2);
    assertThat(run("stop", "--kill-after", "2h").code()).isEqualTo(2);
    assertThat(run("stop", "nonsense").code()).isEqualTo(2);
    assertThat(run("stop", "20260101-000000-0000").code()).isEqualTo(11);
  }

  private CommandLineRun run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--host");
    all.add("local");
    Map<String, String> environment =
        Map.of("PATH", System.getenv("PATH"), "HOME", bench.home().toString());
    return CommandLineRun.at(bench.home(), environment, all.toArray(String[]::new));
  }
}
