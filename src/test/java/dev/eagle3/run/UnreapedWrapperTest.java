package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container whose first process asks nobody how it ended, as many have. */
@Tag("slow")
class UnreapedWrapperTest {
  @TempDir Path folder;

  @Test
  @Hostile("the wrapper is killed where nobody asks how a process ended, and stays in the list")
  void whatWatchesOverAJobEndsWithAWrapperThatStaysInTheList() throws IOException {
    Path home = folder.toRealPath();
    Map<String, String> environment =
        Map.of("PATH", System.getenv("PATH"), "HOME", home.toString());
    try (Room room = Room.open(home, true, "", "");
        RunBench bench = new RunBench(home, room.host(environment))) {
      ExtractionPlan plan = bench.plan("echo up; exec sleep 600\n");
      bench.launch(plan);
      RunBench.awaitText(bench.folder(plan).resolve("log"));
      String pid = Files.readString(bench.folder(plan).resolve("pid")).split("\t", 2)[0];
      assertThat(words(room)).contains("eagle3-alive " + pid);

      // With its group, which the job is in.
      room.run("kill -KILL -" + pid);
      Await.until(() -> room.run("cat /proc/" + pid + "/stat").contains(") Z "));

      Await.until(() -> !words(room).contains(plan.run().text()));
      assertThat(bench.state(plan)).isInstanceOf(RunState.Lost.class);
    }
  }

  /** The words of all processes inside. */
  private static String words(Room room) throws IOException {
    return room.run("cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\000' ' '");
  }
}
