package dev.eagle3.cause;

/**
 * What is said of a cause whatever the files are.
 *
 * @param code its code
 * @param says what happened, in two sentences at the most, beginning with a small letter
 * @param where where the fault sits, or empty
 * @param fix what to do about it
 */
record CauseText(String code, String says, String where, String fix) {}
