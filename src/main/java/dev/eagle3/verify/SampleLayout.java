package dev.eagle3.verify;

import java.util.List;

/**
 * How an extraction program names and places its files.
 *
 * @param extensions of its files, with the dot, the usual one first
 * @param numberedAs what stands before the number in names of files that are numbered from 0; empty
 *     where names are no numbers
 * @param dense whether every number from 0 on is there when all is well. Programs that spread their
 *     data over ranks leave gaps, or number anew in each folder
 * @param folders what the folders below the output folder look like, outermost first; none where
 *     all files lie in one folder
 */
public record SampleLayout(
    List<String> extensions, String numberedAs, boolean dense, List<String> folders) {
  /** Copies the lists. */
  public SampleLayout {
    extensions = List.copyOf(extensions);
    folders = List.copyOf(folders);
  }

  /** All files in one folder, numbered without gaps. */
  static SampleLayout numbered(String prefix, String extension) {
    return new SampleLayout(List.of(extension), prefix, true, List.of());
  }

  /** Files of any names, in the folders that are given. */
  static SampleLayout named(String extension, String... folders) {
    return new SampleLayout(List.of(extension), "", false, List.of(folders));
  }

  /** {@code data_N.ckpt}, with gaps, in the folders that are given. */
  static SampleLayout checkpoints(String... folders) {
    return new SampleLayout(List.of(".ckpt", ".ckpt.gz"), "data_", false, List.of(folders));
  }

  /** Whether a file of this name may be one of them. */
  boolean fits(String name) {
    return extensions.stream().anyMatch(name::endsWith);
  }
}
