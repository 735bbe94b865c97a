package dev.eagle3.verify.deep;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.verify.NameRules;
import dev.eagle3.verify.SampleFolders;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Chooses the files to read, the same ones each time it is asked. */
public final class DeepChooser {
  /** Where the random numbers of a choice begin. */
  public static final long SEED = 1;

  private static final int MOST_ENTRIES = 1_000_000;
  private static final int FEW = 3;

  private final FileTree files;

  /** Lists through {@code files}, which stays open. */
  public DeepChooser(FileTree files) {
    this.files = files;
  }

  /**
   * Chooses among the files at {@code paths} and in folders there. What cannot be listed is left to
   * the verification to report.
   *
   * @param share of the files, more than 0 and at the most 1; one file is always chosen
   * @throws IOException when the connection is gone
   */
  public DeepChoice choose(List<String> paths, double share) throws IOException {
    List<FileStat> samples = new ArrayList<>();
    for (String path : paths) {
      samples.addAll(samples(path));
    }
    samples.sort(Comparator.comparing(FileStat::path));
    long all = samples.size();
    if (share < 1) {
      Collections.shuffle(samples, new Random(SEED));
      samples = samples.subList(0, (int) Math.min(all, Math.max(1, Math.round(all * share))));
    }
    Set<String> chosen = new HashSet<>();
    long bytes = 0;
    for (FileStat sample : samples) {
      bytes += chosen.add(sample.path()) ? sample.bytes() : 0;
    }
    List<String> first = samples.stream().limit(FEW).map(FileStat::path).toList();
    return new DeepChoice(chosen, bytes, all, first);
  }

  private List<FileStat> samples(String path) throws IOException {
    try {
      Optional<FileStat> there = files.stat(path);
      if (there.isEmpty() || there.get().kind() != FileKind.FOLDER) {
        return there.stream().filter(file -> file.kind() == FileKind.FILE).toList();
      }
    } catch (NoSuchFileException | AccessDeniedException unseen) {
      return List.of();
    }
    List<FileStat> samples = new ArrayList<>();
    addSamples(path, 0, samples);
    return samples;
  }

  /** Those in a folder and in folders in it, as verification goes through them. */
  private void addSamples(String folder, int depth, List<FileStat> samples) throws IOException {
    List<FileStat> here;
    try {
      here = files.list(folder, MOST_ENTRIES);
    } catch (NoSuchFileException | AccessDeniedException unlisted) {
      return;
    }
    for (FileStat entry : here) {
      if (NameRules.isSample(entry.name()) && entry.kind() == FileKind.FILE) {
        samples.add(entry);
      } else if (NameRules.isSample(entry.name()) && entry.kind() == FileKind.LINK) {
        target(entry).ifPresent(samples::add);
      }
    }
    for (FileStat inner : SampleFolders.among(here, depth)) {
      addSamples(inner.path(), depth + 1, samples);
    }
  }

  /** What a link leads to, under the link's own path, which verification names it by. */
  private Optional<FileStat> target(FileStat link) throws IOException {
    try {
      return files.stat(link.path()).filter(target -> target.kind() == FileKind.FILE);
    } catch (NoSuchFileException | AccessDeniedException unseen) {
      return Optional.empty();
    }
  }
}
