package dev.eagle3.verify;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Tells which folders in a folder hold samples too: {@code rows_0-2000} of SpecForge, {@code
 * rank_0/rows_0-5000} of AngelSlim, {@code samples} of TorchSpec, {@code 0} of BaldEagle.
 */
public final class SampleFolders {
  /** {@code rank_R/rows_A-B}. */
  private static final int DEEPEST = 2;

  /** Names that nobody gives by chance. */
  private static final Pattern OWN = Pattern.compile("^(rows_[0-9]+-[0-9]+|rank_[0-9]+)$");

  /** Names that others use too: of samples only where none lie beside them. */
  private static final Pattern SHARED = Pattern.compile("^(samples|[0-9]{1,6})$");

  private SampleFolders() {}

  /**
   * Those among the entries of one folder that hold samples.
   *
   * @param depth how many folders below the one that was named this one is
   */
  public static List<FileStat> among(List<FileStat> entries, int depth) {
    if (depth >= DEEPEST) {
      return List.of();
    }
    boolean samplesBeside =
        entries.stream()
            .anyMatch(entry -> entry.kind() != FileKind.FOLDER && NameRules.isSample(entry.name()));
    return entries.stream()
        .filter(entry -> entry.kind() == FileKind.FOLDER)
        .filter(
            entry ->
                OWN.matcher(entry.name()).matches()
                    || (!samplesBeside && SHARED.matcher(entry.name()).matches()))
        .toList();
  }
}
