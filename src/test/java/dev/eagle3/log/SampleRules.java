package dev.eagle3.log;

import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.extractor.LogMilestone;
import dev.eagle3.extractor.LogRules;
import java.util.List;

/** Rules as an extractor has them, for the lines of speculators 0.4 on vLLM. */
final class SampleRules {
  static final LogRules RULES =
      new LogRules(
          List.of(
              milestone("initializing", "Initializing hidden states generator for"),
              milestone("executor", "Initializing executor\\.\\.\\."),
              milestone("model-loaded", "Model loading took ([\\d.]+) GiB(?: memory)? and"),
              milestone("capture-ready", "Hidden states capture setup complete for layers"),
              milestone("processing", "Processing (\\d+)(?:/(\\d+))? samples"),
              milestone("saved", "Saved (\\d+) new data points to (.*)$"),
              milestone("complete", "Data generation complete!")),
          List.of(
              failure(
                  "gpu.out-of-memory",
                  "OutOfMemoryError: CUDA out of memory\\. Tried to allocate ([\\d.]+) (MiB|GiB)\\."
                      + " GPU (\\d+) has a total capacity of ([\\d.]+) GiB of which ([\\d.]+ \\w+) is"
                      + " free",
                  "GPU $3 had $5 free, and $1 $2 were asked for"),
              failure(
                  "data.reply-unwrapped",
                  "Boolean value of Tensor with more than one value is ambiguous",
                  "a tensor was taken for a list"),
              failure("run.worker-died", "Worker proc (\\S+) died unexpectedly", "$1 died"),
              failure(
                  "run.engine",
                  "Engine core initialization failed\\. See root cause above\\.",
                  "the engine did not start"),
              failure(
                  "run.worker-failed",
                  "Worker failed with error '(.*)', please check the",
                  "a worker failed: $1 ($9, $x, $)")));

  private SampleRules() {}

  private static LogMilestone milestone(String name, String pattern) {
    return new LogMilestone(name, Pattern.compile(pattern), "");
  }

  private static LogFailure failure(String code, String pattern, String says) {
    return new LogFailure(code, Pattern.compile(pattern), "", says, "try with $1");
  }
}
