package dev.eagle3.launchline;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of a profile, to be written. */
sealed interface ProfileValue {
  /** {@code null}: no value, whatever the built-in profile says. */
  record Nothing() implements ProfileValue {}

  /** One text or number. */
  record Text(String text) implements ProfileValue {}

  /** A list of texts. */
  record Items(List<String> items) implements ProfileValue {
    /** Copies the list. */
    public Items {
      items = List.copyOf(items);
    }
  }

  /** Values by name. */
  record Pairs(Map<String, ProfileValue> pairs) implements ProfileValue {
    /** Copies the map, whose order stays. */
    public Pairs {
      pairs = Collections.unmodifiableMap(new LinkedHashMap<>(pairs));
    }
  }
}
