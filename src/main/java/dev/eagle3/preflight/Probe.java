package dev.eagle3.preflight;

import dev.eagle3.host.ScriptCall;
import dev.eagle3.plan.ExtractionPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The two questions to a host, as data: one that any shell answers, one that needs an interpreter.
 */
final class Probe {
  /** Modules are asked for in a {@code probe-files} that may take this long for one part. */
  private static final Duration PART_LIMIT = Duration.ofSeconds(30);

  private static final Duration MODEL_LIMIT = Duration.ofSeconds(15);

  private Probe() {}

  /** What the machine is and has. */
  static ScriptCall machine(ExtractionPlan plan) {
    List<String> pairs = new ArrayList<>();
    add(pairs, "python", plan.python());
    add(pairs, "script", plan.script());
    add(pairs, "model", plan.modelPath());
    add(pairs, "data", plan.preparedData());
    add(pairs, "output", plan.outputDir());
    add(pairs, "log", plan.logFile());
    plan.stateDir().ifPresent(folder -> add(pairs, "state", folder));
    add(pairs, "shm", "/dev/shm");
    plan.cudaHome().ifPresent(folder -> add(pairs, "cuda-home", folder));
    plan.environmentByName().forEach(name -> add(pairs, "variable", name));
    return ScriptCall.of("probe-machine", pairs.toArray(String[]::new))
        .after("probe-host")
        .within(Duration.ofMinutes(2))
        .again();
  }

  /** What the files of the job hold. */
  static ScriptCall files(ExtractionPlan plan, PreflightRequest request) {
    List<String> words = new ArrayList<>();
    words.add(plan.python());
    words.add(String.valueOf(PART_LIMIT.plus(request.dataLimit()).toSeconds()));
    words.add(plan.environment().getOrDefault("PYTHONPATH", ""));
    // Script and packages of a wrapped job are those that its wrapping shows it.
    words.addAll(
        plan.wrap().isEmpty()
            ? List.of("job", "model", "data", "--")
            : List.of("model", "data", "--"));
    add(words, "script", plan.script());
    VersionChecks.packages().forEach(name -> add(words, "package", name));
    for (VersionPair pair : VersionChecks.PAIRS) {
      if (!PairJudge.isOfPlan(pair, plan)) {
        continue;
      }
      for (int index = 0; index < pair.sources().size(); index++) {
        VersionPair.Source source = pair.sources().get(index);
        add(words, "source", pair.sourceId(index) + "\t" + source.path());
        add(words, "pattern", source.pattern());
      }
    }
    add(words, "model", plan.modelPath());
    add(words, "model-seconds", String.valueOf(MODEL_LIMIT.toSeconds()));
    add(words, "data", plan.preparedData());
    add(words, "most-tokens", String.valueOf(plan.maxSeqLen()));
    add(words, "data-seconds", String.valueOf(request.dataLimit().toSeconds()));
    return ScriptCall.of("probe-files", words.toArray(String[]::new))
        .after("probe-data.py")
        .after("probe-model.py")
        .after("probe-job.py")
        .within(PART_LIMIT.multipliedBy(4).plus(request.dataLimit()))
        .again();
  }

  private static void add(List<String> pairs, String word, String value) {
    pairs.add(word);
    pairs.add(value);
  }
}
