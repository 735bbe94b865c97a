package dev.eagle3.verify.law;

import dev.eagle3.files.FileTree;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.InFlight;
import dev.eagle3.verify.Verdict;
import dev.eagle3.verify.deep.LayerRows;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tests saved samples against two laws that hold for every causal model, and need no threshold of
 * magnitude: rows depend on the ids before them only ({@link PrefixLaw}, {@link RowPrints}), and
 * the last layer predicts the next id ({@link PredictionLaw}). Reads some rows of each file, at the
 * most {@value #MOST_MIB} MiB of all, and of the model its last norm and some rows of its head.
 */
public final class LawVerifier {
  private static final int MOST_MIB = 256;
  private static final long MIB = 1 << 20;

  /** Rows of the head together, for tokens that are in play. */
  private static final long HEAD_BYTES = 5 * MIB;

  private static final int FEWEST_TOKENS = 64;
  private static final int MOST_TOKENS = 1024;
  private static final int MOST_FILES = 1024;

  /** Files stand in groups of neighbours, as samples of one batch are those that get swapped. */
  private static final int NEIGHBOURS = 8;

  /** Rows of so many files are in memory at once. */
  private static final int MOST_IN_FLIGHT = 16;

  private final FileTree files;
  private final InFlight inFlight;
  private final LayerRows rows;

  /**
   * Reads through {@code files}, which stays open.
   *
   * @param inFlight how many files are read at once, up to 16
   */
  public LawVerifier(FileTree files, int inFlight) {
    this.files = files;
    int most = Math.min(inFlight, MOST_IN_FLIGHT);
    this.inFlight = new InFlight("laws", most, most + 1);
    this.rows = new LayerRows(files);
  }

  /**
   * Tests those of the files that are good samples; blocks until it is done.
   *
   * @param verdicts of files in natural order, of one folder or more
   * @param modelFolder the model that the states come from, on the machine of the files; without
   *     one the second law is not tested
   * @param hiddenSize H, where it is known
   * @param events takes an {@link Event.Check} that says how much is read, before it is; the
   *     outcome is not reported
   * @throws IOException when the connection is gone
   */
  public LawOutcome verify(
      List<FileVerdict> verdicts,
      Optional<String> modelFolder,
      OptionalLong hiddenSize,
      EventSink events)
      throws IOException {
    LawWords words = new LawWords();
    List<FileVerdict> good =
        verdicts.stream()
            .filter(file -> file.verdict() == Verdict.GOOD && file.shape().isPresent())
            .toList();
    if (good.isEmpty()) {
      return new LawOutcome(List.of(), List.of());
    }
    Optional<HeadPlace> place = place(modelFolder, words);
    OptionalLong width = place.isPresent() ? OptionalLong.of(place.get().hiddenSize()) : hiddenSize;
    List<FileVerdict> picked = pick(good, bytesOf(good.get(0), width));
    List<LawSample> samples = new ArrayList<>();
    inFlight.each(picked, file -> open(file, width), opened -> opened.ifPresent(samples::add));
    events.emit(announcement(samples, good.size(), place));
    words.prefixes(new PrefixLaw(rows, samples, inFlight).check());
    Optional<PredictionLaw> law = predictionLaw(place, samples, words);
    RowPrints prints = new RowPrints();
    List<Prediction> predictions = new ArrayList<>();
    inFlight.each(
        samples,
        sample -> look(sample, law),
        found -> {
          found.ifPresent(look -> look.printTo(prints));
          found.flatMap(SampleLook::prediction).ifPresent(predictions::add);
        });
    words.predictions(predictions);
    words.copies(prints.copies(), predictions);
    return words.outcome();
  }

  private Optional<HeadPlace> place(Optional<String> modelFolder, LawWords words)
      throws IOException {
    if (modelFolder.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new HeadFinder(files).find(modelFolder.get()));
    } catch (UnusableModelException unusable) {
      words.notTested(modelFolder.get(), unusable.why());
    } catch (AccessDeniedException denied) {
      words.notTested(modelFolder.get(), "permission denied");
    }
    return Optional.empty();
  }

  private Optional<PredictionLaw> predictionLaw(
      Optional<HeadPlace> place, List<LawSample> samples, LawWords words) throws IOException {
    if (place.isEmpty()) {
      return Optional.empty();
    }
    List<LawSample> fitting =
        samples.stream().filter(sample -> sample.hiddenSize() == place.get().hiddenSize()).toList();
    if (fitting.isEmpty()) {
      if (!samples.isEmpty()) {
        words.otherWidth(samples.get(0), place.get());
      }
      return Optional.empty();
    }
    LanguageHead head = LanguageHead.read(files, place.get(), tokensInPlay(place.get(), fitting));
    return Optional.of(new PredictionLaw(head, fitting));
  }

  /** The ids that follow the rows that are looked at, and their neighbours; the most frequent. */
  private static List<Integer> tokensInPlay(HeadPlace place, List<LawSample> samples) {
    Map<Integer, Integer> counts = new HashMap<>();
    for (LawSample sample : samples) {
      Grid grid = Grid.of(sample);
      for (int index = 0; index < grid.count(); index++) {
        int row = grid.row(index);
        for (int next = row; next <= row + 2 && next < sample.tokens(); next++) {
          int id = sample.id(next);
          if (id >= 0 && id < place.vocabulary()) {
            counts.merge(id, 1, Integer::sum);
          }
        }
      }
    }
    long rowBytes = Math.max(1, 2L * place.hiddenSize());
    long most = Math.max(FEWEST_TOKENS, Math.min(MOST_TOKENS, HEAD_BYTES / rowBytes));
    return counts.entrySet().stream()
        .sorted(
            Map.Entry.<Integer, Integer>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(most)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Empty when the file cannot be read any more. */
  private Optional<SampleLook> look(LawSample sample, Optional<PredictionLaw> law)
      throws IOException {
    Grid grid = Grid.of(sample);
    try {
      float[] states =
          grid.count() == 0
              ? new float[0]
              : rows.rows(sample.path(), grid.rowsOf(sample), 0, grid.count());
      return Optional.of(
          new SampleLook(sample, grid, states, law.map(of -> of.judge(sample, grid, states))));
    } catch (NoSuchFileException | AccessDeniedException | EOFException vanished) {
      return Optional.empty();
    }
  }

  private Optional<LawSample> open(FileVerdict file, OptionalLong hiddenSize) throws IOException {
    try {
      return new SampleOpener(files).open(file, hiddenSize);
    } catch (NoSuchFileException | AccessDeniedException | EOFException vanished) {
      return Optional.empty();
    }
  }

  /** What is read of one file, estimated by the first. */
  private static long bytesOf(FileVerdict file, OptionalLong hiddenSize) {
    long width = hiddenSize.orElse(file.shape().orElseThrow().hiddenSize().orElse(8192));
    return Math.max(256 << 10, 64 * 2 * width) + 12 * 2 * width + (96 << 10);
  }

  /** Groups of neighbours, evenly over all files, as many as may be read. */
  private static List<FileVerdict> pick(List<FileVerdict> good, long bytes) {
    int most = (int) Math.max(NEIGHBOURS, Math.min(MOST_FILES, MOST_MIB * MIB / bytes));
    if (good.size() <= most) {
      return good;
    }
    int groups = most / NEIGHBOURS;
    List<FileVerdict> picked = new ArrayList<>();
    for (int group = 0; group < groups; group++) {
      int from = (int) ((long) group * (good.size() - NEIGHBOURS) / Math.max(1, groups - 1));
      picked.addAll(good.subList(from, from + NEIGHBOURS));
    }
    return picked.stream().distinct().toList();
  }

  private static Event.Check announcement(
      List<LawSample> samples, int of, Optional<HeadPlace> place) {
    long bytes = 0;
    for (LawSample sample : samples) {
      bytes += (Grid.of(sample).count() + 12L) * sample.rowBytes();
    }
    String says =
        String.format(
            Locale.ROOT,
            "reading %s of rows of %,d of %,d files%s",
            size(bytes),
            samples.size(),
            of,
            place.isPresent() ? ", and up to 5 MiB of the model's head" : "");
    return new Event.Check("samples", "laws", "ok", says);
  }

  private static String size(long bytes) {
    return bytes < MIB / 10
        ? String.format(Locale.ROOT, "%.0f KiB", Math.ceil(bytes / 1024.0))
        : String.format(Locale.ROOT, "%.1f MiB", (double) bytes / MIB);
  }
}
