package dev.eagle3.tensor;

import dev.eagle3.outcome.Severity;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a ZIP under the names that torch gives them. All stand in one folder, which has
 * the name that the file had when it was saved, or {@code archive}: the first entry tells it.
 */
final class TorchArchive {
  /** torch reads versions up to this one ({@code inline_container.h}). */
  private static final int NEWEST_VERSION = 10;

  private static final int MOST_SMALL_BYTES = 64;
  private static final String STORAGE = "data/";
  private static final Set<String> KNOWN =
      Set.of(
          "data.pkl",
          "version",
          "byteorder",
          ".format_version",
          ".storage_alignment",
          ".data/serialization_id");

  /** What TorchScript has beside. */
  private static final List<String> SCRIPT =
      List.of("code/", "constants.pkl", "constants/", "attributes.pkl", "extra/");

  private final ZipDirectory directory;
  private final String root;

  /**
   * @param directory with one entry or more
   */
  TorchArchive(ZipDirectory directory) {
    this.directory = directory;
    String first = directory.records().get(0).name();
    this.root = first.substring(0, first.indexOf('/') + 1);
  }

  ZipDirectory directory() {
    return directory;
  }

  /** An entry by the name that torch knows it by. */
  @Nullable ZipRecord record(String name) {
    return directory.named(root + name);
  }

  /** The entry of a storage. */
  @Nullable ZipRecord storage(String key) {
    return record(STORAGE + key);
  }

  /** The entries whose short content matters. */
  Stream<ZipRecord> smallRecords() {
    return Stream.of("version", "byteorder", ".storage_alignment")
        .map(this::record)
        .filter(Objects::nonNull)
        .filter(record -> record.packedBytes() <= MOST_SMALL_BYTES);
  }

  /** To what multiple the contents of entries are aligned, as far as the file says. */
  int alignment(ZipContents contents) {
    int alignment = number(text(contents, ".storage_alignment"));
    return alignment > 0 ? alignment : TorchLayout.DEFAULT_ALIGNMENT;
  }

  /** Whether {@code torch.save} or TorchScript made it, whole or not. */
  boolean isFromTorch() {
    return programKind() == null
        && directory.records().stream()
            .map(record -> record.name().substring(record.name().indexOf('/') + 1))
            .anyMatch(name -> KNOWN.contains(name) || name.startsWith(STORAGE));
  }

  boolean isScript() {
    return constants() != null;
  }

  /** The pickle of constants that TorchScript keeps beside the one of the object. */
  @Nullable ZipRecord constants() {
    return record("constants.pkl");
  }

  /** What a ZIP is that torch made for a program; null for others. */
  private @Nullable String programKind() {
    for (ZipRecord record : directory.records()) {
      String name = record.name().substring(record.name().indexOf('/') + 1);
      if (name.equals("archive_format") || name.equals("serialized_exported_program.json")) {
        return "a program of torch.export (.pt2)";
      }
      if (name.equals(".data/extern_modules")) {
        return "a package of torch.package";
      }
    }
    return null;
  }

  /** What a ZIP is that {@code torch.save} did not make. */
  String otherKind() {
    String program = programKind();
    if (program != null) {
      return program;
    }
    boolean numpy = directory.records().stream().allMatch(each -> each.name().endsWith(".npy"));
    return numpy
        ? "a NumPy archive (.npz)"
        : "a zip archive that torch.save did not write: it begins with "
            + Findings.shortened(directory.records().get(0).name());
  }

  /** Adds what is wrong with the entries beside the pickle. */
  void check(ZipContents contents, Findings findings) {
    checkNames(findings);
    checkPacking(findings);
    checkWriter(findings);
    String version = text(contents, "version");
    if (record("version") == null) {
      findings.error("file.no-version", "an entry \"version\"", "none; torch.load refuses it");
    } else if (version != null && (number(version) < 1 || number(version) > NEWEST_VERSION)) {
      findings.error(
          "file.version-unknown",
          "version 1 to " + NEWEST_VERSION,
          "version " + Findings.shortened(version));
    }
    if ("big".equals(text(contents, "byteorder"))) {
      findings.warning(
          "file.big-endian",
          "little-endian values",
          "big-endian values",
          "torch swaps the bytes while loading; correct only if a big-endian machine saved them",
          "verification looks at its token ids, and not at its other values");
    }
    if (isScript()) {
      findings.warning(
          "file.weights-only-refused",
          "a file that torch.load takes by default (torch 2.6 and later)",
          "a TorchScript archive");
    }
  }

