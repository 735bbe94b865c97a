package dev.eagle3.cli;

import dev.eagle3.testing.Operations;

/**
 * One fault, right before or right after one operation.
 *
 * @param operation on the host
 * @param phase when the operation came while nothing was done to it
 * @param side of it
 * @param fault what is killed then
 */
record FaultCase(Operations.Operation operation, Phase phase, Operations.Side side, Fault fault) {

  /** A part of an extraction. */
  enum Phase {
    /** Nothing was launched. */
    PREPARING,
    /** The run lives. */
    RUNNING,
    /** The run has ended. */
    OVER
  }

  @Override
  public String toString() {
    return fault + " " + side + " " + operation + " (" + phase + ")";
  }
}
