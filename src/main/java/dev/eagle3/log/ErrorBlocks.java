package dev.eagle3.log;

import dev.eagle3.extractor.LogFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The errors of a log in their order, and which of them is the root of what followed. The first one
 * counts that its worker did not survive. Errors without a traceback that no rule names are what
 * programs log and survive; they count only when there is nothing else.
 */
final class ErrorBlocks {
  /** A log of nothing but errors needs no more memory than this many blocks. */
  private static final int MOST = 64;

  private final List<ErrorBlock> blocks = new ArrayList<>();

  void add(ErrorBlock block) {
    if (blocks.size() < MOST || makeRoom()) {
      blocks.add(block);
    }
  }

  private boolean makeRoom() {
    for (Predicate<ErrorBlock> dispensable :
        List.<Predicate<ErrorBlock>>of(
            block -> block.isSurvived() && isPlain(block),
            block -> block.isNoise(),
            block -> block != blocks.get(0) && isPlain(block),
            ErrorBlock::isSurvived)) {
      for (ErrorBlock block : blocks) {
        if (dispensable.test(block)) {
          return blocks.remove(block);
        }
      }
    }
    return false;
  }

  /** The worker goes on after all that it said so far. */
  void survive(String worker) {
    for (ErrorBlock block : blocks) {
      if (block.worker().equals(worker)) {
        block.markSurvived();
      }
    }
  }

  private static boolean isPlain(ErrorBlock block) {
    return !block.isNamed() && !block.isReport() && !block.hasTraceback();
  }

  /** What everything else follows from; empty when no error ended anything. */
  Optional<ErrorBlock> root() {
    Optional<ErrorBlock> fatal = first(ErrorBlocks::isCause);
    boolean reported = first(block -> isFatal(block) && block.isReport()).isPresent();
    Optional<ErrorBlock> kernel =
        fatal.isEmpty() || isGone(fatal.get()) ? first(ErrorBlocks::isKernel) : Optional.empty();
    return first(block -> is(block, LogFailure.Kind.VERDICT))
        .or(() -> kernel)
        .or(() -> fatal)
        .or(() -> reported ? survived() : Optional.empty())
        .or(() -> reported ? last(ErrorBlocks::isOwnTraceback) : Optional.empty())
        .or(() -> first(block -> isFatal(block) && block.isReport()));
  }

  /** The last error that a rule names and its worker went on after. */
  Optional<ErrorBlock> survived() {
    return last(block -> block.isNamed() && !block.isNoise());
  }

  /** An error that ended something, and says what it was, is among them already. */
  boolean hasCause() {
    return first(ErrorBlocks::isCause).isPresent();
  }

  private static boolean isOwnTraceback(ErrorBlock block) {
    return block.hasTraceback() && !block.isNoise() && !block.isReport();
  }

  /** How many other processes ended with an error of their own after the root. */
  int followers() {
    Optional<ErrorBlock> root = root();
    return root.isEmpty()
        ? 0
        : (int)
            blocks.stream()
                .skip(blocks.indexOf(root.get()) + 1L)
                .filter(block -> isFatal(block) && block.hasTraceback())
                .map(ErrorBlock::worker)
                .filter(worker -> !worker.equals(root.get().worker()))
                .distinct()
                .count();
  }

  /** The lines of the root, or else of the first error that nobody went on after. */
  List<String> shown() {
    return root()
        .or(() -> first(block -> !block.isSurvived() && !block.isNoise()))
        .or(() -> last(block -> !block.isNoise()))
        .map(ErrorBlock::shown)
        .orElse(List.of());
  }

  private static boolean isFatal(ErrorBlock block) {
    return !block.isNoise() && !block.isSurvived() && !isPlain(block);
  }

  private static boolean isCause(ErrorBlock block) {
    return isFatal(block) && !block.isReport();
  }

  private static boolean isGone(ErrorBlock block) {
    return is(block, LogFailure.Kind.GONE);
  }

  private static boolean isKernel(ErrorBlock block) {
    return is(block, LogFailure.Kind.KERNEL);
  }

  private static boolean is(ErrorBlock block, LogFailure.Kind kind) {
    return block.failure().filter(line -> line.rule().kind() == kind).isPresent();
  }

  private Optional<ErrorBlock> first(Predicate<ErrorBlock> which) {
    return blocks.stream().filter(which).findFirst();
  }

  private Optional<ErrorBlock> last(Predicate<ErrorBlock> which) {
    return blocks.stream().filter(which).reduce((before, after) -> after);
  }
}
