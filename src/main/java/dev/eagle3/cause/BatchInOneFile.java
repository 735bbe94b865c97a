package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.SampleName;
import dev.eagle3.verify.SampleShape;
import dev.eagle3.verify.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code set.batch-in-one-file}: a file was saved for each batch, and not for each sample. There
 * are as many files as batches, and what is in them is more than a sample: layers {@code [B, T, H]}
 * of the B samples of the batch, or more rows than a sample may have. The number of files alone
 * would prove nothing: a run that was stopped at its half leaves as many. Of such a run the ids of
 * B samples have to stand in every file.
 */
final class BatchInOneFile implements CauseRule {
  static final String CODE = "set.batch-in-one-file";

  private static final int LEAST_FILES = 2;

  @Override
  public String code() {
    return CODE;
  }

  @Override
  public Optional<Cause> find(Symptoms symptoms) {
    Expectation expected = symptoms.expected();
    if (expected.samples().isEmpty() || expected.batchSize().isEmpty()) {
      return Optional.empty();
    }
    long samples = expected.samples().get().value();
    long size = expected.batchSize().get().value();
    List<FileVerdict> files =
        symptoms.files().stream()
            .filter(file -> file.verdict() != Verdict.SKIPPED && file.shape().isPresent())
            .toList();
    long batches = size < 2 ? 0 : (samples + size - 1) / size;
    if (samples < 2 || files.size() > batches || !areNumbered(files)) {
      return Optional.empty();
    }
    if (files.size() < batches) {
      // Of a run that was ended, or lives, only files that say it themselves prove it.
      return files.size() >= LEAST_FILES && files.stream().allMatch(BatchInOneFile::hasManyIds)
          ? stacked(files, samples, size).map(seen -> cause(files, seen, expected))
          : Optional.empty();
    }
    Optional<String> content =
        stacked(files, samples, size).or(() -> tooLong(files, expected.maxTokens()));
    return content.map(seen -> cause(files, seen, expected));
  }

  /** Whether its token ids are no list, as those of one sample are. */
  private static boolean hasManyIds(FileVerdict file) {
    return file.shape().orElseThrow().tokens().isEmpty();
  }

  private static boolean areNumbered(List<FileVerdict> files) {
    long next = 0;
    for (FileVerdict file : files) {
      if (SampleName.of(file.path()).number().orElse(-1) != next++) {
        return false;
      }
    }
    return true;
  }

  /** Every file {@code [B, T, H]}, the last with what is left. */
  private static Optional<String> stacked(List<FileVerdict> files, long samples, long size) {
    long left = samples;
    for (FileVerdict file : files) {
      long inBatch = Math.min(size, left);
      Optional<List<Long>> layer =
          file.shape().flatMap(SampleShape::layerShape).filter(sizes -> sizes.size() == 3);
      if (layer.isEmpty() || layer.get().get(0) != inBatch) {
        return Optional.empty();
      }
      left -= inBatch;
    }
    FileVerdict first = files.get(0);
    return Optional.of(
        nameOf(first)
            + ": "
            + first.says()
            + ", "
            + Math.min(size, samples)
            + " samples of T rows, in every file as many as its batch has");
  }

  private static Optional<String> tooLong(
      List<FileVerdict> files, Optional<Sourced<Integer>> limit) {
    if (limit.isEmpty()) {
      return Optional.empty();
    }
    long most = limit.get().value();
    return files.stream()
        .filter(file -> file.shape().orElseThrow().tokens().orElse(0) > most)
        .findFirst()
        .map(
            file ->
                nameOf(file)
                    + ": "
                    + file.shape().orElseThrow().tokens().orElse(0)
                    + " tokens, and a sample has "
                    + most
                    + " at the most by "
                    + limit.get().source());
  }

  private Cause cause(List<FileVerdict> files, String seen, Expectation expected) {
    Sourced<Long> samples = expected.samples().orElseThrow();
    Sourced<Integer> size = expected.batchSize().orElseThrow();
    List<String> evidence = new ArrayList<>();
    long batches = (samples.value() + size.value() - 1) / size.value();
    String ofAll = files.size() + " = ⌈" + samples.value() + " / " + size.value() + "⌉";
    String soFar = "the first of " + batches + " batches, and token ids are no list in any of them";
    evidence.add(
        files.size()
            + (files.size() == 1 ? " file for " : " files for ")
            + samples.value()
            + " samples in batches of "
            + size.value()
            + ": "
            + (files.size() == batches ? ofAll : soFar));
    evidence.add(seen);
    evidence.add(
        samples.value()
            + " samples from "
            + samples.source()
            + ", batch size "
            + size.value()
            + " of "
            + size.source());
    return new Cause(
        code(),
        "a file was saved for each batch, and not for each sample. Nothing is lost, but no reader of"
            + " samples can use these files",
        evidence,
        "",
        "save the samples of a batch one by one, each with its own token ids and rows (speculators"
            + " 0.3 and 0.4 do so), or use --batch-size 1",
        files.stream().map(FileVerdict::path).toList());
  }

  private static String nameOf(FileVerdict file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }
}
