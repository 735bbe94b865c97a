package dev.eagle3.tensor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The entries of a ZIP file, in the order of its directory. */
final class ZipDirectory {
  private final List<ZipRecord> records;
  private final Map<String, ZipRecord> byName;
  private final Cases duplicates = new Cases();
  private final long end;

  /**
   * @param end where the last entry must have ended: the start of the directory
   */
  ZipDirectory(List<ZipRecord> records, long end) {
    this.records = records;
    this.end = end;
    this.byName = new HashMap<>(records.size() * 2);
    for (ZipRecord record : records) {
      if (byName.putIfAbsent(record.name(), record) != null) {
        duplicates.add(record.shortName());
      }
    }
  }

  List<ZipRecord> records() {
    return records;
  }

  /** The first entry of that name. */
  @Nullable ZipRecord named(String name) {
    return byName.get(name);
  }

  /** Names that stand more than once; which of them a reader takes is anyone's guess. */
  Cases duplicates() {
    return duplicates;
  }

  /** Entries that begin before another has ended, or reach into the directory. */
  Cases overlaps() {
    Cases overlaps = new Cases();
    List<ZipRecord> sorted = inFileOrder();
    for (int index = 0; index < sorted.size(); index++) {
      ZipRecord record = sorted.get(index);
      long next = index + 1 < sorted.size() ? sorted.get(index + 1).headerOffset() : end;
      if (record.earliestEnd() > next) {
        overlaps.add(
            record.shortName()
                + " reaches over byte "
                + Findings.grouped(next)
                + ", where "
                + (next == end ? "the directory" : "another entry")
                + " begins");
      }
    }
    return overlaps;
  }

  List<ZipRecord> inFileOrder() {
    List<ZipRecord> sorted = new ArrayList<>(records);
    sorted.sort(Comparator.comparingLong(ZipRecord::headerOffset));
    return sorted;
  }
}
