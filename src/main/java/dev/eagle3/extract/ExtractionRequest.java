package dev.eagle3.extract;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.extractor.Outputs;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.preflight.PreflightRequest;
import dev.eagle3.watch.OnBad;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What {@code extract} was asked for.
 *
 * @param plan what is launched
 * @param rules what the lines of its log mean
 * @param detach return after the launch
 * @param pullTo local folder for good files; empty to leave them on the host
 * @param yesRemove an output folder that may be set aside although it holds other files
 * @param comeBack words that lead another command to the same host, for hints: {@code --host H}
 * @param resume what the program does with files that are there when it starts
 * @param replace whether a live run of this user in the same output folder is ended first
 * @param onBad what becomes of the run when its samples turn out bad while it is watched
 * @param preflight what is checked before anything is touched
 */
public record ExtractionRequest(
    ExtractionPlan plan,
    LogRules rules,
    boolean detach,
    Optional<Path> pullTo,
    Optional<String> yesRemove,
    String comeBack,
    Outputs.Resume resume,
    boolean replace,
    OnBad onBad,
    PreflightRequest preflight) {

  /** With all checks that need no extractor. */
  public ExtractionRequest(
      ExtractionPlan plan,
      LogRules rules,
      boolean detach,
      Optional<Path> pullTo,
      Optional<String> yesRemove,
      String comeBack,
      Outputs.Resume resume,
      boolean replace,
      OnBad onBad) {
    this(
        plan,
        rules,
        detach,
        pullTo,
        yesRemove,
        comeBack,
        resume,
        replace,
        onBad,
        PreflightRequest.PLAIN);
  }

  /** Of which bad samples become what they become by default. */
  public ExtractionRequest(
      ExtractionPlan plan,
      LogRules rules,
      boolean detach,
      Optional<Path> pullTo,
      Optional<String> yesRemove,
      String comeBack,
      Outputs.Resume resume,
      boolean replace) {
    this(plan, rules, detach, pullTo, yesRemove, comeBack, resume, replace, OnBad.AUTO);
  }

  /** For a program of which nobody says that it goes on with files that are there. */
  public ExtractionRequest(
      ExtractionPlan plan,
      LogRules rules,
      boolean detach,
      Optional<Path> pullTo,
      Optional<String> yesRemove,
      String comeBack) {
    this(plan, rules, detach, pullTo, yesRemove, comeBack, Outputs.Resume.NEVER, false);
  }
}
