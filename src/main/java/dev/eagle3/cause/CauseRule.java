package dev.eagle3.cause;

import dev.eagle3.outcome.Cause;
import java.util.Optional;

/** How one cause is recognised. Each has a section in {@code docs/causes.md}. */
interface CauseRule {
  /** The code of the cause. */
  String code();

  /** The cause with its evidence; empty unless the symptoms prove it. */
  Optional<Cause> find(Symptoms symptoms);
}
