package dev.eagle3.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What launch.sh writes down is what clear-gpus.sh knows a live run by. */
@Tag("slow")
class RunOnGpusTest {
  private static final int CLASS = 7;
  private static final int RUN = 8;

  @TempDir Path folder;

  @Test
  void aRunThatHoldsAGpuLivesForAsLongAsItsWrapper() throws IOException {
    Path device = Files.createDirectories(folder.toRealPath().resolve("dev")).resolve("nvidia0");
    Files.write(device, new byte[4096]);
    Path holder = folder.toRealPath().resolve("holder.py");
    try (var in = RunOnGpusTest.class.getResourceAsStream("/gpu/holder.py")) {
      Files.writeString(holder, new String(in.readAllBytes(), UTF_8));
    }
    // The machine's own GPUs are none of this test's business.
    Path smi = Files.createDirectory(folder.resolve("bin")).resolve("nvidia-smi");
    Files.writeString(smi, "#!/bin/sh\nexit 9\n");
    Files.setPosixFilePermissions(smi, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> variables =
        Map.of(
            "EAGLE3_DEVICES",
            String.valueOf(device.getParent()),
            "PATH",
            smi.getParent() + ":" + System.getenv("PATH"));
    try (RunBench bench = new RunBench(folder, variables)) {
      ExtractionPlan plan =
          bench.plan(
              "exec "
                  + Tools.find("python3")
                  + " "
                  + holder
                  + " --map "
                  + device
                  + " --run sleep 600\n");
      Launched launched = bench.launch(plan);
      Await.until(() -> !look(bench, "safe").rows("holder").isEmpty());

      ScriptAnswer live = look(bench, "all", "found");
      assertThat(live.code()).isEqualTo(Exit.REFUSED.code());
      assertThat(live.rows("holder"))
          .singleElement()
          .satisfies(row -> assertThat(row.get(CLASS)).isEqualTo("live-run"))
          .satisfies(row -> assertThat(row.get(RUN)).isEqualTo(plan.run().text()));

      RunBench.signal("KILL", launched.pid());
      Await.until(() -> bench.state(plan) instanceof RunState.Orphaned);

      ScriptAnswer over = look(bench, "all", "found");
      List<List<String>> holders = over.rows("holder");
      assertThat(holders)
          .singleElement()
          .satisfies(row -> assertThat(row.get(CLASS)).isEqualTo("over-run"))
          .satisfies(row -> assertThat(row.get(RUN)).isEqualTo(plan.run().text()));
      assertThat(over.code()).isZero();
      assertThat(over.rows("ended")).containsExactly(List.of(holders.get(0).get(0), "TERM"));
    }
  }

  private static ScriptAnswer look(RunBench bench, String mode, String... whom) {
    List<String> arguments = new ArrayList<>(List.of(mode, "0", "1", ""));
    arguments.addAll(List.of(whom));
    ScriptCall call = ScriptCall.of("clear-gpus", arguments.toArray(String[]::new));
    return bench.scripts().run(call.after("look-gpus").after("run-end"));
  }
}
