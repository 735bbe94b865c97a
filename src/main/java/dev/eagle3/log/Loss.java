package dev.eagle3.log;

/**
 * What a log says of samples that are missing.
 *
 * @param line the first line that says it
 * @param lines how many lines say such a thing
 */
public record Loss(FailureLine line, long lines) {}
