package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Call;
import dev.eagle3.tensor.Node.Global;
import dev.eagle3.tensor.Node.Mapping;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.SequenceKind;
import java.util.List;

/** Puts items into the containers of a pickle, and refuses what is no container. */
final class PickleFiller {
  private final PickleStack stack;

  /**
   * @param stack where memory is accounted for
   */
  PickleFiller(PickleStack stack) {
    this.stack = stack;
  }

  /** Adds items to a list, a set, or an object that takes items. */
  void add(Node target, List<Node> items) throws PickleFault {
    if (target instanceof Sequence sequence && sequence.kind() != SequenceKind.TUPLE) {
      stack.charge((long) PickleMachine.REFERENCE * items.size());
      sequence.items().addAll(items);
    } else if (target instanceof Call call && !isTensor(call)) {
      if (call.content() == null) {
        stack.charge(PickleMachine.OBJECT);
        call.setContent(Sequence.empty(SequenceKind.LIST));
      }
      if (call.content() instanceof Sequence content) {
        add(content, items);
      }
    } else {
      throw PickleFault.invalid("items for something that is no list");
    }
  }

  /** Sets keys and values, one after the other, in a dict or an object that takes entries. */
  void set(Node target, List<Node> items) throws PickleFault {
    if (items.size() % 2 != 0) {
      throw PickleFault.invalid("a key without a value");
    }
    if (target instanceof Mapping mapping) {
      stack.charge((long) PickleMachine.REFERENCE * items.size());
      for (int index = 0; index < items.size(); index += 2) {
        mapping.put(hashable(items.get(index)), items.get(index + 1));
      }
    } else if (target instanceof Call call && !isTensor(call)) {
      if (call.content() == null) {
        stack.charge(PickleMachine.OBJECT);
        call.setContent(new Mapping());
      }
      if (call.content() instanceof Mapping content) {
        set(content, items);
      }
    } else {
      throw PickleFault.invalid("entries for something that is no dict");
    }
  }

  /** torch before 2.10 let a pickle set entries on a tensor (CVE-2026-24747). */
  private static boolean isTensor(Call call) {
    Global global = call.global();
    return global != null && TorchNames.rebuilds(global);
  }

  private static Node hashable(Node key) throws PickleFault {
    if (key instanceof Mapping
        || (key instanceof Sequence sequence
            && (sequence.kind() == SequenceKind.LIST || sequence.kind() == SequenceKind.SET))) {
      throw PickleFault.invalid("a list, set or dict as the key of a dict");
    }
    return key;
  }
}
