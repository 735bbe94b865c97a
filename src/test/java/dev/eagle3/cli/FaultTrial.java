package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.ssh.OpenSshServer;
import dev.eagle3.testing.Operations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One {@code extract} with one fault, and all that must hold after it: no process that should not
 * be, nothing lost, the state told as it is, and a way to go on that works as it is printed.
 */
final class FaultTrial {
  static final String NEVER_CAME = "never came";

  private static final String SECONDS = "EAGLE3_STAND_IN_BATCH_SECONDS=";

  /** How long the second batch takes where the run is to be killed: longer than it lives. */
  private static final int LONG_BATCH = 30;

  /** And where it goes on without its client: so long that somebody finds it alive. */
  private static final int SHORT_BATCH = 3;

  private static final Pattern STATE = Pattern.compile("\"state\":\"([a-z]+)\"");
  private static final Pattern PIDS = Pattern.compile("\"pids\":\\[([0-9,]*)\\]");
  private static final int MOST_ROUNDS = 4;

  private final FaultBench bench;
  private final FaultCase wanted;
  private final boolean odd;

  /**
   * A trial.
   *
   * @param odd which of two ways to go on is taken, where there are two
   */
  FaultTrial(FaultBench bench, FaultCase wanted, boolean odd) {
    this.bench = bench;
    this.wanted = wanted;
    this.odd = odd;
  }

  /** An extraction to which nothing is done, that asks all of the host that any trial does. */
  static CommandLineRun undisturbed(FaultBench bench, Operations operations) throws Exception {
    Process holder = hold(bench);
    try {
      List<String> words = extract(bench);
      words.addAll(List.of("--clear-gpus", "all", "--yes", "--pull", bench.home().toString()));
      return bench.over(operations::count, words.toArray(String[]::new));
    } finally {
      holder.destroyForcibly();
    }
  }

  /** Somebody who holds a GPU. */
  private static Process hold(FaultBench bench) throws IOException {
    Path device = bench.host().files().devices().resolve("nvidia0");
    return new ProcessBuilder("sleep", "600").redirectInput(device.toFile()).start();
  }

  private static List<String> extract(FaultBench bench) {
    return new ArrayList<>(List.of("extract", "--profile", bench.host().profile().toString()));
  }

  /** Runs it; says what became of it in a few words. */
  String run() throws Exception {
    bench.reset();
    if (!isNearClearing()) {
      return tried(List.of());
    }
    Process holder = hold(bench);
    try {
      String outcome = tried(List.of("--clear-gpus", "all", "--yes"));
      // Asked for once, and done by whichever of the two came to it.
      assertThat(holder.isAlive()).as(wanted.toString()).isFalse();
      return outcome;
    } finally {
      holder.destroyForcibly();
    }
  }

  /** Clearing takes seconds where somebody holds a GPU: it is done where it matters. */
  private boolean isNearClearing() {
    String name = wanted.operation().name();
    return name.equals("clear-gpus") || (name.equals("set-aside") && wanted.operation().nth() == 2);
  }

  private String tried(List<String> clearing) throws Exception {
    List<String> words = extract(bench);
    words.addAll(clearing);
    if (wanted.fault().isOfRun()) {
      words.addAll(List.of("--env", SECONDS + LONG_BATCH));
    } else {
      words.addAll(List.of("--pull", bench.home().toString()));
      if (wanted.fault() == Fault.CLIENT && wanted.phase() != FaultCase.Phase.OVER) {
        words.addAll(List.of("--env", SECONDS + SHORT_BATCH));
      }
    }
    String[] all = words.toArray(String[]::new);
    CommandLineRun first;
    boolean struck;
    if (wanted.fault() == Fault.CLIENT) {
      first = bench.killed(wanted, all);
      struck = first.code() == FaultedClient.KILLED;
    } else {
      FaultStriker striker = new FaultStriker(bench, wanted);
      first = bench.over(new Operations(striker)::count, all);
      striker.settle();
      struck = striker.struck();
    }
    String said = "\n" + wanted + (struck ? "" : ", " + NEVER_CAME) + "\n" + first.err();
    assertThat(first.code()).as(said).isEqualTo(struck ? expectedCode() : 0);
    return (struck ? "" : NEVER_CAME + ": ")
        + first.code()
        + "; "
        + aftermath(first, clearing, said);
  }

  private int expectedCode() {
    return switch (wanted.fault()) {
      case CLIENT -> FaultedClient.KILLED;
      case CONNECTION, SERVER -> 0;
      case JOB, WRAPPER, RUN -> 13;
    };
  }

