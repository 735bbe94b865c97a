package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Verifies folders and files of one machine, many files in flight, headers only. Reports each file
 * in natural order as soon as it and those before it are done, then what is wrong with each folder
 * as a set.
 */
public final class FolderVerifier {
  /** Files in flight that hide the round trips of a connection. */
  public static final int IN_FLIGHT_REMOTE = 64;

  /** Files in flight on this machine. */
  public static final int IN_FLIGHT_LOCAL = 8;

  /**
   * How many headers one thread reads in a row, where a file takes less time than to hand it from
   * thread to thread does.
   */
  private static final int ROW_LOCAL = 16;

  /** In fewer files the rows would be too few for all threads. */
  private static final int LEAST_FOR_ROWS = 8 * ROW_LOCAL * IN_FLIGHT_LOCAL;

  private final FileTree files;
  private final int inFlight;
  private final FileVerifier verifier;
  private final ValueVerifier values;
  private final FolderLister lister;
  private final SetVerifier sets = new SetVerifier();

  /**
   * Reads through {@code files}, which stays open.
   *
   * @param inFlight how many files are read at once: {@link #IN_FLIGHT_REMOTE} or {@link
   *     #IN_FLIGHT_LOCAL}
   */
  public FolderVerifier(FileTree files, int inFlight) {
    this(files, inFlight, new FileVerifier(files));
  }

  /** As the other, and looks at values too. */
  public FolderVerifier(FileTree files, int inFlight, ValueVerifier values) {
    this(files, inFlight, new FileVerifier(files, values), values);
  }

  FolderVerifier(FileTree files, int inFlight, FileVerifier verifier) {
    this(files, inFlight, verifier, ValueVerifier.NONE);
  }

  private FolderVerifier(
      FileTree files, int inFlight, FileVerifier verifier, ValueVerifier values) {
    this.files = files;
    this.inFlight = inFlight;
    this.verifier = verifier;
    this.values = values;
    this.lister = new FolderLister(files);
  }

  /**
   * Verifies everything at {@code paths}; blocks until it is done. Each folder is one set, of which
   * the number of samples is checked; files that are named one by one are verified whatever their
   * names are.
   *
   * @param events takes {@link Event.FileChecked} and {@link Event.Found}, from this thread
   * @throws IOException when the connection is gone, or a folder has more than a million entries
   */
  public VerifyResult verify(List<String> paths, Expectation expected, EventSink events)
      throws IOException {
    List<FileVerdict> verdicts = new ArrayList<>();
    List<Finding> setFindings = new ArrayList<>();
    List<FileStat> loose = new ArrayList<>();
    int folders = 0;
    for (String path : paths) {
      List<FileVerdict> unread = new ArrayList<>();
      Optional<FileStat> there = lister.stat(path, unread);
      unread.forEach(verdict -> report(verdict, verdicts, events));
      if (there.isPresent() && there.get().kind() == FileKind.FOLDER) {
        folders++;
        verifyFolder(path, expected, events, verdicts, setFindings);
      } else {
        there.ifPresent(loose::add);
      }
    }
    // A file that was named beside its folder has been looked at.
    Set<String> seen = new HashSet<>();
    verdicts.forEach(verdict -> seen.add(verdict.path()));
    loose.removeIf(file -> seen.contains(file.path()));
    if (!loose.isEmpty()) {
      List<FileVerdict> checked = verifyAll(VerifyEntry.plain(loose), expected, events);
      verdicts.addAll(checked);
      String subject = loose.size() == 1 ? loose.get(0).path() : loose.size() + " files";
      report(sets.alike(subject, checked, expected), setFindings, events);
    }
    report(values.verifyTogether(), setFindings, events);
    OptionalLong wanted =
        folders == 1 && expected.samples().isPresent()
            ? OptionalLong.of(expected.samples().map(Sourced::value).orElse(0L))
            : OptionalLong.empty();
    return new VerifyResult(verdicts, setFindings, wanted);
  }

  private void verifyFolder(
      String folder,
      Expectation expected,
      EventSink events,
      List<FileVerdict> verdicts,
      List<Finding> setFindings)
      throws IOException {
    FolderLister.Listing listing = lister.list(folder);
    listing.unread().forEach(verdict -> report(verdict, verdicts, events));
    if (!listing.isListed()) {
      return;
    }
    List<FileStat> entries = listing.entries();
    Map<String, FileVerdict> shards = new ShardSetVerifier(files).verify(folder, entries, expected);
    List<FileVerdict> checked =
        verifyAll(VerifyEntry.withShards(entries, shards), expected, events);
    verdicts.addAll(checked);
    if (!shards.isEmpty()) {
      report(values.leftOut(folder), setFindings, events);
      return;
    }
    List<Finding> mixture = MixtureCheck.check(folder, checked);
    boolean mixed = mixture.stream().anyMatch(found -> found.code().equals("set.schemas-differ"));
    // Files of two programs have two shapes, which need not be said as well.
    List<Finding> ofSet =
        sets.verify(folder, checked, expected).stream()
            .filter(found -> !(mixed && found.code().equals("set.shapes-differ")))
            .toList();
    report(ofSet, setFindings, events);
    report(mixture, setFindings, events);
  }

  /** The verdicts in the order of the entries, each reported once it is at the front. */
  private List<FileVerdict> verifyAll(
      List<VerifyEntry> entries, Expectation expected, EventSink events) throws IOException {
    List<FileVerdict> verdicts = new ArrayList<>(entries.size());
    FileProgress progress = new FileProgress(entries.size(), values != ValueVerifier.NONE, events);
    new InFlight("verify", inFlight, 2 * inFlight)
        .each(
            inRows(entries),
            row -> verdicts(row, expected),
            done -> {
              done.forEach(verdict -> report(verdict, verdicts, events));
              progress.done(verdicts.size());
            });
    return verdicts;
  }

  private List<List<VerifyEntry>> inRows(List<VerifyEntry> entries) {
    boolean isQuick =
        inFlight <= IN_FLIGHT_LOCAL
            && values == ValueVerifier.NONE
            && entries.size() >= LEAST_FOR_ROWS;
    int length = isQuick ? ROW_LOCAL : 1;
    List<List<VerifyEntry>> rows = new ArrayList<>();
    for (int at = 0; at < entries.size(); at += length) {
      rows.add(entries.subList(at, Math.min(at + length, entries.size())));
    }
    return rows;
  }

  private List<FileVerdict> verdicts(List<VerifyEntry> row, Expectation expected)
      throws IOException {
    List<FileVerdict> verdicts = new ArrayList<>(row.size());
    for (VerifyEntry entry : row) {
      verdicts.add(verdict(entry, expected));
    }
    return verdicts;
  }

  private FileVerdict verdict(VerifyEntry entry, Expectation expected) throws IOException {
    @Nullable FileStat file = entry.file();
    return file == null || entry.known().isPresent()
        ? entry.known().orElseThrow()
        : verifier.verify(file, expected);
  }

  private static void report(FileVerdict verdict, List<FileVerdict> verdicts, EventSink events) {
    verdicts.add(verdict);
    events.emit(verdict.event());
    verdict.findings().forEach(finding -> events.emit(new Event.Found(finding)));
  }

  private static void report(List<Finding> found, List<Finding> findings, EventSink events) {
    findings.addAll(found);
    found.forEach(finding -> events.emit(new Event.Found(finding)));
  }
}
