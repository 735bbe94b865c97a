package dev.eagle3.yaml;

import java.util.List;

/** A value of a YAML file and the line, from 1, on which it starts. */
public sealed interface YamlNode {

  /** The line, from 1. */
  int line();

  /** What it is, for messages: {@code a list}. */
  String kind();

  /** How a scalar was written. */
  enum Form {
    /** Text, quoted or not. */
    TEXT,
    /** An unquoted number. */
    NUMBER,
    /** Unquoted {@code true} or {@code false}. */
    TRUTH
  }

  /**
   * A scalar.
   *
   * @param text as it stands in the file, so that {@code 0.80} stays {@code 0.80}
   */
  record Text(int line, String text, Form form) implements YamlNode {
    @Override
    public String kind() {
      return switch (form) {
        case TEXT -> "a text";
        case NUMBER -> "a number";
        case TRUTH -> "true or false";
      };
    }
  }

  /** {@code null}, {@code ~}, or nothing after a colon. */
  record Nothing(int line) implements YamlNode {
    @Override
    public String kind() {
      return "nothing";
    }
  }

  /** A list. */
  record Items(int line, List<YamlNode> items) implements YamlNode {
    /** Copies the list. */
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** A map; the entries in the order of the file, repeated keys included. */
  record Entries(int line, List<Entry> entries) implements YamlNode {
    /** Copies the list. */
    public Entries {
      entries = List.copyOf(entries);
    }

    @Override
    public String kind() {
      return "a map";
    }
  }

  /** One entry of a map; the line is that of the key. */
  record Entry(int line, String key, YamlNode value) {}
}
