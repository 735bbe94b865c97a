package dev.eagle3.log;

import com.google.re2j.Pattern;
import dev.eagle3.extractor.LogFailure;
import dev.eagle3.extractor.LogFollower;
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
                      + " GPU (\\d+) has a total capacity of ([\\d.]+) GiB of which ([\\d.]+ \\w+)"
                      + " is free",
                  "GPU $3 had $5 free, and $1 $2 were asked for"),
              failure(
                  "data.reply-unwrapped",
                  "Boolean value of Tensor with more than one value is ambiguous",
                  "a tensor was taken for a list"),
              failure(
                  "run.worker-died",
                  "Worker proc (\\S+) died unexpectedly",
                  "$1 died",
                  LogFailure.Kind.GONE),
              failure(
                  "host.out-of-memory",
                  "oom-kill: (.*)",
                  "the kernel ended $1",
                  LogFailure.Kind.KERNEL),
              failure(
                  "run.engine",
                  "Engine core initialization failed\\. See root cause above\\.",
                  "the engine did not start",
                  LogFailure.Kind.REPORT),
              failure(
                  "run.worker-failed",
                  "Worker failed with error '(.*)', please check the",
                  "a worker failed: $1 ($9, $x, $)",
                  LogFailure.Kind.REPORT)),
          List.of(failure("samples.skipped", "Skipping sample (\\d+)", "sample $1 is missing")),
          List.of(
              follower("resource_tracker"),
              follower("^Error in atexit"),
              follower("^SystemExit"),
              follower("Parent process exited")),
          List.of());

  private SampleRules() {}

  private static LogMilestone milestone(String name, String pattern) {
    return new LogMilestone(name, Pattern.compile(pattern), "");
  }

  private static LogFailure failure(String code, String pattern, String says) {
    return failure(code, pattern, says, LogFailure.Kind.CAUSE);
  }

  private static LogFailure failure(
      String code, String pattern, String says, LogFailure.Kind kind) {
    return new LogFailure(code, Pattern.compile(pattern), "", says, "try with $1", kind);
  }

  private static LogFollower follower(String pattern) {
    return new LogFollower(Pattern.compile(pattern), "");
  }
}
