package dev.eagle3.cause;

import dev.eagle3.verify.SampleName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a sample stands in its batch, when the samples of a batch are computed as one row of
 * tokens.
 *
 * @param before tokens of the batch in front of it
 * @param together tokens of the whole batch
 * @param last whether it is the last of the batch
 */
record BatchPlace(long before, long together, boolean last) {
  /** That of a sample of which it is not known. */
  static final BatchPlace UNKNOWN = new BatchPlace(0, 0, false);

  /**
   * The places of samples in batches of a size, which go by number from 0 on. A sample of a batch
   * that lacks one, or without a number, is not in it: how much stands in front of it is not known.
   */
  static Map<CountedSample, BatchPlace> of(CountedSamples samples, long size) {
    Map<CountedSample, BatchPlace> places = new HashMap<>();
    List<CountedSample> batch = new ArrayList<>();
    for (CountedSample sample : samples.all()) {
      if (!batch.isEmpty() && !areTogether(batch.get(0), sample, size)) {
        place(batch, size, places);
        batch.clear();
      }
      batch.add(sample);
    }
    place(batch, size, places);
    return places;
  }

  private static boolean areTogether(CountedSample first, CountedSample sample, long size) {
    SampleName one = first.name();
    SampleName other = sample.name();
    return one.folder().equals(other.folder())
        && one.number().isPresent()
        && other.number().isPresent()
        && one.number().getAsLong() / size == other.number().getAsLong() / size;
  }

  private static void place(
      List<CountedSample> batch, long size, Map<CountedSample, BatchPlace> places) {
    long together = batch.stream().mapToLong(CountedSample::tokens).sum();
    long before = 0;
    for (int index = 0; index < batch.size(); index++) {
      CountedSample sample = batch.get(index);
      if (sample.name().number().orElse(-1) % size != index) {
        return;
      }
      places.put(sample, new BatchPlace(before, together, index == batch.size() - 1));
      before += sample.tokens();
    }
  }
}
