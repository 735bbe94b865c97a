package dev.eagle3.cause;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * One way in which the rows of samples may have come from their tokens.
 *
 * @param inShort the rule in words: {@code T = ⌈n / 8⌉}
 * @param settled whether its number is known, usual, or none is needed. A number that was fitted to
 *     the files proves nothing by a single length, which it always fits
 * @param fits whether a sample, whole or not, is as the rule says
 * @param arithmetic the rule with the numbers of a sample: {@code 64 = ⌈512 / 8⌉}
 * @param facts further facts that stand in evidence
 */
record TokenGuess(
    String inShort,
    boolean settled,
    Predicate<CountedSample> fits,
    Function<CountedSample, String> arithmetic,
    List<String> facts) {

  TokenGuess {
    facts = List.copyOf(facts);
  }
}
