package dev.eagle3.cause;

import dev.eagle3.cause.ReplyUnwrapped.Batch;
import dev.eagle3.cause.ReplyUnwrapped.RowFile;
import dev.eagle3.expect.Sourced;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Words for the arithmetic of {@link ReplyUnwrapped}. */
final class ReplyEvidence {
  private static final int MOST_ADDENDS = 8;
  private static final int ADDENDS_OF_MANY = 3;

  private ReplyEvidence() {}

  /**
   * The facts of these batches: the sum of the first, the slice of its second sample, the first
   * sample for which H left nothing, whether batches are as large as the run says, and how many
   * more there are.
   */
  static List<String> of(
      List<Batch> batches, Optional<Sourced<Integer>> batchSize, int unexplained) {
    List<String> evidence = new ArrayList<>();
    Batch first = batches.get(0);
    evidence.add(sum(first));
    if (first.files().size() > 1) {
      evidence.add(slice(first.files().get(1), first.files().get(0).tokens()));
    }
    batches.stream()
        .filter(ReplyEvidence::hasEmpty)
        .findFirst()
        .ifPresent(batch -> evidence.add(beyond(batch)));
    if (batches.size() > 1) {
      long files = batches.stream().mapToLong(batch -> batch.files().size()).sum();
      evidence.add(
          String.format(
              Locale.ROOT, "the sums of all %,d batches agree, %,d files", batches.size(), files));
    }
    batchSize.ifPresent(size -> evidence.add(sizes(batches, size)));
    if (unexplained > 0) {
      evidence.add(
          String.format(
              Locale.ROOT, "%,d more of this kind, of batches that are not whole", unexplained));
    }
    return evidence;
  }

  private static String sum(Batch batch) {
    RowFile lead = batch.files().get(0);
    String cut =
        lead.length() == lead.tokens()
            ? "and T = " + lead.tokens() + " cut the hidden dimension"
            : "all of its H = " + lead.length() + " values, as T = " + lead.tokens() + " is more";
    return lead.tensors()
        + " tensors of ["
        + lead.length()
        + "]: "
        + addends(batch)
        + ": each token row of the first layer was taken for a layer, "
        + cut;
  }

  private static String addends(Batch batch) {
    List<RowFile> files = batch.files();
    if (files.size() == 1) {
      return batch.tensors() + " are the tokens of " + samples(files) + ", a batch of one";
    }
    List<String> tokens = files.stream().map(file -> String.valueOf(file.tokens())).toList();
    String sum =
        tokens.size() <= MOST_ADDENDS
            ? String.join(" + ", tokens)
            : String.join(" + ", tokens.subList(0, ADDENDS_OF_MANY))
                + " + … + "
                + tokens.get(tokens.size() - 1);
    return batch.tensors() + " = " + sum + ", the tokens of " + samples(files);
  }

  private static String samples(List<RowFile> files) {
    boolean numbered = files.stream().allMatch(file -> file.name().number().isPresent());
    List<String> names =
        files.stream()
            .map(file -> numbered ? String.valueOf(file.name().number().getAsLong()) : nameOf(file))
            .toList();
    String last = names.get(names.size() - 1);
    return switch (names.size()) {
      case 1 -> "sample " + last;
      case 2 -> "samples " + names.get(0) + " and " + last;
      default -> "samples " + names.get(0) + " to " + last;
    };
  }

  /** A batch is as large as the batch size; only the last may be smaller. */
  private static String sizes(List<Batch> batches, Sourced<Integer> batchSize) {
    int full = batches.stream().mapToInt(batch -> batch.files().size()).max().orElse(0);
    boolean agree = batches.size() == 1 ? full <= batchSize.value() : full == batchSize.value();
    return "batches of "
        + full
        + (agree ? ", as with the" : " by these sums, though the")
        + " batch size "
        + batchSize.value()
        + " of "
        + batchSize.source();
  }

  private static String slice(RowFile file, long offset) {
    return nameOf(file)
        + ": "
        + file.tensors()
        + " tensors of ["
        + file.length()
        + "], columns "
        + offset
        + " to "
        + (offset + file.length())
        + " of the same rows";
  }

  private static boolean hasEmpty(Batch batch) {
    return batch.files().stream().anyMatch(file -> file.length() == 0);
  }

  private static String beyond(Batch batch) {
    long offset = 0;
    for (RowFile file : batch.files()) {
      if (file.length() == 0) {
        return nameOf(file)
            + ": nothing is left for it, as its columns would begin at "
            + offset
            + batch.hiddenSize().stream()
                .mapToObj(size -> " and the hidden size is " + size)
                .collect(Collectors.joining());
      }
      offset += file.tokens();
    }
    return "";
  }

  private static String nameOf(RowFile file) {
    return file.path().substring(file.path().lastIndexOf('/') + 1);
  }
}
