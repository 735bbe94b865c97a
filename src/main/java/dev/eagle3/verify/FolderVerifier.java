package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.files.FileKind;
import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

  /** A folder of more entries is refused. */
  private static final int MOST_ENTRIES = 1_000_000;

  private final FileTree files;
  private final int inFlight;
  private final FileVerifier verifier;
  private final ValueVerifier values;
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
      Optional<FileStat> there = statOrReport(path, verdicts, events);
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
      List<FileVerdict> checked = verifyAll(plain(loose), expected, events);
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

  private Optional<FileStat> statOrReport(String path, List<FileVerdict> verdicts, EventSink events)
      throws IOException {
    try {
      Optional<FileStat> there = files.stat(path);
      if (there.isEmpty()) {
        reportUnread(path, "file.missing", "no such file or folder", verdicts, events);
      }
      return there;
    } catch (AccessDeniedException denied) {
      reportUnread(path, "file.unreadable", "permission denied", verdicts, events);
      return Optional.empty();
    }
  }

  private void verifyFolder(
      String folder,
      Expectation expected,
      EventSink events,
      List<FileVerdict> verdicts,
      List<Finding> setFindings)
      throws IOException {
    List<FileStat> entries = new ArrayList<>();
    if (!collect(folder, 0, entries, verdicts, events)) {
      return;
    }
    entries.sort(Comparator.comparing(FileStat::path, SampleName.NATURAL_ORDER));
    Map<String, FileVerdict> shards = new ShardSetVerifier(files).verify(folder, entries, expected);
    List<FileVerdict> checked = verifyAll(withShards(entries, shards), expected, events);
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

  /**
   * The entries, with the verdicts that are known already, and those on shards that are missing.
   */
  private static List<Entry> withShards(List<FileStat> entries, Map<String, FileVerdict> shards) {
    Map<String, FileVerdict> left = new HashMap<>(shards);
    List<Entry> all = new ArrayList<>(entries.size());
    for (FileStat file : entries) {
      Optional<FileVerdict> known = Optional.ofNullable(left.remove(file.path()));
      all.add(known.isPresent() ? new Entry(known.get()) : Entry.of(file));
    }
    left.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(SampleName.NATURAL_ORDER))
        .map(Map.Entry::getValue)
        .forEach(missing -> all.add(new Entry(missing)));
    return all;
  }

  /**
   * Everything in a folder, and in folders in it that hold samples as some schema lays them; false
   * when the folder cannot be listed.
   */
  private boolean collect(
      String folder,
      int depth,
      List<FileStat> entries,
      List<FileVerdict> verdicts,
      EventSink events)
      throws IOException {
    List<FileStat> here;
    try {
      here = files.list(folder, MOST_ENTRIES - entries.size());
    } catch (NoSuchFileException vanished) {
      reportUnread(folder, "file.missing", "it vanished", verdicts, events);
      return false;
    } catch (AccessDeniedException denied) {
      reportUnread(folder, "file.unreadable", "permission denied", verdicts, events);
      return false;
    }
    List<FileStat> deeper = SampleFolders.among(here, depth);
    Set<FileStat> lookedInto = Set.copyOf(deeper);
    here.stream().filter(entry -> !lookedInto.contains(entry)).forEach(entries::add);
    for (FileStat inner : deeper) {
      collect(inner.path(), depth + 1, entries, verdicts, events);
    }
    return true;
  }

  /** One file to look at, or one of which the verdict is known: skipped for its name, say. */
  private record Entry(@Nullable FileStat file, Optional<FileVerdict> skipped) {
    Entry(FileVerdict known) {
      this(null, Optional.of(known));
    }

    static Entry of(FileStat file) {
      String name = file.name();
      if (file.kind() == FileKind.FOLDER) {
        return skip(file, NameRules.whatFolder(name).orElse(FileVerdict.FOLDER), List.of());
      }
      Optional<String> why = NameRules.whyNoSample(name);
      if (why.isEmpty()) {
        return new Entry(file, Optional.empty());
      }
      List<Finding> findings =
          NameRules.isCopy(name)
              ? List.of(
                  Finding.of(
                      "file.copy",
                      Severity.NOTE,
                      file.path(),
                      "a name of the extractor",
                      why.get()))
              : List.of();
      return skip(file, why.get(), findings);
    }

    private static Entry skip(FileStat file, String why, List<Finding> findings) {
      return new Entry(
          file, Optional.of(FileVerdict.skipped(file.path(), file.bytes(), why, findings)));
    }
  }

  private static List<Entry> plain(List<FileStat> named) {
    return named.stream()
        .sorted(Comparator.comparing(FileStat::path, SampleName.NATURAL_ORDER))
        .map(file -> new Entry(file, Optional.empty()))
        .toList();
  }

  /** The verdicts in the order of the entries, each reported once it is at the front. */
  private List<FileVerdict> verifyAll(List<Entry> entries, Expectation expected, EventSink events)
      throws IOException {
    List<FileVerdict> verdicts = new ArrayList<>(entries.size());
    FileProgress progress = new FileProgress(entries.size(), values != ValueVerifier.NONE, events);
    Deque<Future<List<FileVerdict>>> ahead = new ArrayDeque<>();
    boolean rows =
        inFlight <= IN_FLIGHT_LOCAL
            && values == ValueVerifier.NONE
            && entries.size() >= LEAST_FOR_ROWS;
    int row = rows ? ROW_LOCAL : 1;
    ExecutorService readers = Executors.newFixedThreadPool(inFlight, FolderVerifier::reader);
    try {
      // Twice as many are asked for as run at once, so that a slow one at the front stalls nobody.
      int window = 2 * inFlight;
      for (int at = 0; at < entries.size(); at += row) {
        List<Entry> next = entries.subList(at, Math.min(at + row, entries.size()));
        ahead.add(readers.submit(() -> verdicts(next, expected)));
        if (ahead.size() >= window) {
          await(ahead.remove()).forEach(verdict -> report(verdict, verdicts, events));
          progress.done(verdicts.size());
        }
      }
      while (!ahead.isEmpty()) {
        await(ahead.remove()).forEach(verdict -> report(verdict, verdicts, events));
        progress.done(verdicts.size());
      }
    } finally {
      readers.shutdownNow();
    }
    return verdicts;
  }

  private List<FileVerdict> verdicts(List<Entry> row, Expectation expected) throws IOException {
    List<FileVerdict> verdicts = new ArrayList<>(row.size());
    for (Entry entry : row) {
      verdicts.add(verdict(entry, expected));
    }
    return verdicts;
  }

  private FileVerdict verdict(Entry entry, Expectation expected) throws IOException {
    @Nullable FileStat file = entry.file();
    return file == null || entry.skipped().isPresent()
        ? entry.skipped().orElseThrow()
        : verifier.verify(file, expected);
  }

  private static <T> T await(Future<T> answer) throws IOException {
    try {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return answer.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof IOException lost) {
        throw lost;
      }
      throw new IllegalStateException(failed.getCause());
    }
  }

  private static Thread reader(Runnable work) {
    Thread thread = new Thread(work, "verify");
    thread.setDaemon(true);
    return thread;
  }

  private static void reportUnread(
      String path, String code, String actual, List<FileVerdict> verdicts, EventSink events) {
    Finding why = Finding.of(code, Severity.ERROR, path, "a file or folder to read", actual);
    report(FileVerdict.unread(path, -1, why), verdicts, events);
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
