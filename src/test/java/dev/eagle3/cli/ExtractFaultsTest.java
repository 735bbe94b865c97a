package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code extract} against a real OpenSSH server, with the client, the connection, the server, the
 * job or its wrapper killed right before or right after one operation on the host. {@link
 * FaultTrial} says what must hold then, {@link FaultPlan} what is tried where: few of them, or with
 * {@code -Deagle3.faults=all} the whole. A table of what became of each is in {@code
 * target/faults.txt}.
 */
@Tag("slow")
class ExtractFaultsTest {
  private static final String WANTED = System.getProperty("eagle3.faults", "few");
  private static final int LANES = 4;
  private static final Path TABLE =
      Path.of(System.getProperty("eagle3.faults.table", "target/faults.txt"));

  @TempDir Path folder;

  private final Map<FaultCase, String> told = new ConcurrentHashMap<>();
  private final Set<Fault> struck = EnumSet.noneOf(Fault.class);
  private FaultLanes lanes;

  @BeforeEach
  void open() throws Exception {
    Files.deleteIfExists(TABLE);
    lanes = FaultLanes.open(folder, LANES);
  }

  @AfterEach
  void close() {
    lanes.close();
  }

  @TestFactory
  @Hostile("client, connection, server, job or wrapper are killed around any step of extract")
  Stream<DynamicTest> whateverIsKilledNothingIsLostAndASecondExtractWorks() throws Exception {
    FaultPlan plan = FaultLanes.await(lanes.begin(FaultPlan::record));
    List<FaultCase> cases = WANTED.equals("few") ? plan.few() : chosen(plan.whole());
    Map<FaultCase, Future<String>> trials = new LinkedHashMap<>();
    for (int number = 0; number < cases.size(); number++) {
      FaultCase wanted = cases.get(number);
      boolean odd = number % 2 == 1;
      trials.put(wanted, lanes.begin(bench -> tried(bench, wanted, odd)));
    }
    Stream<DynamicTest> tests =
        trials.entrySet().stream()
            .map(
                trial ->
                    DynamicTest.dynamicTest(
                        trial.getKey().toString(), () -> await(trial.getKey(), trial.getValue())));
    return Stream.concat(
        tests, Stream.of(DynamicTest.dynamicTest("each fault was met", this::sum)));
  }

  /** With words after {@code all:} only the cases that contain one of them. */
  private static List<FaultCase> chosen(List<FaultCase> whole) {
    if (!WANTED.startsWith("all:")) {
      return whole;
    }
    List<String> words = List.of(WANTED.substring("all:".length()).replace('_', ' ').split(","));
    return whole.stream()
        .filter(one -> words.stream().anyMatch(word -> one.toString().contains(word)))
        .toList();
  }

  private String tried(FaultBench bench, FaultCase wanted, boolean odd) throws Exception {
    try {
      String outcome = new FaultTrial(bench, wanted, odd).run();
      tell(wanted, outcome);
      return outcome;
    } catch (AssertionError | Exception failed) {
      tell(wanted, "FAILED: " + failed.getMessage());
      throw failed;
    }
  }

  /** As they end, since all of them take an hour. */
  private synchronized void tell(FaultCase wanted, String outcome) throws IOException {
    told.put(wanted, outcome);
    String line =
        String.join(
            "\t",
            wanted.operation().toString(),
            wanted.side().toString(),
            wanted.fault().toString(),
            outcome.lines().findFirst().orElse(""));
    Files.writeString(TABLE, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void await(FaultCase wanted, Future<String> trial) throws Exception {
    try {
      String outcome = FaultLanes.await(trial);
      if (!outcome.startsWith(FaultTrial.NEVER_CAME)) {
        struck.add(wanted.fault());
      }
    } finally {
      System.out.println(wanted + ": " + told.get(wanted));
    }
  }

  private void sum() {
    if (!WANTED.startsWith("all:")) {
      assertThat(struck).containsExactlyInAnyOrder(Fault.values());
    }
  }
}
