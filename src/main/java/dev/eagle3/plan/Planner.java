package dev.eagle3.plan;

import dev.eagle3.extractor.Extractor;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Failures;
import dev.eagle3.profile.Profile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes a plan of what the user wants and what the extraction program takes. */
public final class Planner {
  private Planner() {}

  /**
   * The plan of a run. The arguments of the script are the extractor's flags in its order, then
   * further {@code flags} of the profile, then its {@code args}.
   *
   * @throws Failure {@code USAGE} when no host was named
   * @throws Failures {@code PROFILE} when {@code flags} or {@code args} tell the script something
   *     else than the profile's own keys say
   */
  public static ExtractionPlan plan(Profile profile, Extractor extractor, RunId run) {
    Map<String, String> environment = new LinkedHashMap<>();
    profile.env().forEach((name, value) -> value.ifPresent(text -> environment.put(name, text)));
    List<String> byName =
        profile.env().entrySet().stream()
            .filter(variable -> variable.getValue().isEmpty())
            .map(Map.Entry::getKey)
            .toList();
    return new ExtractionPlan(
        run,
        host(profile.host()),
        extractor.name(),
        profile.python(),
        profile.script(),
        ScriptArguments.of(profile, extractor),
        environment,
        byName,
        profile.setup(),
        profile.wrap(),
        profile.cudaHome(),
        profile.modelPath(),
        profile.preparedData(),
        profile.outputDir(),
        profile.logFile(),
        profile.layers(),
        profile.tpSize(),
        profile.batchSize(),
        profile.maxSeqLen(),
        profile.gpus(),
        ClearGpus.ofWord(profile.clearGpus()).orElseThrow(),
        PreviousOutput.ofWord(profile.previousOutput()).orElseThrow(),
        profile.stateDir(),
        Optional.of(extractor.outputs().schema()).filter(name -> !name.isEmpty()));
  }

  private static String host(Optional<String> host) {
    return host.orElseThrow(
        () ->
            Failure.of(Exit.USAGE, "--host", "no host was named")
                .orTry("--host root@gpu7, EAGLE3_HOST, or the key host of a profile"));
  }
}
