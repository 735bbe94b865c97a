package dev.eagle3.host.ssh;

import java.util.List;

/** Patterns of ssh_config and known_hosts: {@code *} any text, {@code ?} one character. */
final class Wildcards {
  private Wildcards() {}

  /** Whether a list of patterns fits: one at least, and none of those with {@code !} before. */
  static boolean matchOne(List<String> patterns, String text) {
    boolean found = false;
    for (String pattern : patterns) {
      boolean negated = pattern.startsWith("!");
      if (match(negated ? pattern.substring(1) : pattern, text)) {
        if (negated) {
          return false;
        }
        found = true;
      }
    }
    return found;
  }

  /** Whether the whole text fits the pattern; in time of their product at most. */
  static boolean match(String pattern, String text) {
    int p = 0;
    int t = 0;
    int star = -1;
    int mark = 0;
    while (t < text.length()) {
      if (p < pattern.length() && pattern.charAt(p) == '*') {
        star = p++;
        mark = t;
      } else if (p < pattern.length()
          && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
        p++;
        t++;
      } else if (star >= 0) {
        p = star + 1;
        t = ++mark;
      } else {
        return false;
      }
    }
    while (p < pattern.length() && pattern.charAt(p) == '*') {
      p++;
    }
    return p == pattern.length();
  }
}
