package dev.eagle3.verify.law;

import java.util.Optional;

/** What the rows of one sample gave. */
final class SampleLook {
  private final LawSample sample;
  private final Grid grid;
  private final float[] states;
  private final Optional<Prediction> prediction;

  /**
   * @param grid which rows
   * @param states those rows, one after another
   */
  SampleLook(LawSample sample, Grid grid, float[] states, Optional<Prediction> prediction) {
    this.sample = sample;
    this.grid = grid;
    this.states = states;
    this.prediction = prediction;
  }

  /** Adds the rows to those that are compared bit for bit. */
  void printTo(RowPrints prints) {
    prints.add(sample, grid, states);
  }

  Optional<Prediction> prediction() {
    return prediction;
  }
}
