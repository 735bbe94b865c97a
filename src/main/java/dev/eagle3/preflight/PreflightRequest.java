package dev.eagle3.preflight;

import dev.eagle3.extractor.Extractor;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What a preflight is to do, beside the plan.
 *
 * @param extractor what the plan's script is; empty when nobody knows, and then what depends on it
 *     is not judged
 * @param skip names of checks that are left out
 * @param dataLimit how long the prepared data may be read
 */
public record PreflightRequest(
    Optional<Extractor> extractor, Set<String> skip, Duration dataLimit) {
  /** How long {@code extract} reads prepared data. */
  public static final Duration SHORT = Duration.ofSeconds(3);

  /** All checks that need no extractor. */
  public static final PreflightRequest PLAIN =
      new PreflightRequest(Optional.empty(), Set.of(), SHORT);

  /** Copies the set. */
  public PreflightRequest {
    skip = Set.copyOf(skip);
  }
}
