package dev.eagle3.cli;

import dev.eagle3.extract.ExtractionRequest;
import dev.eagle3.extractor.Extractor;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.plan.Planner;
import dev.eagle3.plan.RunId;
import dev.eagle3.preflight.PreflightRequest;
import dev.eagle3.profile.Profile;
import dev.eagle3.watch.OnBad;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The job that a command line describes, resolved: for {@code extract}, which does it, and for
 * {@code preflight}, which only looks.
 *
 * @param plan what is to be launched
 * @param extractor what its script is
 * @param planned what is planned around it
 * @param preflight what is checked before
 * @param hosts what leads to its host
 */
record PlannedJob(
    ExtractionPlan plan,
    Extractor extractor,
    PlannedOptions planned,
    PreflightRequest preflight,
    Hosts hosts) {

  /**
   * Resolves it; asks no host.
   *
   * @throws Failure {@code USAGE} and {@code PROFILE} for what is wrong with the words
   */
  static PlannedJob of(
      JobOptions job,
      ConnectionOptions connection,
      PlannedOptions planned,
      Hosts hosts,
      Surroundings surroundings,
      Duration dataLimit) {
    Set<String> skipped = planned.skipped();
    Profile profile = Plans.profile(job, connection, surroundings.environment());
    Extractor extractor = Plans.extractor(profile.extractor());
    RunId id = RunId.of(surroundings.clock().instant(), surroundings.salt().getAsInt());
    ExtractionPlan plan = Planner.plan(profile, extractor, id).withOnBad(profile.onBad());
    refuseOtherFolder(planned, plan);
    return new PlannedJob(
        plan,
        extractor,
        planned,
        new PreflightRequest(Optional.of(extractor), skipped, dataLimit),
        hosts.through(profile.via()));
  }

  /**
   * It as a request; whether it is followed, and where its files go, is for {@code extract}.
   *
   * @param flag what the command line says of bad samples; wins over the profile
   */
  ExtractionRequest request(boolean detach, Optional<Path> pullTo, Optional<OnBad> flag) {
    OnBad onBad = flag.or(() -> plan.onBad().flatMap(OnBad::of)).orElse(OnBad.AUTO);
    return new ExtractionRequest(
        plan.withOnBad(onBad.word()),
        extractor.log(),
        detach,
        pullTo,
        Optional.ofNullable(planned.yesRemove),
        hosts.words(plan.host(), plan.stateDir()),
        extractor.outputs().resume(),
        planned.replace,
        onBad,
        preflight);
  }

  private static void refuseOtherFolder(PlannedOptions planned, ExtractionPlan plan) {
    String again = planned.yesRemove;
    if (again != null && !withoutSlash(again).equals(withoutSlash(plan.outputDir()))) {
      throw Failure.of(
              Exit.USAGE,
              "--yes-remove " + Printable.line(again, 200),
              "is not the output folder, which is " + Printable.line(plan.outputDir(), 200))
          .orTry("--yes-remove " + ShellQuote.word(plan.outputDir()));
    }
  }

  private static String withoutSlash(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
