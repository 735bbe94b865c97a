package dev.eagle3.verify;

import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One file to look at, or one of which the verdict is known: skipped for its name, say.
 *
 * @param file null where a file is missing
 * @param known the verdict; empty for a file to look at
 */
record VerifyEntry(@Nullable FileStat file, Optional<FileVerdict> known) {
  VerifyEntry(FileVerdict known) {
    this(null, Optional.of(known));
  }

  static VerifyEntry of(FileStat file) {
    String name = file.name();
    if (file.kind() == FileKind.FOLDER) {
      return skip(file, NameRules.whatFolder(name).orElse(FileVerdict.FOLDER), List.of());
    }
    Optional<String> why = NameRules.whyNoSample(name);
    if (why.isEmpty()) {
      return new VerifyEntry(file, Optional.empty());
    }
    List<Finding> findings =
        NameRules.isCopy(name)
            ? List.of(
                Finding.of(
                    "file.copy", Severity.NOTE, file.path(), "a name of the extractor", why.get()))
            : List.of();
    return skip(file, why.get(), findings);
  }

  private static VerifyEntry skip(FileStat file, String why, List<Finding> findings) {
    return new VerifyEntry(
        file, Optional.of(FileVerdict.skipped(file.path(), file.bytes(), why, findings)));
  }

  /**
   * The entries, with the verdicts that are known already, and those on shards that are missing.
   */
  static List<VerifyEntry> withShards(List<FileStat> entries, Map<String, FileVerdict> shards) {
    Map<String, FileVerdict> left = new HashMap<>(shards);
    List<VerifyEntry> all = new ArrayList<>(entries.size());
    for (FileStat file : entries) {
      Optional<FileVerdict> known = Optional.ofNullable(left.remove(file.path()));
      all.add(known.isPresent() ? new VerifyEntry(known.get()) : VerifyEntry.of(file));
    }
    left.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(SampleName.NATURAL_ORDER))
        .map(Map.Entry::getValue)
        .forEach(missing -> all.add(new VerifyEntry(missing)));
    return all;
  }

  /** Files that were named one by one, whatever their names are. */
  static List<VerifyEntry> plain(List<FileStat> named) {
    return named.stream()
        .sorted(Comparator.comparing(FileStat::path, SampleName.NATURAL_ORDER))
        .map(file -> new VerifyEntry(file, Optional.empty()))
        .toList();
  }
}
