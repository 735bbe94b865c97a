package dev.eagle3.cause;

import dev.eagle3.expect.Sourced;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * {@code layers.hidden-split}: the hidden dimension is split over the tensor-parallel ranks, and
 * one rank's part {@code [T, H / tp]} was saved.
 */
final class HiddenSplit implements CauseRule {
  /** How many ranks there usually are: all that is believed where no run says how many. */
  private static final Set<Long> USUAL = Set.of(2L, 4L, 8L, 16L);

  @Override
  public String code() {
    return "layers.hidden-split";
  }

  @Override
  public Optional<Cause> find(Symptoms symptoms) {
    Optional<Sourced<Long>> hiddenSize = symptoms.expected().hiddenSize();
    if (hiddenSize.isEmpty()) {
      return Optional.empty();
    }
    long whole = hiddenSize.get().value();
    List<FileVerdict> split = new ArrayList<>();
    long width = 0;
    for (FileVerdict file : symptoms.files()) {
      long own = widthOf(file);
      if (own == 0 || own == whole) {
        continue;
      }
      if (width != 0 && own != width) {
        return Optional.empty();
      }
      width = own;
      split.add(file);
    }
    if (width == 0 || width >= whole || whole % width != 0) {
      return Optional.empty();
    }
    long parts = whole / width;
    OptionalInt ranks = symptoms.run().tpSize();
    boolean fits = ranks.isPresent() ? ranks.getAsInt() == parts : USUAL.contains(parts);
    return fits
        ? Optional.of(cause(split, parts, width, hiddenSize.get(), symptoms.run()))
        : Optional.empty();
  }

  /** The width of a file whose layers are {@code [T, width]}; 0 for others. */
  private static long widthOf(FileVerdict file) {
    return file.shape()
        .filter(shape -> shape.hiddenSize().isPresent() && shape.tokens().isPresent())
        .filter(shape -> shape.runs().get(0).shape().get(0) == shape.tokens().getAsLong())
        .map(shape -> shape.hiddenSize().getAsLong())
        .orElse(0L);
  }

  private Cause cause(
      List<FileVerdict> split, long parts, long width, Sourced<Long> whole, RunFacts run) {
    List<String> evidence = new ArrayList<>();
    FileVerdict first = split.get(0);
    evidence.add(
        first.path().substring(first.path().lastIndexOf('/') + 1)
            + ": "
            + first.says()
            + ", and "
            + width
            + " = "
            + whole.value()
            + " / "
            + parts);
    evidence.add(
        split.size() == 1
            ? "1 file"
            : String.format(Locale.ROOT, "all %,d files of another hidden size", split.size()));
    evidence.add("hidden size " + whole.value() + " from " + whole.source());
    boolean known = run.tpSize().isPresent();
    evidence.add(
        known
            ? "tensor parallel size " + parts + " of " + run.source()
            : "the tensor parallel size is not known: files of another model, with a hidden size of "
                + width
                + ", would look the same");
    return new Cause(
        code(),
        (known ? "" : "probably, ")
            + "the hidden dimension was split over the tensor-parallel ranks, and only the part of"
            + " one rank was saved. The columns of the other ranks are gone",
        evidence,
        "",
        "capture where the hidden states are whole on every rank: what a decoder layer returns"
            + " (hidden_states + residual), after its all-reduce, and not inside of it; or gather"
            + " the columns with tensor_model_parallel_all_gather. Then extract again",
        split.stream().map(FileVerdict::path).toList());
  }
}
