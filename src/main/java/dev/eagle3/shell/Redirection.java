package dev.eagle3.shell;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where a command's input comes from or its output goes.
 *
 * @param descriptor the number before the operator
 * @param operator {@code >}, {@code >>}, {@code >|}, {@code &>}, {@code &>>}, {@code >&}, {@code
 *     <}, {@code <&}, {@code <>}, {@code <<} or {@code <<<}
 * @param target the word after it
 * @param document the text of a here-document
 */
public record Redirection(
    OptionalInt descriptor, String operator, ShellWord target, Optional<String> document) {

  /** The text that the command reads, if it stands in the line itself. */
  public Optional<String> input() {
    return operator.equals("<<<") ? Optional.of(target.text()) : document;
  }

  /** Whether a file takes the command's standard output. */
  public boolean takesOutput() {
    boolean toFile =
        operator.startsWith("&>")
            || operator.equals(">")
            || operator.equals(">>")
            || operator.equals(">|")
            || (operator.equals(">&") && !isDescriptor());
    return toFile && descriptor.orElse(1) == 1;
  }

  /** Whether a file takes the command's standard error, and that alone. */
  public boolean takesErrors() {
    return operator.startsWith(">") && !isDescriptor() && descriptor.orElse(1) == 2;
  }

  private boolean isDescriptor() {
    return operator.equals(">&") && target.text().matches("[0-9]+|-");
  }
}
