package dev.eagle3.tensor;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a pickle keeps by number, so as to name it again. */
final class PickleMemo {
  private static final int REFERENCE_BYTES = 8;

  /** How far beyond its entries an index may be. Writers number without gaps. */
  private static final int MOST_GAP = 65_536;

  private final PickleStack stack;
  private final List<@Nullable Node> nodes = new ArrayList<>();
  private int entries;

  PickleMemo(PickleStack stack) {
    this.stack = stack;
  }

  /** Keeps the top of the stack under an index. */
  void put(long index) throws PickleFault {
    if (index < 0 || index > 2L * entries + MOST_GAP) {
      throw PickleFault.invalid("memo index " + index);
    }
    while (nodes.size() <= index) {
      stack.charge(REFERENCE_BYTES);
      nodes.add(null);
    }
    if (nodes.set((int) index, stack.peek()) == null) {
      entries++;
    }
  }

  /** Keeps the top of the stack under the next index. */
  void memoize() throws PickleFault {
    put(entries);
  }

  /** Pushes what is kept under an index. */
  void get(long index) throws PickleFault {
    Node node = index >= 0 && index < nodes.size() ? nodes.get((int) index) : null;
    if (node == null) {
      throw PickleFault.invalid("nothing in the memo at index " + index);
    }
    stack.push(node, REFERENCE_BYTES);
  }
}
