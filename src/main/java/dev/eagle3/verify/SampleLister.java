package dev.eagle3.verify;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Lists the samples of an output folder, by their names alone; also while a run writes there. */
public final class SampleLister {
  private static final int MOST_ENTRIES = 1_000_000;

  private final FileTree files;

  /** Lists through {@code files}, which stays open. */
  public SampleLister(FileTree files) {
    this.files = files;
  }

  /**
   * The samples in a folder, and in folders in it that hold samples as some schema lays them, in
   * natural order; none when the folder is not there (yet).
   *
   * @throws IOException also when it may not be listed, or has more than a million entries
   */
  public List<FileStat> list(String folder) throws IOException {
    List<FileStat> samples = new ArrayList<>();
    collect(folder, 0, samples);
    samples.sort(Comparator.comparing(FileStat::path, SampleName.NATURAL_ORDER));
    return samples;
  }

  private void collect(String folder, int depth, List<FileStat> samples) throws IOException {
    List<FileStat> here;
    try {
      here = files.list(folder, MOST_ENTRIES - samples.size());
    } catch (NoSuchFileException notThere) {
      return;
    }
    here.stream()
        .filter(entry -> entry.kind() != FileKind.FOLDER && NameRules.isSample(entry.name()))
        .forEach(samples::add);
    for (FileStat inner : SampleFolders.among(here, depth)) {
      collect(inner.path(), depth + 1, samples);
    }
  }
}