  private String aftermath(CommandLineRun first, List<String> clearing, String said)
      throws Exception {
    List<String> ids = bench.ids();
    assertThat(ids).as(said).hasSizeLessThan(2);
    nothingIsLeftBehind(said);
    theOldIsThere(said);
    String state = "no run";
    if (!ids.isEmpty()) {
      state = stateIsTold(ids.get(0), said);
      if (first.code() == 0) {
        assertThat(state).as(said).isEqualTo("finished");
        assertThat(bench.outputs().keySet())
            .as(said)
            .filteredOn(path -> path.matches("hidden_states/data_[0-3].pt"))
            .hasSize(FaultBench.SAMPLES);
      }
      filesComeHome(ids.get(0), first, state, said);
    }
    String ways = goOn(ids, clearing, said);
    undoAll(ids, said);
    nothingRuns(said);
    return state + "; " + ways;
  }

  /** What was brought home is whole; what was not is brought by another command. */
  private void filesComeHome(String id, CommandLineRun first, String state, String said)
      throws IOException {
    if (!state.equals("finished") || wanted.fault().isOfRun()) {
      return;
    }
    if (first.code() != 0) {
      CommandLineRun pull = bench.run("pull", id, "--to", bench.home().toString());
      assertThat(pull.code()).as(said + pull.err()).isZero();
    }
    Set<String> home = new TreeSet<>();
    for (Path file : RunTruth.entries(bench.home())) {
      home.add(FaultBench.digest(Files.readAllBytes(file)));
    }
    assertThat(home).as(said).isEqualTo(FaultBench.contents(bench.outputs(), "hidden_states/"));
  }

  /** Of the client that is gone, nothing runs on the host any more. */
  private void nothingIsLeftBehind(String said) {
    OpenSshServer server = bench.host().server();
    try {
      Await.until(() -> server.connections() == 0);
      Await.until(bench::isQuiet);
    } catch (AssertionError inVain) {
      String left = server.connections() + " connections, scripts " + bench.scripts();
      throw new AssertionError(left + said, inVain);
    }
  }

  private void theOldIsThere(String said) throws IOException {
    assertThat(bench.outputs().values())
        .as(said)
        .contains(FaultBench.digest(FaultBench.OLD_OUTPUT));
    List<String> logs = new ArrayList<>();
    for (Path entry : RunTruth.entries(bench.host().files().root())) {
      if (entry.getFileName().toString().startsWith("extract_debug.log")
          && Files.isRegularFile(entry)) {
        logs.add(Files.readString(entry));
      }
    }
    assertThat(logs).as(said).contains(FaultBench.OLD_LOG);
    everyFolderIsKnown(said);
  }

  /** What stands beside the output folder is known by a note. */
  private void everyFolderIsKnown(String said) throws IOException {
    StringBuilder notes = new StringBuilder();
    for (Path entry : RunTruth.entries(bench.runs())) {
      if (entry.getFileName().toString().endsWith(".aside")) {
        notes.append(Files.readString(entry));
      }
    }
    for (Path entry : RunTruth.entries(bench.host().files().root())) {
      String name = entry.getFileName().toString();
      if (name.startsWith("hidden_states.") && !name.endsWith(".eagle3-lock")) {
        assertThat(notes.toString()).as(said).contains("\t" + entry + "\t");
      }
    }
  }

  /** What status says is so; returns the word. */
  private String stateIsTold(String id, String said) throws IOException {
    for (int round = 0; round < 200; round++) {
      RunTruth before = RunTruth.of(bench.runs(), id);
      CommandLineRun status = bench.run("status", id, "--json");
      if (!before.equals(RunTruth.of(bench.runs(), id))) {
        continue;
      }
      String told = said + "\n" + before + "\n" + status.out() + status.err();
      if (!before.exists()) {
        assertThat(status.code()).as(told).isEqualTo(11);
        return "none";
      }
      Matcher state = STATE.matcher(status.out());
      assertThat(state.find()).as(told).isTrue();
      assertThat(state.group(1)).as(told).isEqualTo(before.word());
      Matcher pids = PIDS.matcher(status.out());
      assertThat(pids.find()).as(told).isTrue();
      Stream<String> expected =
          before.wrapper() != 0
              ? Stream.of(String.valueOf(before.wrapper()))
              : before.processes().stream().map(String::valueOf);
      assertThat(Arrays.stream(pids.group(1).split(",")).filter(pid -> !pid.isEmpty()))
          .as(told)
          .containsExactlyInAnyOrderElementsOf(expected.toList());
      return before.word();
    }
    throw new AssertionError("the state changes all the time" + said);
  }

