package dev.eagle3.launchline;

import java.util.List;

/**
 * A key of a profile with its value.
 *
 * @param comments lines above it
 */
record ProfileEntry(String key, ProfileValue value, List<String> comments) {
  /** Copies the list. */
  ProfileEntry {
    comments = List.copyOf(comments);
  }

  static ProfileEntry of(String key, ProfileValue value, String... comments) {
    return new ProfileEntry(key, value, List.of(comments));
  }

  static ProfileEntry text(String key, String text, String... comments) {
    return of(key, new ProfileValue.Text(text), comments);
  }
}
