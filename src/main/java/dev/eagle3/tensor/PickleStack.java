package dev.eagle3.tensor;

import java.util.ArrayList;
import java.util.List;

/** The stack of a pickle with its marks, and the account of the memory that the tree takes. */
final class PickleStack {
  private final List<Node> nodes = new ArrayList<>();
  private final List<Integer> marks = new ArrayList<>();
  private long freeBytes;

  PickleStack(long treeBytes) {
    this.freeBytes = treeBytes;
  }

  void charge(long bytes) throws PickleFault {
    freeBytes -= bytes;
    if (freeBytes < 0) {
      throw PickleFault.limit("more objects than there is memory for");
    }
  }

  void push(Node node, long bytes) throws PickleFault {
    charge(bytes);
    nodes.add(node);
  }

  Node pop() throws PickleFault {
    if (!hasTop()) {
      throw underflow();
    }
    return nodes.remove(nodes.size() - 1);
  }

  Node peek() throws PickleFault {
    if (!hasTop()) {
      throw underflow();
    }
    return nodes.get(nodes.size() - 1);
  }

  void mark() throws PickleFault {
    charge(16);
    marks.add(nodes.size());
  }

  /** All nodes above the topmost mark, which goes. */
  List<Node> popToMark() throws PickleFault {
    if (marks.isEmpty()) {
      throw PickleFault.invalid("no mark");
    }
    List<Node> above = nodes.subList(marks.remove(marks.size() - 1), nodes.size());
    charge(8L * above.size());
    List<Node> items = new ArrayList<>(above);
    above.clear();
    return items;
  }

  /** {@code POP}: the topmost node, or the mark where that is on top. */
  void drop() throws PickleFault {
    if (!marks.isEmpty() && !hasTop()) {
      marks.remove(marks.size() - 1);
    } else {
      pop();
    }
  }

  boolean hasMarks() {
    return !marks.isEmpty();
  }

  /** Whether a pop would find something: nodes below the topmost mark are out of reach. */
  boolean hasTop() {
    return nodes.size() > fence();
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** The bottom of the stack: the object that the pickle is about. */
  Node bottom() {
    return nodes.get(0);
  }

  /** How many nodes a pop may not reach: those below the topmost mark. */
  private int fence() {
    return marks.isEmpty() ? 0 : marks.get(marks.size() - 1);
  }

  private PickleFault underflow() {
    return PickleFault.invalid(marks.isEmpty() ? "nothing on the stack" : "nothing above the mark");
  }
}
