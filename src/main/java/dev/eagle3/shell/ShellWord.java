package dev.eagle3.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * One word of shell text.
 *
 * @param source as it was typed, with its quotes
 * @param pieces what it is made of, quotes taken off
 */
public record ShellWord(String source, List<Piece> pieces) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)\\})");

  /** Copies the list. */
  public ShellWord {
    pieces = List.copyOf(pieces);
  }

  /**
   * A part of a word.
   *
   * @param text the characters; of an expansion, as it was typed: {@code $HOME}, {@code $(id)}
   * @param quoted whether it stood in quotes
   * @param expansion whether a shell would put something else in its place
   */
  public record Piece(String text, boolean quoted, boolean expansion) {
    /** The name of the variable, if it is nothing but a variable; {@code HOME} for a tilde. */
    public Optional<String> variable() {
      if (!expansion) {
        return Optional.empty();
      }
      if (text.equals("~")) {
        return Optional.of("HOME");
      }
      var matcher = VARIABLE.matcher(text);
      return matcher.matches()
          ? Optional.of(matcher.group(1) == null ? matcher.group(2) : matcher.group(1))
          : Optional.empty();
    }
  }

  /**
   * A variable that a word sets.
   *
   * @param value the rest of the word; its source too
   */
  public record Assignment(String name, ShellWord value) {}

  /** The word without its quotes; expansions stay as they were typed. */
  public String text() {
    StringBuilder text = new StringBuilder();
    pieces.forEach(piece -> text.append(piece.text()));
    return text.toString();
  }

  /** Whether a shell would make exactly {@link #text} of it. */
  public boolean isPlain() {
    return expansions().isEmpty() && !isPattern();
  }

  /** What a shell would replace, as it was typed. */
  public List<String> expansions() {
    return pieces.stream().filter(Piece::expansion).map(Piece::text).toList();
  }

  /** Whether a shell would look for files of such names. */
  public boolean isPattern() {
    return pieces.stream()
        .anyMatch(
            piece ->
                !piece.quoted()
                    && !piece.expansion()
                    && piece.text().chars().anyMatch(c -> "*?[".indexOf(c) >= 0));
  }

  /** The word with the variables put in that are known; all others stay. */
  public ShellWord with(Function<String, Optional<String>> known) {
    List<Piece> filled = new ArrayList<>();
    for (Piece piece : pieces) {
      Optional<String> value = piece.variable().flatMap(known);
      filled.add(value.map(text -> new Piece(text, true, false)).orElse(piece));
    }
    return new ShellWord(source, filled);
  }

  /** The same characters as if they had stood outside of quotes. */
  public ShellWord unquoted() {
    return new ShellWord(
        source,
        pieces.stream().map(piece -> new Piece(piece.text(), false, piece.expansion())).toList());
  }

  /** What it sets, if it is {@code NAME=value} with the name outside of quotes. */
  public Optional<Assignment> assignment() {
    if (pieces.isEmpty() || pieces.get(0).quoted() || pieces.get(0).expansion()) {
      return Optional.empty();
    }
    Piece first = pieces.get(0);
    int equals = first.text().indexOf('=');
    if (equals < 0 || !NAME.matcher(first.text().substring(0, equals)).matches()) {
      return Optional.empty();
    }
    String rest = first.text().substring(equals + 1);
    List<Piece> value = new ArrayList<>();
    if (rest.equals("~") || rest.startsWith("~/")) {
      value.add(new Piece("~", false, true));
      rest = rest.substring(1);
    }
    if (!rest.isEmpty()) {
      value.add(new Piece(rest, false, false));
    }
    value.addAll(pieces.subList(1, pieces.size()));
    return Optional.of(
        new Assignment(
            first.text().substring(0, equals),
            new ShellWord(source.substring(source.indexOf('=') + 1), value)));
  }
}
