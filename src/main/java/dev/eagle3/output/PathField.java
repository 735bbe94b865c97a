package dev.eagle3.output;

/** Paths as the scripts of this package print them, so that any path is one field of one line. */
final class PathField {
  private PathField() {}

  /** The path behind a field: {@code \\}, {@code \t}, {@code \r}, {@code \n} are taken back. */
  static String path(String field) {
    StringBuilder path = new StringBuilder(field.length());
    boolean escaped = false;
    for (int at = 0; at < field.length(); at++) {
      char character = field.charAt(at);
      if (escaped) {
        path.append(meant(character));
        escaped = false;
      } else if (character == '\\') {
        escaped = true;
      } else {
        path.append(character);
      }
    }
    return path.toString();
  }

  private static char meant(char escaped) {
    return switch (escaped) {
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'n' -> '\n';
      default -> escaped;
    };
  }
}
