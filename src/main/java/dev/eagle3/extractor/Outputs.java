package dev.eagle3.extractor;

/**
 * What a program saves.
 *
 * @param layout path of a sample's file below the output folder; {@code {index}} stands for the
 *     number of the sample
 * @param schema name of the schema of its files
 * @param padding where padding stands
 * @param resume what a second start does with files that are there
 */
public record Outputs(String layout, String schema, Padding padding, Resume resume) {

  /** Where a sample that is shorter than others is filled up. */
  public enum Padding {
    /** Nowhere: a tensor has as many rows as its sample has tokens. */
    NONE,
    /** At the end. */
    RIGHT,
    /** At the start. */
    LEFT
  }

  /** What a second start of a program does with files that are there. */
  public enum Resume {
    /** It starts at the first sample and writes over them. */
    NEVER,
    /** It goes on after the highest number; holes and broken files stay. */
    AFTER_HIGHEST,
    /** It makes what is missing; broken files stay. */
    MISSING
  }
}
