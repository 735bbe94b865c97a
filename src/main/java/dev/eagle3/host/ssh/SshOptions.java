package dev.eagle3.host.ssh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What ssh_config says for one host: for most words the first value wins, as in OpenSSH. */
final class SshOptions {
  private final Map<String, List<String>> values = new LinkedHashMap<>();
  private final List<String> notes = new ArrayList<>();

  /** Adds a value; {@code keyword} in any case. */
  void add(String keyword, String value) {
    values.computeIfAbsent(keyword.toLowerCase(Locale.ROOT), key -> new ArrayList<>()).add(value);
  }

  /** Adds a sentence about something that was not followed. */
  void note(String sentence) {
    notes.add(sentence);
  }

  /** The first value of a keyword in lower case. */
  Optional<String> first(String keyword) {
    return all(keyword).stream().findFirst();
  }

  /** The first value unless it is {@code none}, which switches an option off. */
  Optional<String> firstSet(String keyword) {
    return first(keyword).filter(value -> !value.equalsIgnoreCase("none"));
  }

  /** All values of a keyword in lower case. */
  List<String> all(String keyword) {
    return values.getOrDefault(keyword, List.of());
  }

  /** What was not followed. */
  List<String> notes() {
    return List.copyOf(notes);
  }
}
