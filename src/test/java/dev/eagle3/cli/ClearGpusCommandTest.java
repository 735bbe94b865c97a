package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import dev.eagle3.testing.Tools;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code clear-gpus} as users type it, over a real sshd, against real processes. */
@Tag("slow")
class ClearGpusCommandTest {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path folder;
  private StandInHost host;
  private Process holder;
  private BufferedReader says;

  @BeforeEach
  void startAHostWithAHolder() throws Exception {
    host = StandInHost.start(folder, Map.of());
    hold();
  }

  @AfterEach
  void endThem() {
    holder.destroyForcibly();
    host.close();
  }

  @Test
  void withoutATerminalItShowsTheTableAndSaysHowToAgree() {
    CommandLineRun run = run("--gpus", "3");

    assertThat(run.code()).isEqualTo(11);
    assertThat(run.out()).contains("asked", String.valueOf(holder.pid()), "holder.py");
    assertThat(run.err()).contains("pid " + holder.pid()).contains("try: ").contains("--yes");
    assertThat(holder.isAlive()).isTrue();
  }

  @Test
  void yesEndsItAndASecondTimeNobodyHoldsAnything() throws Exception {
    CommandLineRun run = run("--gpus", "3", "--yes");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).contains("1 process ended", "memory of GPU 3 is free");
    assertThat(holder.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();

    CommandLineRun again = run("--gpus", "3");
    assertThat(again.code()).isZero();
    assertThat(again.out()).isEmpty();
    assertThat(again.err()).contains("GPU 3: nobody holds it");
  }

  @Test
  void otherGpusAreNobodysBusiness() {
    CommandLineRun run = run("--tp-size", "2");

    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.err()).contains("GPUs 0,1: nobody holds them");
    assertThat(holder.isAlive()).isTrue();
  }

  @Test
  void jsonHasTheHoldersAndTheEnd() {
    CommandLineRun run = run("--gpus", "3", "--json");

    assertThat(run.out().lines())
        .anyMatch(
            line ->
                line.contains("\"type\":\"holder\"")
                    && line.contains("\"pid\":" + holder.pid())
                    && line.contains("\"gpus\":[3]")
                    && line.contains("\"verdict\":\"asked\""))
        .last()
        .asString()
        .contains("\"type\":\"end\"", "\"exit\":11");
  }

  @Test
  void aPersonIsAskedByNameAndDecides() {
    CommandLineRun no = onTerminal("n\n");
    assertThat(no.code()).isEqualTo(11);
    assertThat(no.err())
        .contains("end pid " + holder.pid(), "[y/N]", "you did not agree; nothing was ended");
    assertThat(holder.isAlive()).isTrue();

    assertThat(onTerminal("y\n").code()).isZero();
    assertThat(holder.isAlive()).isFalse();
  }

  @Test
  void whatCannotBeDoneIsSaidWithoutAsking() {
    assertThat(run("--gpus", "7,8").err()).contains("has 8 GPUs, and no GPU 8");
    assertThat(run("--gpus", "7,8", "--yes").code()).isEqualTo(11);
    assertThat(run("--gpus", "MIG-3,GPU-4").err()).contains("MIG-3 is no GPU index");
    assertThat(run("--clear-gpus", "none").code()).isEqualTo(2);
    assertThat(run("--clear-gpus", "everything").code()).isEqualTo(2);
    assertThat(holder.isAlive()).isTrue();
  }

  @Test
  void aDryRunPrintsTheStepAndConnectsToNothing() {
    CommandLineRun run =
        CommandLineRun.of("clear-gpus", "--host", "nowhere.invalid", "--gpus", "3", "--dry-run");

    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("sh -s -- safe 3 1 '' found", "# Shows which processes hold");
  }

  @Test
  @Hostile("Ctrl-C at the question whether to end processes")
  void ctrlCAtTheQuestionEndsNothing() throws Exception {
    Process client = spawn("--gpus", "3");
    Await.until(() -> Files.readString(folder.resolve("client.err")).contains("[y/N]"));

    new ProcessBuilder("kill", "-INT", String.valueOf(client.pid())).start().waitFor();

    assertThat(client.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(client.exitValue()).isEqualTo(130);
    assertThat(holder.isAlive()).isTrue();
  }

  @Test
  @Hostile("the client is killed while it waits for a holder that ignores TERM")
  void aKilledClientLeavesNothingThatASecondOneCannotDo() throws Exception {
    holder.destroyForcibly();
    hold("--tell-term");
    Process client = spawn("--gpus", "3", "--yes");
    Await.until(() -> says.ready());
    assertThat(says.readLine()).isEqualTo("term");

    client.destroyForcibly().waitFor();

    CommandLineRun again = run("--gpus", "3", "--yes");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(holder.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  private void hold(String... more) throws IOException {
    Path program = folder.resolve("holder.py");
    try (var in = ClearGpusCommandTest.class.getResourceAsStream("/gpu/holder.py")) {
      Files.write(program, in.readAllBytes());
    }
    List<String> words = new ArrayList<>(List.of(Tools.find("python3").toString()));
    words.add(program.toString());
    words.add("--map");
    words.add(host.files().devices().resolve("nvidia3").toString());
    words.addAll(List.of(more));
    holder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    says = holder.inputReader(UTF_8);
    assertThat(says.readLine()).isEqualTo(String.valueOf(holder.pid()));
  }

  private CommandLineRun run(String... more) {
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("EAGLE3_HOST", host.server().target()), words(more));
  }

  private static String[] words(String... more) {
    List<String> words = new ArrayList<>(List.of("clear-gpus"));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  /** A run whose user sits at a terminal and types. */
  private CommandLineRun onTerminal(String types) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Surroundings surroundings =
        new Surroundings(
            new ByteArrayInputStream(types.getBytes(UTF_8)),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of("EAGLE3_HOST", host.server().target(), "NO_COLOR", "1"),
            host.server().clientHome(),
            new Surroundings.Terminal(true, true, true, 160),
            ask -> Optional.empty(),
            Clock.systemUTC(),
            () -> 0);
    int code = new Eagle3(surroundings).run(words("--gpus", "3"));
    return new CommandLineRun(code, out.toString(UTF_8), err.toString(UTF_8));
  }

  /** A client of its own process, at a terminal. */
  private Process spawn(String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Deagle3.terminal=012", "-cp", System.getProperty("java.class.path")));
    command.add("dev.eagle3.cli.Main");
    command.addAll(List.of(words(more)));
    command.addAll(List.of("--host", host.server().target()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("HOME", host.server().clientHome().toString());
    builder.redirectOutput(folder.resolve("client.out").toFile());
    builder.redirectError(folder.resolve("client.err").toFile());
    return builder.start();
  }
}
