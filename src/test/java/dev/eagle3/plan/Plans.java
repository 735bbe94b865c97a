package dev.eagle3.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans for tests. */
public final class Plans {
  private Plans() {}

  /** The command of the built-in profile, as a plan. */
  public static ExtractionPlan example() {
    return example(
        "/root/eagle3-train/data_test/hidden_states", "/root/eagle3-train/extract_debug.log");
  }

  /** {@link #example()} with another output folder and log file. */
  public static ExtractionPlan example(String outputDir, String logFile) {
    return new ExtractionPlan(
        new RunId("20261129-171500-0a1b"),
        "root@10.1.230.174",
        "speculators-0.4",
        "/root/ml-env/bin/python3",
        "/root/eagle3-train/02_extract_hidden_states.py",
        List.of(
            "--model-path",
            "/shared/kimi-k2.5-int4",
            "--prepared-data",
            "/root/eagle3-train/data_test/prepared/tokenized_data.jsonl",
            "--output-dir",
            outputDir,
            "--batch-size",
            "2",
            "--max-seq-len",
            "2048",
            "--tp-size",
            "8",
            "--gpu-memory-utilization",
            "0.80",
            "--layer-ids",
            "2",
            "30",
            "58",
            "60"),
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Optional.of("/usr/local/cuda-12.8"),
        "/shared/kimi-k2.5-int4",
        "/root/eagle3-train/data_test/prepared/tokenized_data.jsonl",
        outputDir,
        logFile,
        List.of(2, 30, 58, 60),
        8,
        2,
        2048,
        List.of(),
        ClearGpus.SAFE,
        PreviousOutput.SET_ASIDE,
        Optional.empty(),
        Optional.of("speculators-list"));
  }
}
