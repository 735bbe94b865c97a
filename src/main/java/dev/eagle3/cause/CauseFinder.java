package dev.eagle3.cause;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import dev.eagle3.verify.law.Causes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Names the reasons behind what is wrong. Says nothing where the facts do not prove a reason. */
public final class CauseFinder {
  private static final List<CauseRule> RULES =
      Stream.concat(Stream.of(new ReplyUnwrapped()), ValueCauses.ALL.stream()).toList();

  /**
   * The causes that these files prove, most telling first. Pure; may be called again and again
   * while a run brings files.
   *
   * @param files verdicts on files of any folders, in natural order
   * @param expected as they were verified against; the batch size and the hidden size make the
   *     proof stricter where they are known
   */
  public List<Cause> find(List<FileVerdict> files, Expectation expected) {
    Symptoms symptoms = new Symptoms(files, expected);
    return RULES.stream().map(rule -> rule.find(symptoms)).flatMap(Optional::stream).toList();
  }

  /** The codes of all causes that can be named. */
  public static List<String> codes() {
    return Stream.concat(RULES.stream().map(CauseRule::code), Causes.codes().stream()).toList();
  }
}
