package dev.eagle3.cause;

import dev.eagle3.verify.SampleName;
import java.util.OptionalLong;

/** Which samples may come from one batch. */
final class Neighbours {
  private Neighbours() {}

  /** Whether {@code next}, the next sample, has as many rows and the next number, if any. */
  static boolean mayShareBatch(CountedSample sample, CountedSample next) {
    SampleName name = sample.name();
    OptionalLong number = name.number();
    OptionalLong following = next.name().number();
    boolean numbersFollow =
        number.isEmpty() || following.isEmpty() || following.getAsLong() == number.getAsLong() + 1;
    return sample.rows() == next.rows()
        && name.folder().equals(next.name().folder())
        && numbersFollow;
  }
}
