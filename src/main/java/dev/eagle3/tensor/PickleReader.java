package dev.eagle3.tensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a pickle of any protocol into a tree of nodes. Nothing in it is looked up, constructed or
 * called; there is no recursion, and every length is checked before memory is taken for it.
 */
final class PickleReader {
  private final ReadLimits limits;

  PickleReader(ReadLimits limits) {
    this.limits = limits;
  }

  /** Reads up to STOP, or as far as the bytes go. */
  PickleTree read(Slice bytes) {
    return new Run(bytes).run();
  }

  private final class Run {
    private final PickleInput in;
    private final PickleMachine machine = new PickleMachine(limits);
    private long frameEnd;
    private boolean framesHold = true;

    Run(Slice bytes) {
      this.in = new PickleInput(bytes, limits);
    }

    PickleTree run() {
      int start = 0;
      String name = "STOP";
      try {
        while (true) {
          start = in.position();
          name = "end of the bytes";
          int code = in.u8();
          Opcode opcode = Opcode.of(code);
          if (opcode == null) {
            name = String.format("0x%02x", code);
            throw PickleFault.invalid("no such opcode");
          }
          name = opcode.name();
          if (opcode == Opcode.STOP) {
            return tree(machine.stack().pop(), null);
          }
          if (opcode == Opcode.FRAME) {
            frame();
          } else {
            opcode.run(in, machine);
            // Python's two readers disagree on what follows such a frame.
            framesHold &= start >= frameEnd || in.position() <= frameEnd;
          }
        }
      } catch (PickleFault fault) {
        return tree(
            machine.unfinished(),
            new PickleTree.Problem(fault.kind(), start, name, fault.problem()));
      }
    }

    private void frame() throws PickleFault {
      int start = in.position() - 1;
      long length = in.i64();
      framesHold &= start >= frameEnd && length >= 0 && length <= in.remaining();
      frameEnd = in.position() + Math.max(0, Math.min(length, Integer.MAX_VALUE));
    }

    private PickleTree tree(@Nullable Node root, PickleTree.@Nullable Problem problem) {
      return new PickleTree(
          root,
          in.position(),
          machine.protocol(),
          List.copyOf(machine.globals()),
          List.copyOf(machine.persistents()),
          problem,
          framesHold);
    }
  }
}
