package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.law.Causes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Names the reasons behind what is wrong. Says nothing where the facts do not prove a reason. */
public final class CauseFinder {
  private static final List<CauseRule> RULES =
      Stream.of(
              Stream.of(new ReplyUnwrapped(), new HiddenSplit(), new BatchInOneFile()),
              LayerCauses.ALL.stream(),
              ValueCauses.ALL.stream())
          .flatMap(rules -> rules)
          .toList();

  /** How a batch in one file looks when only that file is looked at. */
  private static final List<String> OF_ONE_FILE =
      List.of("layers.batch-kept", "layers.whole-batch");

  private final TokenCounts tokenCounts = new TokenCounts();

  /**
   * The causes that these files prove, most telling first. Pure; may be called again and again
   * while a run brings files.
   *
   * @param files verdicts on files of any folders, in natural order
   * @param expected as they were verified against; the batch size and the hidden size make the
   *     proof stricter where they are known
   */
  public List<Cause> find(List<FileVerdict> files, Expectation expected) {
    return explain(files, expected, RunFacts.NONE).causes();
  }

  /**
   * As {@link #find}, with what explains some of the files where no cause explains all.
   *
   * @param run what the run that made them says of itself; makes some causes surer
   */
  public Explanation explain(List<FileVerdict> files, Expectation expected, RunFacts run) {
    Symptoms symptoms = new Symptoms(files, expected, run);
    List<Cause> causes = new ArrayList<>();
    RULES.stream().map(rule -> rule.find(symptoms)).flatMap(Optional::stream).forEach(causes::add);
    if (causes.stream().anyMatch(cause -> cause.code().equals(BatchInOneFile.CODE))) {
      // What each file looks like is then no cause of its own.
      causes.removeIf(cause -> OF_ONE_FILE.contains(cause.code()));
    }
    Explanation counts = tokenCounts.explain(symptoms);
    causes.addAll(counts.causes());
    return new Explanation(causes, counts.notes());
  }

  /** The codes of all causes that can be named. */
  public static List<String> codes() {
    return Stream.of(
            RULES.stream().map(CauseRule::code),
            TokenCounts.codes().stream(),
            Causes.codes().stream())
        .flatMap(codes -> codes)
        .toList();
  }
}
