package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Mapping;
import dev.eagle3.tensor.Node.Persistent;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.SequenceKind;
import dev.eagle3.tensor.Node.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the opcodes of a pickle act on. Where Python would make an object, this makes a node. */
final class PickleMachine {
  /** Rough sizes in memory, counted against {@link ReadLimits#treeBytes}. */
  static final int REFERENCE = 8;

  static final int OBJECT = 64;

  private final PickleStack stack;
  private final PickleMemo memo;
  private final PickleFiller filler;
  private final Set<String> globals = new LinkedHashSet<>();
  private final List<Persistent> persistents = new ArrayList<>();
  private int protocol;

  PickleMachine(ReadLimits limits) {
    this.stack = new PickleStack(limits.treeBytes());
    this.memo = new PickleMemo(stack);
    this.filler = new PickleFiller(stack);
  }

  PickleStack stack() {
    return stack;
  }

  PickleMemo memo() {
    return memo;
  }

  int protocol() {
    return protocol;
  }

  Set<String> globals() {
    return globals;
  }

  List<Persistent> persistents() {
    return persistents;
  }

  void protocol(int version) throws PickleFault {
    if (version > 5) {
      throw PickleFault.invalid("pickle protocol " + version + " does not exist");
    }
    protocol = version;
  }

  void push(Node node) throws PickleFault {
    stack.push(node, REFERENCE);
  }

  void pushObject(Node node) throws PickleFault {
    stack.push(node, OBJECT);
  }

  void pushText(String text) throws PickleFault {
    stack.push(new Text(text), OBJECT + 2L * text.length());
  }

  void pushSequence(SequenceKind kind, List<Node> items) throws PickleFault {
    pushObject(new Sequence(kind, items));
  }

  // Containers.

  void tuple(int length) throws PickleFault {
    Node[] items = new Node[length];
    for (int index = length - 1; index >= 0; index--) {
      items[index] = stack.pop();
    }
    // Growable, as a set that is made from the tuple shares its items.
    pushSequence(SequenceKind.TUPLE, new ArrayList<>(Arrays.asList(items)));
  }

  void append() throws PickleFault {
    Node item = stack.pop();
    filler.add(stack.peek(), List.of(item));
  }

  void appends() throws PickleFault {
    List<Node> items = stack.popToMark();
    filler.add(stack.peek(), items);
  }

  void setItem() throws PickleFault {
    Node value = stack.pop();
    Node key = stack.pop();
    filler.set(stack.peek(), List.of(key, value));
  }

  void setItems() throws PickleFault {
    List<Node> items = stack.popToMark();
    filler.set(stack.peek(), items);
  }

  void dict() throws PickleFault {
    Mapping mapping = new Mapping();
    filler.set(mapping, stack.popToMark());
    pushObject(mapping);
  }

  // Objects.

  void global(String module, String name) throws PickleFault {
    Global global = PickleNames.global(module, name);
    if (globals.add(global.qualifiedName())) {
      stack.charge(OBJECT + 2L * global.qualifiedName().length());
    }
    pushObject(global);
  }

  void stackGlobal() throws PickleFault {
    Node name = stack.pop();
    Node module = stack.pop();
    if (!(name instanceof Text nameText && module instanceof Text moduleText)) {
      throw PickleFault.invalid("a global whose name is no text");
    }
    global(moduleText.value(), nameText.value());
  }

  /** A class or function by its number in a registry of the program that wrote the file. */
  void extension(long code) throws PickleFault {
    global("copyreg.extension", Long.toString(code));
  }

  /** A function called with a tuple of arguments, or a class made from one. */
  void call() throws PickleFault {
    Node arguments = stack.pop();
    Node function = stack.pop();
    Node known = PickleNames.container(function, arguments);
    pushObject(known == null ? new Call(function, arguments) : known);
  }

  /** As {@link #call}, with keyword arguments, which no class that we know takes. */
  void callWithKeywords() throws PickleFault {
    stack.pop();
    Node arguments = stack.pop();
    pushObject(new Call(stack.pop(), arguments));
  }

  /** {@code OBJ}: the class is the first item after the mark. */
  void callFromMark() throws PickleFault {
    List<Node> items = stack.popToMark();
    if (items.isEmpty()) {
      throw PickleFault.invalid("an object without a class");
    }
    push(items.get(0));
    pushSequence(SequenceKind.TUPLE, new ArrayList<>(items.subList(1, items.size())));
    call();
  }

  /** {@code INST}: the class is named in the opcode, the arguments follow the mark. */
  void callNamed(String module, String name) throws PickleFault {
    List<Node> items = stack.popToMark();
    global(module, name);
    pushSequence(SequenceKind.TUPLE, items);
    call();
  }

  /** Gives an object its state. That of a dict is dropped: {@code _metadata} of a state_dict. */
  void build() throws PickleFault {
    Node state = stack.pop();
    if (stack.peek() instanceof Call call) {
      call.setState(state);
    }
  }

  /**
   * What an unfinished pickle describes so far: the items after each mark go where they were meant
   * to go, those of a call that lacks its end go nowhere. Null when there is nothing.
   */
  @Nullable Node unfinished() {
    try {
      while (stack.hasMarks()) {
        List<Node> items = stack.popToMark();
        Node target = stack.hasTop() ? stack.peek() : null;
        if (target instanceof Mapping) {
          filler.set(target, items.subList(0, items.size() / 2 * 2));
        } else if (target instanceof Sequence) {
          filler.add(target, items);
        }
      }
    } catch (PickleFault noMore) {
      // What was put together so far is all there is.
    }
    return stack.isEmpty() ? null : stack.bottom();
  }

  void persistent(Node id) throws PickleFault {
    // Legacy files name the class of a module beside its source: ('module', class, file, source).
    if (id instanceof Sequence tuple
        && tuple.items().size() >= 2
        && tuple.items().get(0) instanceof Text tag
        && tag.value().equals("module")) {
      push(tuple.items().get(1));
      return;
    }
    Persistent persistent = new Persistent(id);
    stack.charge(REFERENCE);
    persistents.add(persistent);
    pushObject(persistent);
  }
}
