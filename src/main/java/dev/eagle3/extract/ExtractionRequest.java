package dev.eagle3.extract;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.plan.ExtractionPlan;
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
 */
public record ExtractionRequest(
    ExtractionPlan plan,
    LogRules rules,
    boolean detach,
    Optional<Path> pullTo,
    Optional<String> yesRemove,
    String comeBack) {}
