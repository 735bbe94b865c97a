package dev.eagle3.verify.deep;

import dev.eagle3.files.FileStat;
import dev.eagle3.files.FileTree;
import dev.eagle3.files.RangedBytes;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import dev.eagle3.tensor.TensorFileReader;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Finds files that hold the same layers. Keeps two numbers of each file. Where the layers alone are
 * equal by their number, the first few files are read again and compared bit by bit before anything
 * is said; where the token ids are too, which is no fault, both numbers are believed.
 */
final class FileComparer {
  private static final int MOST_READ_AGAIN = 3;

  private final FileTree files;

  /** By path: a file that changed meanwhile is looked at again. */
  private final Map<String, Seen> seen = new HashMap<>();

  FileComparer(FileTree files) {
    this.files = files;
  }

  /** A file by the hash of its layers, and that of its token ids. */
  private record Seen(String path, long layers, long ids) {}

  /** Takes what was found in a file. From many threads. */
  void add(String path, FileValues values) {
    long layers = Tally.seed();
    boolean telling = false;
    for (LayerValues layer : values.layers()) {
      layers = Tally.mixed(layers, layer.hash());
      layers = Tally.mixed(layers, layer.layer().shape().hashCode());
      telling |= !layer.isAllZero() && layer.totals().elements() > 1;
    }
    long ids = Tally.seed();
    for (Tokens sample : values.samples()) {
      for (long id : sample.ids()) {
        ids = Tally.mixed(ids, id);
      }
    }
    if (telling) {
      synchronized (seen) {
        seen.put(path, new Seen(path, layers, ids));
      }
    }
  }

  /** What is equal and should not be, and notes on what is the same sample twice. */
  List<Finding> findings() throws IOException {
    List<Seen> inOrder;
    synchronized (seen) {
      inOrder = new ArrayList<>(seen.values());
    }
    inOrder.sort(Comparator.comparing(Seen::path));
    Map<Long, Seen> first = new HashMap<>();
    List<String> same = new ArrayList<>();
    List<String> copied = new ArrayList<>();
    int readAgain = 0;
    for (Seen file : inOrder) {
      Seen before = first.putIfAbsent(file.layers(), file);
      if (before == null) {
        continue;
      }
      String line = file.path() + " and " + before.path();
      if (file.ids() == before.ids()) {
        same.add(line);
      } else if (readAgain++ >= MOST_READ_AGAIN || isEqual(before, file)) {
        copied.add(line);
      }
    }
    List<Finding> findings = new ArrayList<>();
    add(
        findings,
        "values.same-content",
        Severity.ERROR,
        "layers of its own for each sample",
        "the same layers in files with different token ids",
        copied);
    add(
        findings,
        "values.same-sample",
        Severity.NOTE,
        "each sample once",
        "the same token ids and layers in several files",
        same);
    return findings;
  }

  private static void add(
      List<Finding> findings,
      String code,
      Severity severity,
      String expected,
      String actual,
      List<String> pairs) {
    if (!pairs.isEmpty()) {
      String subject = Words.count(pairs.size()) + (pairs.size() == 1 ? " file" : " files");
      findings.add(new Finding(code, severity, subject, expected, actual, Words.first(pairs)));
    }
  }

  /** Whether both still are equal; one that cannot be read any more is not. */
  private boolean isEqual(Seen one, Seen other) throws IOException {
    try (OpenedSample first = open(one.path());
        OpenedSample second = open(other.path())) {
      return first != null && second != null && isEqual(first, second);
    } catch (ZipException | EOFException damaged) {
      return false;
    }
  }

  private static boolean isEqual(OpenedSample one, OpenedSample other) throws IOException {
    List<TensorEntry> layers = layers(one);
    List<TensorEntry> others = layers(other);
    if (layers.isEmpty() || layers.size() != others.size()) {
      return false;
    }
    LayerMatcher matcher = new LayerMatcher(one.files(), other.files());
    String path = one.header().name();
    String otherPath = other.header().name();
    for (int index = 0; index < layers.size(); index++) {
      if (!matcher.isEqual(path, layers.get(index), otherPath, others.get(index))) {
        return false;
      }
    }
    return true;
  }

  private @Nullable OpenedSample open(String path) throws IOException {
    Optional<FileStat> there = files.stat(path);
    if (there.isEmpty()) {
      return null;
    }
    TensorFile header = new TensorFileReader().read(RangedBytes.of(files, there.get()));
    return OpenedSample.of(files, there.get(), header).orElse(null);
  }

  private static List<TensorEntry> layers(OpenedSample opened) throws IOException {
    List<Tokens> samples = new TokensReader(opened.files()).read(opened.header());
    return new SampleViews(opened.header(), samples, OptionalLong.empty(), LayerViews::isStates)
        .views().stream().map(SampleViews.View::layer).toList();
  }
}
