package dev.eagle3.verify;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What verification says of one file.
 *
 * @param path its path on its machine
 * @param bytes its size; -1 when it could not be asked for
 * @param verdict good, bad or skipped
 * @param shape what the sample looks like; empty when no schema fits the file
 * @param says in short what it is: its shape, or why it has none
 * @param findings what is wrong with it, and notes
 */
public record FileVerdict(
    String path,
    long bytes,
    Verdict verdict,
    Optional<SampleShape> shape,
    String says,
    List<Finding> findings) {

  /** Finding of a file that grew or changed while it was read: nothing else is said of it. */
  public static final String BEING_WRITTEN = "file.being-written";

  /** What is said of a folder in a folder. */
  static final String FOLDER = "a folder, not looked into";

  /** What is said of the folder in which DeepSpec keeps its samples until all are there. */
  static final String UNFINISHED_FOLDER =
      "a folder where DeepSpec gathers samples: it still runs, or did not finish";

  /** What is said of a file with an unknown name. */
  static final String UNKNOWN_NAME = "not a name that samples have";

  /** Findings of files that were not read, or are of a kind that is not known here. */
  private static final Set<String> UNDECIDED =
      Set.of(
          BEING_WRITTEN,
          "file.changed",
          "file.dtype-unknown",
          "file.gzip-unread",
          "file.limit",
          "file.schema-unknown",
          "file.unreadable",
          "file.version-unknown");

  private static final Set<String> UNKNOWN = Set.of(FOLDER, UNFINISHED_FOLDER, UNKNOWN_NAME);

  /** Findings of what stands in a file, whose form is that of a sample all the same. */
  private static final Set<String> OF_CONTENT =
      Set.of("mask.all-zero", "tokens.outside-vocabulary");

  private static final String VALUES = "values.";

  /** Copies the list. */
  public FileVerdict {
    findings = List.copyOf(findings);
  }

  /** A sample with what was found: bad when one of the findings is an error. */
  static FileVerdict of(
      String path, long bytes, Optional<SampleShape> shape, String says, List<Finding> findings) {
    boolean bad = findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    return new FileVerdict(path, bytes, bad ? Verdict.BAD : Verdict.GOOD, shape, says, findings);
  }

  /** The same with more findings. */
  FileVerdict and(List<Finding> more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Finding> all = new ArrayList<>(findings);
    all.addAll(more);
    return of(path, bytes, shape, says, all);
  }

  /** A file of which nothing could be read, with the finding that says why. */
  static FileVerdict unread(String path, long bytes, Finding why) {
    return new FileVerdict(path, bytes, Verdict.BAD, Optional.empty(), why.actual(), List.of(why));
  }

  /** A file that is no sample. */
  static FileVerdict skipped(String path, long bytes, String why, List<Finding> findings) {
    return new FileVerdict(path, bytes, Verdict.SKIPPED, Optional.empty(), why, findings);
  }

  /**
   * Whether it is a sample of a known schema whose values can be looked at: nothing is wrong with
   * the file itself but a checksum, and its values are little-endian.
   */
  boolean isWhole() {
    return shape.isPresent()
        && findings.stream().noneMatch(finding -> finding.code().equals("file.big-endian"))
        && findings.stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .map(Finding::code)
            .noneMatch(code -> code.startsWith("file.") && !code.equals("file.checksum"));
  }

  /** The verdict with more findings; one that was there already is not said twice. */
  FileVerdict with(List<Finding> more) {
    if (more.isEmpty()) {
      return this;
    }
    Set<String> codes = findings.stream().map(Finding::code).collect(Collectors.toSet());
    List<Finding> all = new ArrayList<>(findings);
    more.stream().filter(finding -> !codes.contains(finding.code())).forEach(all::add);
    return of(path, bytes, shape, says, all);
  }

  /** Whether it changed while it was read, so that another look later may say more. */
  public boolean isBeingWritten() {
    return findings.stream().anyMatch(finding -> finding.code().equals(BEING_WRITTEN));
  }

  /** Whether it may well be, or hold, a good sample: it was not read, or is of an unknown kind. */
  public boolean isUndecided() {
    boolean hidden = path.substring(path.lastIndexOf('/') + 1).startsWith(".");
    return verdict == Verdict.SKIPPED
        ? !hidden && UNKNOWN.contains(says)
        : findings.stream().anyMatch(finding -> UNDECIDED.contains(finding.code()));
  }

  /**
   * Whether it has another form than a sample should have: it is damaged, or its layers have other
   * shapes. What stands in it does not count, and no file that may be a good sample.
   */
  public boolean isMisformed() {
    return verdict == Verdict.BAD
        && !isUndecided()
        && errors().anyMatch(code -> !OF_CONTENT.contains(code) && !code.startsWith(VALUES));
  }

  /** Whether the file itself is damaged, whatever the sample in it: cut, for instance. */
  public boolean isDamaged() {
    return isMisformed() && errors().anyMatch(FileVerdict::isOfFile);
  }

  /** Whether it may be good once more of it is written: something is wrong with the file itself. */
  public boolean mayBeUnfinished() {
    return verdict == Verdict.BAD
        && errors().anyMatch(code -> isOfFile(code) && !code.equals("file.checksum"));
  }

  private static boolean isOfFile(String code) {
    return code.startsWith("file.") && !code.startsWith("file.schema-");
  }

  /** Whether it was not there any more when it was to be read. */
  public boolean isMissing() {
    return errors().anyMatch(code -> code.equals("file.missing"));
  }

  private Stream<String> errors() {
    return findings.stream()
        .filter(finding -> finding.severity() == Severity.ERROR)
        .map(Finding::code);
  }

  /** The event that reports it. */
  public Event.FileChecked event() {
    long tokens = shape.isPresent() ? shape.get().tokens().orElse(-1) : -1;
    return new Event.FileChecked(path, verdict.word(), tokens, says, bytes);
  }
}