  /** Adds storages that nothing in the pickle refers to. */
  void checkUnused(StorageTable used, Findings findings) {
    Cases unused = new Cases();
    storageRecords()
        .filter(record -> !used.has(record.name().substring(root.length() + STORAGE.length())))
        .forEach(
            record ->
                unused.add(
                    record.shortName()
                        + ", "
                        + Findings.grouped(record.bytes())
                        + " bytes, belongs to no tensor"));
    findings.gather(
        Severity.WARNING,
        "file.storage-unused",
        "storages that belong to tensors",
        "storages belong to no tensor",
        unused);
  }

  private void checkNames(Findings findings) {
    Cases elsewhere = new Cases();
    Cases unknown = new Cases();
    for (ZipRecord record : directory.records()) {
      String name = record.name();
      if (root.isEmpty() || !name.startsWith(root)) {
        elsewhere.add(Findings.shortened(name));
      } else if (!isKnown(name.substring(root.length()))) {
        unknown.add(Findings.shortened(name));
      }
    }
    findings.gather(
        Severity.ERROR,
        "file.prefix",
        root.isEmpty() ? "all entries in one folder" : "all entries in " + root,
        "zip entries stand elsewhere; torch.load refuses the file",
        elsewhere);
    findings.gather(
        Severity.WARNING,
        "file.entry-unknown",
        "entries that torch.save writes",
        "other zip entries",
        unknown);
  }

  private void checkPacking(Findings findings) {
    Cases compressed = new Cases();
    Cases encrypted = new Cases();
    for (ZipRecord record : directory.records()) {
      if (record.isEncrypted()) {
        encrypted.add(record.shortName());
      } else if (!record.isStored() && !isCode(record)) {
        compressed.add(record.shortName());
      }
    }
    findings.gather(
        Severity.ERROR,
        "file.compressed",
        "entries that are stored as they are",
        "zip entries are compressed, which torch.save never does",
        compressed,
        "torch.load inflates them without a word, but cannot map them into memory");
    findings.gather(
        Severity.ERROR,
        "file.encrypted",
        "entries that can be read",
        "zip entries are encrypted",
        encrypted);
  }

  /** torch writes sizes after the contents, and nobody else stores entries so. */
  private void checkWriter(Findings findings) {
    boolean isRepacked =
        directory.records().stream()
            .anyMatch(each -> each.isStored() && each.bytes() > 0 && !each.hasDescriptor());
    if (isRepacked) {
      findings.note(
          "file.repacked",
          "a zip archive as torch.save writes it",
          "another program wrote it: packed again, or made by hand",
          record("byteorder") == null
              ? "nothing says the order of its bytes: torch.load takes values as little-endian"
              : "torch.load does not mind");
    }
  }

  private boolean isKnown(String name) {
    return KNOWN.contains(name)
        || name.startsWith(STORAGE)
        || (isScript() && SCRIPT.stream().anyMatch(name::startsWith));
  }

  private boolean isCode(ZipRecord record) {
    return isScript() && record.name().startsWith(root + "code/");
  }

  private Stream<ZipRecord> storageRecords() {
    return directory.records().stream().filter(record -> record.name().startsWith(root + STORAGE));
  }

  private @Nullable String text(ZipContents contents, String name) {
    return contents.text(record(name), MOST_SMALL_BYTES);
  }

  /** A small number; -1 for anything else. */
  private static int number(@Nullable String text) {
    if (text == null || text.isEmpty() || text.length() > 9) {
      return -1;
    }
    return text.chars().allMatch(each -> each >= '0' && each <= '9') ? Integer.parseInt(text) : -1;
  }
}
