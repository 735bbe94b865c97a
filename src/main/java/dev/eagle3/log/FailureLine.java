package dev.eagle3.log;

import dev.eagle3.extractor.LogFailure;

/**
 * A line of the log that a rule of the extractor names as a failure. Its texts hold parts of the
 * log: whoever prints them escapes them.
 *
 * @param rule the rule that found it
 * @param offset byte offset of the line in the log
 * @param line the line without worker prefixes
 * @param says the rule's sentence, with what the line gave for {@code $1} and its kin
 * @param tryNext what to try, filled in likewise
 */
public record FailureLine(LogFailure rule, long offset, String line, String says, String tryNext) {
  /** The code of the failure, {@code area.kebab-case}. */
  public String code() {
    return rule.code();
  }
}
