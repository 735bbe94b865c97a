package dev.eagle3.watch;

import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.PreviousOutput;
import dev.eagle3.plan.RunId;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans for tests of a watch: what is said of samples, and nothing of a launch. */
final class WatchPlans {
  private WatchPlans() {}

  /** A plan that saves in a folder, so many samples a batch. */
  static ExtractionPlan of(Path output, int batchSize) {
    return new ExtractionPlan(
        new RunId("20261129-171500-0a1b"),
        "gpu7",
        "speculators-0.4",
        "/usr/bin/python3",
        "/root/extract.py",
        List.of(),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.empty(),
        "/models/m",
        "/data/prepared.jsonl",
        output.toString(),
        "/root/extract.log",
        List.of(2, 30, 58, 60),
        8,
        batchSize,
        2048,
        List.of(),
        ClearGpus.NONE,
        PreviousOutput.SET_ASIDE,
        Optional.empty());
  }
}
