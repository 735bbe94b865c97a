package dev.eagle3.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.run.RunBench;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActivityTest {
  @TempDir Path folder;

  @Test
  void whatProcessesDidIsTheDifferenceOfTwoLooks() {
    Activity activity =
        Activity.between(
            answer(
                "ticks\t100",
                "process\t7\tS\t1000\t5000\tfutex_wait_queue\tVLLM::Worker_TP0",
                "process\t8\tS\t10\t-\t-\tpython3",
                "process\t9\tS\t10\t10\t-\tgone by then"),
            answer(
                "ticks\t100",
                "process\t7\tR\t1250\t5000\t-\tVLLM::Worker_TP0",
                "process\t8\tD\t10\t-\tfolio_wait_bit_common\tpython3",
                "process\t10\tR\t10000\t0\t-\tnew"),
            5);

    assertThat(activity.says())
        .containsExactly(
            "pid 7 VLLM::Worker_TP0 runs, 2.5 s of processor time, 0 bytes read",
            "pid 8 python3 waits in the kernel for a disk or a driver in folio_wait_bit_common,"
                + " 0.0 s of processor time");
    assertThat(activity.isWork()).isTrue();
  }

  @Test
  void readingIsWorkAndAFewTicksAreNot() {
    assertThat(between("process\t7\tS\t0\t0\t-\tp", "process\t7\tS\t9\t1000\t-\tp").isWork())
        .isFalse();
    assertThat(between("process\t7\tS\t0\t0\t-\tp", "process\t7\tD\t0\t9999999\t-\tp").isWork())
        .isTrue();
    assertThat(Activity.UNKNOWN.isWork()).isFalse();
  }

  @Test
  @Hostile("answers about processes that make no sense")
  void nonsenseIsLeftOut() {
    Activity activity =
        between("process\tx\tS\t0\t0\t-\tp", "process\t-1\t\t99999999999999999999\t0\t-\tp");

    assertThat(activity.says()).isEmpty();
    assertThat(between("process\t7\t\t0\t0\t-\tp", "process\t7\t\t0\t0\t-\tp").says()).hasSize(1);
  }

  @Test
  @Tag("slow")
  void theProcessesOfARunThatLivesAreSeen() throws IOException {
    try (RunBench bench = new RunBench(folder)) {
      ExtractionPlan plan = bench.plan("echo up\nsleep 300 &\nwhile :; do :; done\n");
      bench.launch(plan);
      RunBench.awaitText(bench.folder(plan).resolve("log"));
      ScriptCall call =
          ScriptCall.of("look-activity", "", plan.run().text())
              .after("run-processes")
              .after("run-end");
      HostScripts scripts = bench.scripts();
      ScriptAnswer before = scripts.run(call);

      Await.until(
          () -> {
            Activity activity = Activity.between(before, scripts.run(call), 0.1);
            return activity.isWork() && activity.says().size() >= 2;
          });
      assertThat(before.lines()).last().isEqualTo("looked");
    }
  }

  private static Activity between(String before, String after) {
    return Activity.between(answer("ticks\t100", before), answer("ticks\t100", after), 5);
  }

  private static ScriptAnswer answer(String... lines) {
    return new ScriptAnswer(0, List.of(lines), "");
  }
}
