package dev.eagle3.tensor;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pickle describes, as a tree: the objects that Python would make, unmade. Whatever holds
 * other nodes is a class and not a record: a hostile pickle nests them without end, or in
 * themselves, so they are compared by identity and never hashed by content.
 */
sealed interface Node {
  /** {@code None}, {@code True} and {@code False}. */
  enum Constant implements Node {
    NONE("None"),
    TRUE("True"),
    FALSE("False");

    private final String word;

    Constant(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** An integer of up to 64 bits. */
  record Whole(long value) implements Node {}

  /** An integer of more than 64 bits. */
  record Big(BigInteger value) implements Node {}

  /** A floating-point number. */
  record Real(double value) implements Node {}

  /** A string. */
  record Text(String value) implements Node {}

  /** Bytes, left where they stand in the pickle. */
  record Blob(int offset, int length) implements Node {}

  /** A class or function by name. It is never looked up. */
  record Global(String module, String name, String qualifiedName) implements Node {
    Global(String module, String name) {
      this(module, name, module + "." + name);
    }
  }

  /** An object that we have no use for: an out-of-band buffer. */
  record Other(String what) implements Node {}

  /** Which of Python's sequences. */
  enum SequenceKind {
    LIST,
    TUPLE,
    SET,
    FROZEN_SET
  }

  /** A list, tuple or set. */
  final class Sequence implements Node {
    private final SequenceKind kind;
    private final List<Node> items;

    Sequence(SequenceKind kind, List<Node> items) {
      this.kind = kind;
      this.items = items;
    }

    static Sequence empty(SequenceKind kind) {
      return new Sequence(kind, new ArrayList<>(0));
    }

    SequenceKind kind() {
      return kind;
    }

    List<Node> items() {
      return items;
    }
  }

  /** A dict, in the order it was filled; a key may stand twice, the last one counts. */
  final class Mapping implements Node {
    private final List<Node> keys = new ArrayList<>(0);
    private final List<Node> values = new ArrayList<>(0);

    void put(Node key, Node value) {
      keys.add(key);
      values.add(value);
    }

    List<Node> keys() {
      return keys;
    }

    List<Node> values() {
      return values;
    }
  }

  /**
   * A function to be called or a class to be made, with its arguments and what it is given then.
   */
  final class Call implements Node {
    private final Node function;
    private final Node arguments;
    private @Nullable Node state;
    private @Nullable Node content;

    Call(Node function, Node arguments) {
      this.function = function;
      this.arguments = arguments;
    }

    Node function() {
      return function;
    }

    /** Normally a tuple. */
    Node arguments() {
      return arguments;
    }

    /** What {@code __setstate__} would get, or the attributes; null when nothing is set. */
    @Nullable Node state() {
      return state;
    }

    void setState(Node newState) {
      state = newState;
    }

    /** A {@link Sequence} or {@link Mapping} of what is added afterwards; null for nothing. */
    @Nullable Node content() {
      return content;
    }

    void setContent(Node newContent) {
      content = newContent;
    }

    /** The function, when it is named. */
    @Nullable Global global() {
      return function instanceof Global global ? global : null;
    }

    /** The arguments, when they are a tuple; else none. */
    List<Node> items() {
      return arguments instanceof Sequence sequence ? sequence.items() : List.of();
    }
  }

  /** Something outside the pickle that its id points to: in torch files, a storage. */
  final class Persistent implements Node {
    private final Node id;

    Persistent(Node id) {
      this.id = id;
    }

    Node id() {
      return id;
    }
  }
}
