package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.log.LogReader;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wrapper of a job counts what the kernel ends in its control group. */
@Tag("slow")
class MemoryKillTest {
  /** In place of the control groups of this machine, with counts that a job can raise. */
  private static final String GROUPS =
      """
      mount -t tmpfs none /sys/fs/cgroup
      mkdir /sys/fs/cgroup/memory
      for file in memory.events memory/memory.oom_control; do
        printf 'low 0\\noom_kill 2\\noom_group_kill 0\\n' >/sys/fs/cgroup/$file
      done
      echo "$1" >/sys/fs/cgroup/memory.max
      echo "$1" >/sys/fs/cgroup/memory/memory.limit_in_bytes
      """;

  private static final String RAISE =
      """
      for file in memory.events memory/memory.oom_control; do
        printf 'low 0\\noom_kill %s\\n' >/sys/fs/cgroup/$file
      done
      exit %s
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "68719476736, 3, 1 process, ', the limit is 65536 MiB'",
    "max, 5, 3 processes, ''",
    "9223372036854771712, 3, 1 process, ''",
  })
  @Hostile("the kernel ends processes of the job for lack of memory")
  void whatTheKernelEndedStandsInTheLog(String limit, int kills, String many, String more)
      throws IOException {
    String log = logOf(limit, RAISE.formatted(kills, 137));

    assertThat(log)
        .isEqualTo(
            "eagle3: the kernel ended "
                + many
                + " in the job's control group for lack of memory"
                + more
                + "\n");
    LogReader reader = new LogReader(LogRules.NONE, 0, event -> {});
    reader.accept(log.getBytes(StandardCharsets.UTF_8), log.length());
    assertThat(reader.firstFailure())
        .hasValueSatisfying(line -> assertThat(line.code()).isEqualTo("host.out-of-memory"));
  }

  @Test
  void whatWasEndedBeforeOrInAJobThatEndedWellIsNotTold() throws IOException {
    assertThat(logOf("max", "exit 137\n")).isEmpty();
    assertThat(logOf("max", RAISE.formatted(3, 0))).isEmpty();
  }

  @Test
  void countsThatMakeNoSenseAreNotTold() throws IOException {
    assertThat(logOf("x y", RAISE.formatted("many", 1))).isEmpty();
    assertThat(logOf("max", "rm -r /sys/fs/cgroup/*\nexit 1\n")).isEmpty();
  }

  private String logOf(String limit, String job) throws IOException {
    Path home = Files.createTempDirectory(folder, "home").toRealPath();
    try (Room room = Room.open(home, false, GROUPS, limit);
        RunBench bench = new RunBench(home, room.host(environment(home)))) {
      ExtractionPlan plan = bench.plan(job);
      bench.launch(plan);
      bench.ended(plan);
      return Files.readString(bench.folder(plan).resolve("log"));
    }
  }

  private static Map<String, String> environment(Path home) {
    return Map.of("PATH", System.getenv("PATH"), "HOME", home.toString());
  }
}
