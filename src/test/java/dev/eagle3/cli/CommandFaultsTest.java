package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Operations;
import dev.eagle3.testing.Operations.Operation;
import dev.eagle3.testing.Operations.Side;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The other commands against a real OpenSSH server, with the connection cut right before or right
 * after one operation on the host: each does what it does without that, once. Few: of the steps of
 * each that change something, and the stream that it reads, the answer is lost. Whole, with {@code
 * -Deagle3.faults=all}: every operation, both sides, and the server killed too.
 */
@Tag("slow")
class CommandFaultsTest {
  private static final String WANTED = System.getProperty("eagle3.faults", "few");

  private static final int LANES = 3;

  @TempDir Path folder;
  private FaultLanes lanes;

  @BeforeEach
  void open() throws Exception {
    lanes = FaultLanes.open(folder, LANES);
  }

  @AfterEach
  void close() {
    lanes.close();
  }

  @TestFactory
  @Hostile("the connection is cut around any step of a command that changes something, or for good")
  Stream<DynamicTest> aCommandWhoseConnectionIsCutDoesWhatItDoesOnce() throws Exception {
    Map<FaultedCommand, List<FaultCase>> cases = new EnumMap<>(FaultedCommand.class);
    for (FaultedCommand command : FaultedCommand.values()) {
      cases.put(command, cases(command));
    }
    List<DynamicTest> tests = new ArrayList<>();
    cases.forEach(
        (command, all) ->
            all.forEach(
                wanted ->
                    tests.add(
                        test(command + ": " + wanted, bench -> attempt(bench, command, wanted)))));
    tests.add(test("a pull that is lost for good", CommandFaultsTest::losePull));
    return tests.stream();
  }

  private DynamicTest test(String name, FaultLanes.Trial<Boolean> attempt) {
    Future<Boolean> trial = lanes.begin(attempt);
    return DynamicTest.dynamicTest(
        name,
        () -> {
          boolean came = FaultLanes.await(trial);
          System.out.println(name + (came ? "" : ", never came"));
          assertThat(came || !WANTED.equals("few")).isTrue();
        });
  }

  /** Extract that loses its connection for good while it brings files home says how to go on. */
  private static boolean losePull(FaultBench bench) throws Exception {
    bench.reset();
    Operation first = new Operation("file open", 1);
    FaultStriker striker = new FaultStriker(bench, with(first, Side.BEFORE, Fault.SERVER));
    // Others are opened before: the prepared data, and what is left of the log.
    Operations.Meddler whilePulling =
        (operation, side) ->
            operation.name().equals(first.name())
                && isBeingPulledTo(bench.home())
                && striker.meddle(first, side);
    String profile = bench.host().profile().toString();
    String home = bench.home().toString();

    CommandLineRun lost =
        bench.over(
            new Operations(whilePulling)::count,
            "extract",
            "--profile",
            profile,
            "--pull",
            home,
            "--give-up-after",
            "0");
    striker.settle();

    String run = bench.ids().get(0);
    assertThat(lost.code()).as(lost.err()).isEqualTo(17);
    assertThat(lost.out()).as(lost.err()).contains("4 of 4 good");
    assertThat(lost.err())
        .contains("try: eagle3 pull " + run + " --host ")
        .contains(" --to " + home)
        .doesNotContain("the same command again");
    CommandLineRun pulled = bench.run("pull", run, "--to", home);
    assertThat(pulled.code()).as(pulled.err()).isZero();
    assertThat(bench.ids()).hasSize(1);
    return striker.struck();
  }

  private static boolean isBeingPulledTo(Path home) {
    try (Stream<Path> found = Files.walk(home)) {
      return found.anyMatch(path -> path.getFileName().toString().endsWith(".eagle3-lock"));
    } catch (IOException | UncheckedIOException vanished) {
      return false;
    }
  }

  private List<FaultCase> cases(FaultedCommand command) throws Exception {
    List<FaultCase> cases = new ArrayList<>();
    if (WANTED.equals("few")) {
      command.changing().forEach(one -> cases.add(with(one, Side.AFTER, Fault.CONNECTION)));
      return cases;
    }
    for (Operation operation : FaultLanes.await(lanes.begin(bench -> recorded(bench, command)))) {
      if (command.isExtraction() && operation.name().startsWith("file ")) {
        // Those are the same in every extraction, and tried in another test.
        continue;
      }
      for (Fault fault : List.of(Fault.CONNECTION, Fault.SERVER)) {
        for (Side side : Side.values()) {
          cases.add(with(operation, side, fault));
        }
      }
    }
    cases.removeIf(one -> !isChosen(command + ": " + one));
    return cases;
  }

  private static FaultCase with(Operation operation, Side side, Fault fault) {
    return new FaultCase(operation, FaultCase.Phase.OVER, side, fault);
  }

  private static boolean isChosen(String name) {
    return !WANTED.startsWith("all:")
        || Stream.of(WANTED.substring("all:".length()).replace('_', ' ').split(",", -1))
            .anyMatch(name::contains);
  }

  private static List<Operation> recorded(FaultBench bench, FaultedCommand command) {
    Operations operations = new Operations(Operations.Meddler.NOBODY);
    try {
      run(bench, command, operations);
    } catch (Exception failed) {
      throw new AssertionError(command + " fails undisturbed", failed);
    }
    return operations.seen();
  }

  /** Says whether the fault came. */
  private static boolean attempt(FaultBench bench, FaultedCommand command, FaultCase wanted)
      throws Exception {
    FaultStriker striker = new FaultStriker(bench, wanted);
    run(bench, command, new Operations(striker));
    striker.settle();
    return striker.struck();
  }

  private static void run(FaultBench bench, FaultedCommand command, Operations operations)
      throws Exception {
    bench.reset();
    FaultedCommand.Scene scene = command.prepare(bench);
    String[] words = command.words(bench, scene.run()).toArray(String[]::new);
    try {
      CommandLineRun done = bench.over(operations::count, words);
      assertThat(done.code()).as(done.err() + done.out()).isEqualTo(command.code());
      command.checkAnswer(bench, scene, done);
      command.check(bench, scene);
      Await.until(() -> bench.host().server().connections() == 0);
      Await.until(() -> bench.isQuiet());
      CommandLineRun again = bench.run(words);
      assertThat(again.code()).as(again.err() + again.out()).isEqualTo(command.codeAgain());
      command.check(bench, scene);
    } finally {
      scene.holders().forEach(Process::destroyForcibly);
    }
  }
}
