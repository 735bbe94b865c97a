package dev.eagle3.cause;

import dev.eagle3.verify.SampleName;

/**
 * A sample with two counts that should be equal.
 *
 * @param path of its file
 * @param name its name in parts
 * @param tokens n, the length of the file's own token ids, 1 or more
 * @param rows T, of each layer
 */
record CountedSample(String path, SampleName name, long tokens, long rows) {
  boolean isWhole() {
    return rows == tokens;
  }

  /** Its file's name without the folder. */
  String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
