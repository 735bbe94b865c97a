package dev.eagle3.preflight;

import dev.eagle3.host.ScriptAnswer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The answer of a script, read without trust: a row that is cut short is passed over, and what is
 * no number is none.
 *
 * @param answer what the script said
 */
record Rows(ScriptAnswer answer) {
  /** Nothing was asked, or nothing was answered. */
  static final Rows NONE = new Rows(new ScriptAnswer(0, List.of(), ""));

  /** The rows of a word with at least so many fields. */
  List<List<String>> all(String word, int fields) {
    return answer.rows(word).stream().filter(row -> row.size() >= fields).toList();
  }

  /** The first row of a word with at least so many fields. */
  Optional<List<String>> first(String word, int fields) {
    return all(word, fields).stream().findFirst();
  }

  /** The first row of a word whose first field is {@code name}. */
  Optional<List<String>> named(String word, String name, int fields) {
    return all(word, fields).stream().filter(row -> row.get(0).equals(name)).findFirst();
  }

  /** A field of the first row; empty when it is not there or {@code -}. */
  Optional<String> text(String word, int field) {
    return first(word, field + 1).map(row -> row.get(field)).filter(text -> !text.equals("-"));
  }

  /** A field of the first row as a number from 0 on. */
  OptionalLong number(String word, int field) {
    return first(word, field + 1).map(row -> number(row.get(field))).orElseGet(OptionalLong::empty);
  }

  /** A whole number from 0 on; empty for anything else. */
  static OptionalLong number(String field) {
    return field.matches("[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(field))
        : OptionalLong.empty();
  }
}
