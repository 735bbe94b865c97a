package dev.eagle3.profile;

import dev.eagle3.outcome.Failure;
import dev.eagle3.yaml.YamlNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Readers of single values. */
final class ScalarReaders {
  private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,9}");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{0,9}\\.?[0-9]{1,30}");
  private static final Pattern HOST_WRONG = Pattern.compile("[\\s\\p{Cntrl}]");

  private ScalarReaders() {}

  /** Any text, also an empty one, that an argument or variable of a process can hold. */
  static Optional<String> anyText(YamlNode node, Place place, Consumer<Failure> problems) {
    if (!(node instanceof YamlNode.Text text)) {
      problems.accept(place.problem("must be a text, not " + node.kind()));
      return Optional.empty();
    }
    if (text.text().indexOf('\0') >= 0) {
      problems.accept(place.problem("holds a NUL character, which no program can be given"));
      return Optional.empty();
    }
    if (text.text().codePoints().anyMatch(ScalarReaders::isSurrogate)) {
      problems.accept(place.problem("holds half a surrogate pair, which is no character"));
      return Optional.empty();
    }
    return Optional.of(text.text());
  }

  /** A text that is not empty. */
  static Optional<String> text(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<String> text = anyText(node, place, problems);
    if (text.isPresent() && text.get().isEmpty()) {
      problems.accept(place.problem("is empty"));
      return Optional.empty();
    }
    return text;
  }

  /** An absolute path of the host; slashes at its end are taken off. */
  static Optional<String> path(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<String> text = text(node, place, problems);
    if (text.isEmpty()) {
      return text;
    }
    String path = text.get();
    if (!path.startsWith("/")) {
      String tilde = path.startsWith("~") ? "; ~ is not expanded" : "";
      problems.accept(place.problem("must be an absolute path on the host, not " + path + tilde));
      return Optional.empty();
    }
    int end = path.length();
    while (end > 1 && path.charAt(end - 1) == '/') {
      end--;
    }
    return Optional.of(path.substring(0, end));
  }

  /** A host as {@code ssh} takes it, or {@code local}. */
  static Optional<String> host(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<String> host = text(node, place, problems);
    if (host.isPresent() && (host.get().startsWith("-") || HOST_WRONG.matcher(host.get()).find())) {
      problems.accept(place.problem("is no host: " + host.get()));
      return Optional.empty();
    }
    return host;
  }

  /** A whole number of 1 or more. */
  static Optional<Integer> count(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<String> text = text(node, place, problems);
    Optional<Integer> number = text.flatMap(ScalarReaders::whole);
    if (text.isPresent() && number.filter(value -> value >= 1).isEmpty()) {
      problems.accept(place.problem("must be a whole number of 1 or more, not " + text.get()));
      return Optional.empty();
    }
    return number;
  }

  /** A decimal number over 0 and up to 1, as it was written. */
  static Optional<String> share(YamlNode node, Place place, Consumer<Failure> problems) {
    Optional<String> text = text(node, place, problems);
    if (text.isPresent() && !isShare(text.get())) {
      problems.accept(place.problem("must be a number over 0 and up to 1, not " + text.get()));
      return Optional.empty();
    }
    return text;
  }

  /** One of some words. */
  static ValueReader<String> choice(List<String> words) {
    return (node, place, problems) -> {
      Optional<String> text = text(node, place, problems);
      if (text.isPresent() && !words.contains(text.get())) {
        problems.accept(
            place.problem("must be one of " + String.join(", ", words) + ", not " + text.get()));
        return Optional.empty();
      }
      return text;
    };
  }

  /** The number that digits without a sign or leading zeros write, if an int holds it. */
  static Optional<Integer> whole(String digits) {
    if (!WHOLE.matcher(digits).matches()) {
      return Optional.empty();
    }
    long number = Long.parseLong(digits);
    return number <= Integer.MAX_VALUE ? Optional.of((int) number) : Optional.empty();
  }

  private static boolean isShare(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      return false;
    }
    BigDecimal number = new BigDecimal(text);
    return number.signum() > 0 && number.compareTo(BigDecimal.ONE) <= 0;
  }

  private static boolean isSurrogate(int point) {
    return point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
  }
}
