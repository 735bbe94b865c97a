package dev.eagle3.host.ssh;

import java.util.Map;

/** The tokens of ssh_config(5), {@code %h} and the like. */
final class PercentTokens {
  private PercentTokens() {}

  /**
   * The text with its tokens filled in; {@code %%} is a percent sign, tokens that are not known
   * here stay as they are.
   */
  static String expand(String text, Map<Character, String> tokens) {
    StringBuilder expanded = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      at++;
      if (c == '%' && at < text.length()) {
        char token = text.charAt(at);
        at++;
        expanded.append(token == '%' ? "%" : tokens.getOrDefault(token, "%" + token));
      } else {
        expanded.append(c);
      }
    }
    return expanded.toString();
  }
}