  /** A second extract works, after what it says to try, if it says so. Returns what was done. */
  private String goOn(List<String> ids, List<String> clearing, String said) throws IOException {
    List<String> ways = new ArrayList<>();
    boolean replacing = false;
    for (int round = 0; round < MOST_ROUNDS; round++) {
      Set<String> kept = whole(ids);
      List<String> words = extract(bench);
      words.addAll(clearing);
      if (clearing.isEmpty() && !wanted.fault().isOfRun()) {
        // Nothing can have been left on the GPUs: looking at them again takes a while.
        words.addAll(List.of("--clear-gpus", "none"));
      }
      if (replacing) {
        words.addAll(List.of("--replace", "--yes"));
      }
      CommandLineRun second = bench.run(words.toArray(String[]::new));
      String told = said + "\n" + ways + "\n" + second.err();
      ways.add("extract " + second.code());
      if (second.code() == 0) {
        Map<String, String> outputs = bench.outputs();
        assertThat(FaultBench.contents(outputs, "")).as(told).containsAll(kept);
        theOldIsThere(told);
        return String.join(", ", ways);
      }
      assertThat(second.code()).as(told).isEqualTo(11);
      assertThat(ids).as(told).hasSize(1);
      RunTruth truth = RunTruth.of(bench.runs(), ids.get(0));
      String hint = hint(second, told);
      ways.add(hint);
      if (truth.wrapper() != 0 && !odd) {
        CommandLineRun tail = bench.run("tail-log", ids.get(0));
        assertThat(tail.code()).as(told + tail.err()).isZero();
        assertThat(tail.out()).as(told).containsOnlyOnce("Data generation complete!");
        ways.add("tail-log 0");
      } else if (hint.contains("--replace") && odd) {
        replacing = true;
      } else {
        CommandLineRun tried = bench.run(wordsOf(hint));
        assertThat(tried.code()).as(told + tried.err()).isZero();
      }
    }
    throw new AssertionError("no way leads on: " + ways + said);
  }

  /** What no later step may lose: all that stands there, unless somebody is writing to it. */
  private Set<String> whole(List<String> ids) throws IOException {
    boolean over = ids.isEmpty() || RunTruth.of(bench.runs(), ids.get(0)).isOver();
    return over ? FaultBench.contents(bench.outputs(), "") : Set.of();
  }

  private static String hint(CommandLineRun run, String told) {
    List<String> hints = run.err().lines().filter(line -> line.startsWith("try: eagle3 ")).toList();
    assertThat(hints).as(told).hasSize(1);
    return hints.get(0).substring("try: eagle3 ".length());
  }

  private static String[] wordsOf(String hint) {
    List<String> words = new ArrayList<>(List.of(hint.replaceFirst(" +#.*", "").split(" ")));
    if (words.get(0).equals("stop")) {
      words.add("--yes");
    }
    return words.toArray(String[]::new);
  }

  /** Undone one after another, the output folder is what it was at first, and nothing is lost. */
  private void undoAll(List<String> first, String said) throws IOException {
    Set<String> kept = FaultBench.contents(bench.outputs(), "");
    List<String> all = bench.ids();
    String last = all.get(all.size() - 1);
    CommandLineRun undone = bench.run("undo", last);
    assertThat(undone.code()).as(said + undone.err()).isZero();
    if (!oldIsBack()) {
      assertThat(first).as(said).hasSize(1);
      CommandLineRun again = bench.run("undo", first.get(0));
      assertThat(again.code()).as(said + again.err()).isZero();
    }
    assertThat(oldIsBack()).as(said + bench.outputs()).isTrue();
    assertThat(FaultBench.contents(bench.outputs(), "")).as(said).containsAll(kept);
    everyFolderIsKnown(said);
  }

  private boolean oldIsBack() throws IOException {
    return FaultBench.contents(bench.outputs(), "hidden_states/")
        .equals(Set.of(FaultBench.digest(FaultBench.OLD_OUTPUT)));
  }

  private void nothingRuns(String said) throws IOException {
    for (Path entry : RunTruth.entries(bench.host().files().root())) {
      assertThat(entry.toString()).as(said).doesNotEndWith(".eagle3-lock");
    }
    for (Path entry : RunTruth.entries(bench.runs())) {
      assertThat(entry.toString()).as(said).doesNotEndWith(".lock");
    }
    OpenSshServer server = bench.host().server();
    try {
      Await.until(() -> server.processes().isEmpty());
    } catch (AssertionError inVain) {
      List<String> left =
          server.processes().stream().map(process -> RunTruth.words(process.pid())).toList();
      throw new AssertionError(left + said, inVain);
    }
  }
}
