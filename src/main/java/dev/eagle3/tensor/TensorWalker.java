package dev.eagle3.tensor;

import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Mapping;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.SequenceKind;
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
 * other classes are counted and not looked into. Walks without recursion; a tree that nests too
 * deep, contains itself, or unfolds without end is a fault of the file.
 */
final class TensorWalker {
  /** About what one tensor of the answer takes in memory, beside its path. */
  private static final int BYTES_OF_ENTRY = 200;

  private final ReadLimits limits;
  private final TensorRebuilder rebuilder;
  private final List<String> keys = new ArrayList<>();
  private final List<Found> found = new ArrayList<>();
  private final Cases broken = new Cases();
  private final Cases unread = new Cases();
  private final Cases opaque = new Cases();
  private final Cases repeatedKeys = new Cases();
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final Set<Node> entered = new HashSet<>();
  private final Map<Call, RebuiltTensor> rebuilt = new HashMap<>();
  private long freeBytes;
  private int steps;

  /** A tensor and where it stands. */
  record Found(String path, String key, RebuiltTensor tensor) {}

  /** A container on the way from the root to where we are. */
  private static final class Frame {
    private final Node container;
    private final String path;
    private final String key;
    private final List<Node> items;
    private final @Nullable List<String> names;
    private int next;

    Frame(Node container, String path, String key, List<Node> items, @Nullable List<String> names) {
      this.container = container;
      this.path = path;
      this.key = key;
      this.items = items;
      this.names = names;
    }
  }

  TensorWalker(ReadLimits limits, TensorRebuilder rebuilder) {
    this.limits = limits;
    this.rebuilder = rebuilder;
    this.freeBytes = limits.treeBytes() / 2;
  }

  /** Walks from the root, once for each walker. */
  void walk(Node root) throws FileFault {
    visit(root, "", "");
    if (root instanceof Mapping && frames.peek() != null) {
      List<String> names = frames.peek().names;
      keys.addAll(names == null ? List.of() : names);
    }
    while (!frames.isEmpty()) {
      Frame frame = frames.element();
      if (frame.next == frame.items.size()) {
        frames.remove();
        entered.remove(frame.container);
        continue;
      }
      int index = frame.next++;
      Node item = frame.items.get(index);
      if (++steps > limits.entries()) {
        throw hostile("more than " + Findings.grouped(limits.entries()) + " objects");
      }
      if (item instanceof Mapping || item instanceof Sequence || item instanceof Call) {
        String name = frame.names == null ? null : frame.names.get(index);
        String path = path(frame.path, name, index);
        boolean atTop = frames.size() == 1;
        visit(item, path, atTop ? Objects.requireNonNullElse(name, "") : frame.key);
      }
    }
  }

  /** Top-level names, in order. */
  List<String> keys() {
    return keys;
  }

  List<Found> found() {
    return found;
  }

  /** Adds what is wrong with the tensors themselves. */
  void report(Findings findings) {
    findings.gather(
        Severity.ERROR,
        "file.tensor-invalid",
        "tensors that torch can rebuild",
        "tensors cannot be rebuilt",
        broken);
    findings.gather(
        Severity.WARNING,
        "file.tensor-unread",
        "tensors of a kind that is read",
        "tensors are of a kind that is not read yet",
        unread);
    findings.gather(
        Severity.WARNING,
        "file.opaque-object",
        "tensors in dicts, lists and tuples",
        "objects of other classes; tensors within them are not listed",
        opaque);
    findings.gather(
        Severity.WARNING,
        "file.duplicate-key",
        "each key of a dict once",
        "keys of a dict stand twice; the last counts",
        repeatedKeys);
  }

  private void visit(Node node, String path, String key) throws FileFault {
    if (node instanceof Call call) {
      tensor(call, path, key);
      return;
    }
    Frame frame = null;
    if (node instanceof Mapping mapping) {
      frame = frameOf(mapping, path, key);
    } else if (node instanceof Sequence sequence
        && (sequence.kind() == SequenceKind.LIST || sequence.kind() == SequenceKind.TUPLE)) {
      frame = new Frame(node, path, key, sequence.items(), null);
    }
    if (frame == null) {
      return;
    }
    if (!entered.add(node)) {
      throw hostile(Findings.place(path) + " contains itself");
    }
    if (frames.size() >= limits.depth()) {
      throw hostile("containers more than " + limits.depth() + " deep");
    }
    frames.push(frame);
  }

  private void tensor(Call call, String path, String key) {
    try {
      // One tensor may stand in many places; a hostile file has millions of them.
      RebuiltTensor tensor = rebuilt.get(call);
      if (tensor == null) {
        tensor = rebuilder.rebuild(call);
      }
      if (tensor != null) {
        rebuilt.put(call, tensor);
        found.add(new Found(path, key, tensor));
      } else {
        String type = call.global() == null ? "something unnamed" : call.global().qualifiedName();
        // A device, a complex number, bytes: what torch allows beside tensors holds none.
        if (!TorchNames.isAllowed(type)) {
          opaque.add(Findings.place(path) + " is made by " + Findings.shortened(type));
        }
      }
    } catch (TensorRebuilder.Unreadable fault) {
      (fault.isBroken() ? broken : unread).add(Findings.place(path) + ": " + fault.says());
    }
  }

  /** A dict with each key once: the first place, the last value, as Python has it. */
  private Frame frameOf(Mapping mapping, String path, String key) throws FileFault {
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
        repeatedKeys.add(Findings.place(path(path, names.get(place), 0)));
        items.set(place, mapping.values().get(index));
      }
    }
    if ((steps += size) > limits.entries()) {
      throw hostile("more than " + Findings.grouped(limits.entries()) + " objects");
    }
    return new Frame(mapping, path, key, items, names);
  }

  private String path(String parent, @Nullable String name, int index) throws FileFault {
    String path;
    if (name == null) {
      path = parent + "[" + index + "]";
    } else {
      path = parent.isEmpty() ? name : parent + "." + name;
    }
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
