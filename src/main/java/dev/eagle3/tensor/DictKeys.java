package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Big;
import dev.eagle3.tensor.Node.Constant;
import dev.eagle3.tensor.Node.Real;
import dev.eagle3.tensor.Node.Text;
import dev.eagle3.tensor.Node.Whole;

/** Keys of dicts: when two are one, and how paths name them. */
final class DictKeys {
  private DictKeys() {}

  /** What makes keys equal: the value where it is simple, else the node itself. */
  static Object identity(Node key) {
    if (key instanceof Text text) {
      return text.value();
    }
    return key instanceof Whole whole ? (Object) whole.value() : key;
  }

  /**
   * The key as a part of a path.
   *
   * @param mostCharacters the longest key that a path takes
   * @throws FileFault for a longer one
   */
  static String name(Node key, int mostCharacters) throws FileFault {
    if (key instanceof Text text) {
      if (text.value().length() > mostCharacters) {
        throw TensorWalker.hostile(
            "a key of " + Findings.grouped(text.value().length()) + " characters");
      }
      return text.value();
    }
    if (key instanceof Whole whole) {
      return Long.toString(whole.value());
    }
    if (key instanceof Constant constant) {
      return constant.word();
    }
    if (key instanceof Real real) {
      return Double.toString(real.value());
    }
    return key instanceof Big ? "(a large number)" : "(an object)";
  }
}
