package dev.eagle3.preflight;

import dev.eagle3.expect.SampleLimits;
import dev.eagle3.output.Amount;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How much a run will write: tokens × layers × H × bytes, and a little around it.
 *
 * @param tokens of all samples, cut as the script cuts them
 * @param layers how many are saved
 * @param hiddenSize H
 * @param files how many samples; empty when it is not known
 * @param isWhole whether all of the prepared data was counted, or a part of it and reckoned up
 * @param isLimited whether the script is told to take a part of the prepared data only
 */
record Prediction(
    long tokens,
    int layers,
    long hiddenSize,
    OptionalLong files,
    boolean isWhole,
    boolean isLimited) {
  private static final int VALUE_BYTES = 2;

  /** Token ids and mask, 8 bytes each. */
  private static final int TOKEN_BYTES = 16;

  private static final int FILE_BYTES = 3072;
  private static final long MOST_TOKENS = 1L << 44;

  /** Empty when the prepared data, the layers or the hidden size are not known. */
  static Optional<Prediction> of(Situation situation) {
    Rows files = situation.files();
    OptionalLong cut = files.number("tokens", 1);
    OptionalLong samples = files.number("samples", 0);
    OptionalLong read = files.number("read", 0);
    OptionalLong total = files.number("read", 1);
    int layers = (int) situation.plan().layers().stream().distinct().count();
    if (cut.isEmpty()
        || cut.getAsLong() > MOST_TOKENS
        || samples.isEmpty()
        || read.isEmpty()
        || total.isEmpty()
        || read.getAsLong() == 0
        || layers == 0
        || situation.model().isEmpty()) {
      return Optional.empty();
    }
    boolean whole = read.getAsLong() >= total.getAsLong();
    double more = whole ? 1 : (double) total.getAsLong() / read.getAsLong();
    return Optional.of(
        new Prediction(
            (long) (cut.getAsLong() * more),
            layers,
            situation.model().get().hiddenSize(),
            OptionalLong.of((long) (samples.getAsLong() * more)),
            whole,
            SampleLimits.areIn(situation.plan().scriptArguments())));
  }

  /** All of it in bytes. */
  long bytes() {
    double bytes =
        (double) tokens * (layers * (double) hiddenSize * VALUE_BYTES + TOKEN_BYTES)
            + (double) files.orElse(0) * FILE_BYTES;
    return bytes > Long.MAX_VALUE ? Long.MAX_VALUE : (long) bytes;
  }

  /** It in words, with its reckoning. */
  String says() {
    return String.format(
        Locale.ROOT,
        "%s%s will be written (%,d tokens × %d layers × %d × 2 bytes)",
        isLimited ? "at most " : isWhole ? "" : "about ",
        Amount.size(bytes()),
        tokens,
        layers,
        hiddenSize);
  }
}
