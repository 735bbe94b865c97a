package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Mapping;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.SequenceKind;
import dev.eagle3.tensor.Node.Text;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tensors of a tree in dicts, lists and tuples, in order, with their paths. Objects of
 * other classes are named, and what they hold is found too, but marked: a program that loads the
 * file need not find it there. Walks without recursion; a tree that nests too deep, contains
 * itself, or unfolds without end is a fault of the file.
 */
final class TensorWalker {
  /** About what one tensor of the answer takes in memory, beside its path. */
  private static final int BYTES_OF_ENTRY = 200;

  /** Longer texts are not kept. */
  private static final int MOST_LETTERS_OF_A_TEXT = 16 << 10;

  private static final int MOST_TEXTS = 16;

  private final ReadLimits limits;
  private final TensorRebuilder rebuilder;
  private final List<String> keys = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();
  private final List<ArrayEntry> arrays = new ArrayList<>();
  private final Map<String, String> texts = new HashMap<>();
  private final WalkFaults faults = new WalkFaults();
  private final Deque<WalkFrame> frames = new ArrayDeque<>();
  private final Set<Node> entered = new HashSet<>();
  private final Set<Node> seenInside = new HashSet<>();
  private final Map<Call, RebuiltTensor> rebuilt = new HashMap<>();
  private long freeBytes;
  private int steps;

  /**
   * A tensor and where it stands.
   *
   * @param isInside whether that is within an object of another class
   */
  record Found(String path, String key, RebuiltTensor tensor, boolean isInside) {}

  TensorWalker(ReadLimits limits, TensorRebuilder rebuilder) {
    this.limits = limits;
    this.rebuilder = rebuilder;
    this.freeBytes = limits.treeBytes() / 2;
  }

  /** Walks from the root, once for each walker. */
  void walk(Node root) throws FileFault {
    visit(root, "", "", false);
    if (root instanceof Mapping && frames.peek() != null) {
      keys.addAll(frames.element().names());
    }
    while (!frames.isEmpty()) {
      WalkFrame frame = frames.element();
      if (frame.isDone()) {
        frames.remove();
        if (!frame.isInside()) {
          entered.remove(frame.container());
        }
        continue;
      }
      int index = frame.advance();
      Node item = frame.item(index);
      step(1);
      if (item instanceof Text text && frames.size() == 1) {
        keep(frame.name(index), text.value());
      }
      if (item instanceof Mapping || item instanceof Sequence || item instanceof Call) {
        boolean atTop = frames.size() == 1;
        String key = atTop ? Objects.requireNonNullElse(frame.name(index), "") : frame.key();
        visit(item, charged(frame.pathOf(index)), key, frame.isInside());
      }
    }
  }

  /** Top-level names, in order. */
  List<String> keys() {
    return keys;
  }

  /** Short texts right at the top, by name. */
  Map<String, String> texts() {
    return texts;
  }

  private void keep(@Nullable String name, String text) {
    if (name != null && texts.size() < MOST_TEXTS && text.length() <= MOST_LETTERS_OF_A_TEXT) {
      texts.put(name, text);
    }
  }

  List<Found> found() {
    return found;
  }

  List<ArrayEntry> arrays() {
    return arrays;
  }

  /** Adds what is wrong with the tensors themselves. */
  void report(Findings findings) {
    faults.report(findings);
  }

  private void visit(Node node, String path, String key, boolean isInside) throws FileFault {
    if (node instanceof Call call) {
      call(call, path, key, isInside);
    } else if (isInside) {
      // Objects may well refer to each other in circles; each container is looked into once.
      if (seenInside.add(node) && frames.size() < limits.depth()) {
        push(node, path, key, true);
      }
    } else if (push(node, path, key, false)) {
      if (!entered.add(node)) {
        throw hostile(Findings.place(path) + " contains itself");
      }
      if (frames.size() > limits.depth()) {
        throw hostile("containers more than " + limits.depth() + " deep");
      }
    }
  }

  /** Goes into a dict, list or tuple; false for anything else. */
  private boolean push(Node node, String path, String key, boolean isInside) throws FileFault {
    if (node instanceof Mapping mapping) {
      frames.push(frameOf(mapping, path, key, isInside));
      return true;
    }
    if (node instanceof Sequence sequence
        && (sequence.kind() == SequenceKind.LIST || sequence.kind() == SequenceKind.TUPLE)) {
      frames.push(WalkFrame.of(node, path, key, sequence.items(), null, isInside));
      return true;
    }
    return false;
  }

  private void call(Call call, String path, String key, boolean isInside) {
    try {
      // One tensor may stand in many places; a hostile file has millions of them.
      RebuiltTensor tensor = rebuilt.get(call);
      if (tensor == null) {
        tensor = rebuilder.rebuild(call);
      }
      if (tensor == null) {
        other(call, path, key, isInside);
        return;
      }
      rebuilt.put(call, tensor);
      found.add(new Found(path, key, tensor, isInside));
      if (isInside) {
        faults.inside(path, tensor);
      }
    } catch (UnreadableTensor fault) {
      faults.broken(path, fault);
    }
  }

  /** An array, a device, a number, or an object of a class that we know nothing of. */
  private void other(Call call, String path, String key, boolean isInside) {
    ArrayReader.@Nullable Array array = ArrayReader.read(call);
    if (array != null) {
      if (!isInside) {
        arrays.add(new ArrayEntry(path, array.dtype(), array.shape()));
      }
      return;
    }
    String type = call.global() == null ? "something unnamed" : call.global().qualifiedName();
    if (!isInside && !TorchNames.isPlain(type)) {
      faults.opaque(path, type);
    }
    if (seenInside.add(call) && frames.size() < limits.depth()) {
      frames.push(WalkFrame.of(call, path, key));
    }
  }

  /** A dict with each key once: the first place, the last value, as Python has it. */
  private WalkFrame frameOf(Mapping mapping, String path, String key, boolean isInside)
      throws FileFault {
    int size = mapping.keys().size();
    List<String> names = new ArrayList<>(size);
    List<Node> items = new ArrayList<>(size);
    Map<Object, Integer> places = new HashMap<>();
    for (int index = 0; index < size; index++) {
      Node node = mapping.keys().get(index);
      Integer place = places.putIfAbsent(DictKeys.identity(node), names.size());
      if (place == null) {
        names.add(DictKeys.name(node, limits.pathCharacters()));
        items.add(mapping.values().get(index));
      } else {
        faults.repeatedKey(path.isEmpty() ? names.get(place) : path + "." + names.get(place));
        items.set(place, mapping.values().get(index));
      }
    }
    step(size);
    return WalkFrame.of(mapping, path, key, items, names, isInside);
  }

  private void step(int count) throws FileFault {
    steps += count;
    if (steps > limits.entries()) {
      throw hostile("more than " + Findings.grouped(limits.entries()) + " objects");
    }
  }

  /** A path, paid for from what one file may cost. */
  private String charged(String path) throws FileFault {
    freeBytes -= BYTES_OF_ENTRY + path.length();
    if (path.length() > limits.pathCharacters() || freeBytes < 0) {
      throw hostile("more or longer paths than there is memory for");
    }
    return path;
  }

  static FileFault hostile(String what) {
    return new FileFault("file.hostile-nesting", "a tree of dicts, lists and tensors", what);
  }
}
