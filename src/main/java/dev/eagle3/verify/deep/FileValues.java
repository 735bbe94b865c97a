package dev.eagle3.verify.deep;

import java.util.List;

/**
 * What one pass over a file found.
 *
 * @param samples what the file says of the rows of each of its samples
 * @param layers its layers, in file order of the header
 * @param damaged storages whose bytes do not have the recorded checksum, a line each
 * @param unread layers whose values were not looked at, and why, a line each
 */
record FileValues(
    List<Tokens> samples, List<LayerValues> layers, List<String> damaged, List<String> unread) {

  /** Copies the lists. */
  FileValues {
    samples = List.copyOf(samples);
    layers = List.copyOf(layers);
    damaged = List.copyOf(damaged);
    unread = List.copyOf(unread);
  }
}
