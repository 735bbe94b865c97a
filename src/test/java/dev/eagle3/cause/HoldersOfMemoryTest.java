package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.BuiltInExtractors;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.log.LogReader;
import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Exit;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Plans;
import dev.eagle3.run.RunFolder;
import dev.eagle3.run.RunState;
import dev.eagle3.run.RunStatus;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInGpus;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that found too little memory is told who holds it, as the host says. */
@Tag("slow")
class HoldersOfMemoryTest {
  private static final String TOO_LITTLE =
      "ValueError: Free memory on device cuda:1 (61.50/139.81 GiB) on startup is less than desired"
          + " GPU memory utilization (0.8, 111.85 GiB). Decrease GPU memory utilization or reduce"
          + " GPU memory used by other processes.\n";

  @TempDir Path folder;

  @Test
  @Hostile("another process holds the memory of a GPU that a run wants")
  void whoHoldsTheMemoryIsNamed() throws Exception {
    ExtractionPlan plan = Plans.example();
    RunStatus failed =
        new RunStatus(
            new RunFolder("/root/.eagle3/runs/" + plan.run()),
            new RunState.Finished(1, List.of()),
            TOO_LITTLE.length(),
            "");
    List<Event> events = new ArrayList<>();
    try (StandInGpus machine =
            StandInGpus.start(Files.createDirectory(folder.resolve("gpu")), "dash");
        Host host = machine.host()) {
      long holder = machine.hold("--map", "/dev/nvidia1");

      Exit exit =
          new FailedRunExplainer(new HostScripts(host), events::add)
              .explain(failed, log(), Optional.of(plan));

      assertThat(exit).isEqualTo(Exit.RUN_FAILED);
      assertThat(causes(events))
          .singleElement()
          .satisfies(
              cause -> {
                assertThat(cause.code()).isEqualTo("gpu.memory-not-free");
                assertThat(cause.says()).contains("only 61.50 of 139.81 GiB", "wants 111.85 GiB");
                assertThat(cause.evidence())
                    .anyMatch(
                        line ->
                            line.startsWith("holds a GPU now: pid " + holder + " (root,")
                                && line.contains("GPU 1)"));
                assertThat(cause.fix()).contains("clear-gpus");
              });
    }
  }

  private static LogReader log() {
    LogReader log = new LogReader(BuiltInExtractors.named("speculators-0.4").log(), 0, event -> {});
    byte[] bytes = TOO_LITTLE.getBytes(StandardCharsets.UTF_8);
    log.accept(bytes, bytes.length);
    log.finish();
    return log;
  }

  private static List<Cause> causes(List<Event> events) {
    return events.stream()
        .filter(Event.Named.class::isInstance)
        .map(event -> ((Event.Named) event).cause())
        .toList();
  }
}
