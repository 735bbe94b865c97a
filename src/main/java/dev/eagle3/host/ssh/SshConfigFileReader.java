package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A simple reading of ssh_config(5), for machines without an {@code ssh} program: {@code Host}
 * sections with patterns and negation, values in quotes, {@code =}. {@code Include} and {@code
 * Match} are not followed, and noted.
 */
final class SshConfigFileReader {
  private static final long MOST_BYTES = 4L << 20;

  /** Of these the first value alone counts; all other words may stand several times. */
  private static final Set<String> SEVERAL = Set.of("identityfile", "certificatefile");

  private final Path file;
  private final boolean mustExist;

  /**
   * Reads one file.
   *
   * @param mustExist whether the user named it, so that its absence is a mistake
   */
  SshConfigFileReader(Path file, boolean mustExist) {
    this.file = file;
    this.mustExist = mustExist;
  }

  /**
   * What the file says for a host as the user named it.
   *
   * @throws Failure {@code LOCAL_FILE} when it cannot be read
   */
  SshOptions read(String host) {
    SshOptions options = new SshOptions();
    boolean holds = true;
    int number = 0;
    for (String line : lines()) {
      number++;
      List<String> words = words(line);
      if (words.isEmpty()) {
        continue;
      }
      String keyword = words.get(0).toLowerCase(Locale.ROOT);
      List<String> values = words.subList(1, words.size());
      switch (keyword) {
        case "host" -> holds = matches(values, host);
        case "match" -> {
          holds = false;
          options.note(file + ":" + number + ": Match is not followed without an ssh program");
        }
        case "include" -> {
          if (holds) {
            options.note(file + ":" + number + ": Include is not followed without an ssh program");
          }
        }
        default -> {
          if (holds && !values.isEmpty()) {
            add(options, keyword, values);
          }
        }
      }
    }
    return options;
  }

  /**
   * The words of a line: keyword first, {@code =} after it optional, double quotes around words
   * with blanks; none for a comment.
   */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    int at = 0;
    while (at < line.length()) {
      char c = line.charAt(at);
      if (Character.isWhitespace(c)) {
        at++;
      } else if (c == '#') {
        break;
      } else if (c == '=' && words.size() == 1) {
        at++;
      } else if (c == '"') {
        int end = line.indexOf('"', at + 1);
        end = end < 0 ? line.length() : end;
        words.add(line.substring(at + 1, end));
        at = end + 1;
      } else {
        int end = at;
        while (end < line.length() && !endsWord(line.charAt(end), words.isEmpty())) {
          end++;
        }
        words.add(line.substring(at, end));
        at = end;
      }
    }
    return words;
  }

  /** Whether patterns of a Host line hold for a name: one at least, and none of the negated. */
  static boolean matches(List<String> patterns, String name) {
    boolean found = false;
    for (String pattern : patterns) {
      boolean negated = pattern.startsWith("!");
      if (Wildcards.match(negated ? pattern.substring(1) : pattern, name)) {
        if (negated) {
          return false;
        }
        found = true;
      }
    }
    return found;
  }

  private static boolean endsWord(char c, boolean isKeyword) {
    return Character.isWhitespace(c) || (isKeyword && c == '=');
  }

  private static void add(SshOptions options, String keyword, List<String> values) {
    if (SEVERAL.contains(keyword)) {
      options.add(keyword, values.get(0));
    } else if (options.first(keyword).isEmpty()) {
      values.forEach(value -> options.add(keyword, value));
    }
  }

  private List<String> lines() {
    if (!mustExist && !Files.exists(file)) {
      return List.of();
    }
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw Failure.of(Exit.LOCAL_FILE, file.toString(), "too large for an ssh_config");
      }
      return new String(Files.readAllBytes(file), UTF_8).lines().toList();
    } catch (IOException unreadable) {
      throw Failure.of(Exit.LOCAL_FILE, file.toString(), "cannot be read").causedBy(unreadable);
    }
  }
}
