package dev.eagle3.verify;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lists what there is to verify: everything in a folder, and in folders in it that hold samples as
 * some schema lays them.
 */
final class FolderLister {
  /** A folder of more entries is refused. */
  private static final int MOST_ENTRIES = 1_000_000;

  private final FileTree files;

  FolderLister(FileTree files) {
    this.files = files;
  }

  /**
   * What stands in a folder.
   *
   * @param entries in natural order
   * @param unread verdicts on folders that cannot be listed
   * @param isListed false when the folder itself cannot be
   */
  record Listing(List<FileStat> entries, List<FileVerdict> unread, boolean isListed) {}

  /**
   * Lists the folder.
   *
   * @throws IOException when the connection is gone, or there are more than a million entries
   */
  Listing list(String folder) throws IOException {
    List<FileStat> entries = new ArrayList<>();
    List<FileVerdict> unread = new ArrayList<>();
    boolean isListed = collect(folder, 0, entries, unread);
    entries.sort(Comparator.comparing(FileStat::path, SampleName.NATURAL_ORDER));
    return new Listing(entries, unread, isListed);
  }

  /** What the path leads to, or the verdict on a path that leads to nothing that can be read. */
  Optional<FileStat> stat(String path, List<FileVerdict> unread) throws IOException {
    try {
      Optional<FileStat> there = files.stat(path);
      if (there.isEmpty()) {
        unread.add(unread(path, "file.missing", "no such file or folder"));
      }
      return there;
    } catch (AccessDeniedException denied) {
      unread.add(unread(path, "file.unreadable", "permission denied"));
      return Optional.empty();
    }
  }

  /** False when the folder cannot be listed. */
  private boolean collect(
      String folder, int depth, List<FileStat> entries, List<FileVerdict> unread)
      throws IOException {
    List<FileStat> here;
    try {
      here = files.list(folder, MOST_ENTRIES - entries.size());
    } catch (NoSuchFileException vanished) {
      unread.add(unread(folder, "file.missing", "it vanished"));
      return false;
    } catch (AccessDeniedException denied) {
      unread.add(unread(folder, "file.unreadable", "permission denied"));
      return false;
    }
    List<FileStat> deeper = SampleFolders.among(here, depth);
    Set<FileStat> lookedInto = Set.copyOf(deeper);
    here.stream().filter(entry -> !lookedInto.contains(entry)).forEach(entries::add);
    for (FileStat inner : deeper) {
      collect(inner.path(), depth + 1, entries, unread);
    }
    return true;
  }

  private static FileVerdict unread(String path, String code, String actual) {
    Finding why = Finding.of(code, Severity.ERROR, path, "a file or folder to read", actual);
    return FileVerdict.unread(path, -1, why);
  }
}
