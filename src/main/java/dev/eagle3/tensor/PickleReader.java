package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Constant;
import dev.eagle3.tensor.Node.SequenceKind;
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
    private final PickleMachine to = new PickleMachine(limits);
    private long frameEnd;
    private boolean framesHold = true;
    private @Nullable Opcode refused;

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
          if (refused == null && !TorchNames.takes(opcode)) {
            refused = opcode;
          }
          if (opcode == Opcode.STOP) {
            return tree(to.stack().pop(), null);
          }
          step(opcode);
          // Python's two readers disagree on what follows a frame that cuts an opcode.
          framesHold &= start >= frameEnd || in.position() <= frameEnd || opcode == Opcode.FRAME;
        }
      } catch (PickleFault fault) {
        return tree(
            to.unfinished(), new PickleTree.Problem(fault.kind(), start, name, fault.problem()));
      }
    }

    /** Reads the arguments of an opcode and does what it says. */
    private void step(Opcode opcode) throws PickleFault {
      switch (opcode) {
        // Numbers and constants.
        case INT -> to.pushObject(in.integerLine());
        case BININT -> to.pushObject(new Node.Whole(in.i32()));
        case BININT1 -> to.pushObject(new Node.Whole(in.u8()));
        case BININT2 -> to.pushObject(new Node.Whole(in.u16()));
        case LONG -> to.pushObject(in.longLine());
        case LONG1 -> to.pushObject(in.integer(in.u8()));
        case LONG4 -> to.pushObject(in.integer(in.i32()));
        case FLOAT -> to.pushObject(new Node.Real(in.realLine()));
        case BINFLOAT -> to.pushObject(new Node.Real(in.float64()));
        case NONE -> to.push(Constant.NONE);
        case NEWTRUE -> to.push(Constant.TRUE);
        case NEWFALSE -> to.push(Constant.FALSE);

        // Text and bytes.
        case STRING -> to.pushText(in.quotedLine());
        case BINSTRING -> to.pushText(in.latin1(in.i32()));
        case SHORT_BINSTRING -> to.pushText(in.latin1(in.u8()));
        case UNICODE -> to.pushText(in.line());
        case BINUNICODE -> to.pushText(in.utf8(in.u32()));
        case SHORT_BINUNICODE -> to.pushText(in.utf8(in.u8()));
        case BINUNICODE8 -> to.pushText(in.utf8(in.i64()));
        case BINBYTES -> to.pushObject(in.blob(in.u32()));
        case SHORT_BINBYTES -> to.pushObject(in.blob(in.u8()));
        case BINBYTES8 -> to.pushObject(in.blob(in.i64()));
        case BYTEARRAY8 -> to.pushObject(in.blob(in.i64()));
        case NEXT_BUFFER -> to.pushObject(new Node.Other("buffer"));
        case READONLY_BUFFER -> to.stack().peek();

        // Containers.
        case EMPTY_TUPLE -> to.tuple(0);
        case TUPLE1 -> to.tuple(1);
        case TUPLE2 -> to.tuple(2);
        case TUPLE3 -> to.tuple(3);
        case TUPLE -> to.pushSequence(SequenceKind.TUPLE, to.stack().popToMark());
        case EMPTY_LIST -> to.pushObject(Node.Sequence.empty(SequenceKind.LIST));
        case LIST -> to.pushSequence(SequenceKind.LIST, to.stack().popToMark());
        case APPEND -> to.append();
        case APPENDS -> to.appends();
        case EMPTY_SET -> to.pushObject(Node.Sequence.empty(SequenceKind.SET));
        case ADDITEMS -> to.appends();
        case FROZENSET -> to.pushSequence(SequenceKind.FROZEN_SET, to.stack().popToMark());
        case EMPTY_DICT -> to.pushObject(new Node.Mapping());
        case DICT -> to.dict();
        case SETITEM -> to.setItem();
        case SETITEMS -> to.setItems();

        // Stack and memo.
        case MARK -> to.stack().mark();
        case POP -> to.stack().drop();
        case POP_MARK -> to.stack().popToMark();
        case DUP -> to.push(to.stack().peek());
        case PUT -> to.memo().put(in.indexLine());
        case BINPUT -> to.memo().put(in.u8());
        case LONG_BINPUT -> to.memo().put(in.u32());
        case MEMOIZE -> to.memo().memoize();
        case GET -> to.memo().get(in.indexLine());
        case BINGET -> to.memo().get(in.u8());
        case LONG_BINGET -> to.memo().get(in.u32());

        // Classes, functions and objects: named, never looked up.
        case GLOBAL -> to.global(in.line(), in.line());
        case STACK_GLOBAL -> to.stackGlobal();
        case EXT1 -> to.extension(in.u8());
        case EXT2 -> to.extension(in.u16());
        case EXT4 -> to.extension(in.i32());
        case REDUCE -> to.call();
        case NEWOBJ -> to.call();
        case NEWOBJ_EX -> to.callWithKeywords();
        case OBJ -> to.callFromMark();
        case INST -> to.callNamed(in.line(), in.line());
        case BUILD -> to.build();
        case PERSID -> to.persistent(new Node.Text(in.line()));
        case BINPERSID -> to.persistent(to.stack().pop());

        // The frame of the pickle itself.
        case PROTO -> to.protocol(in.u8());
        case FRAME -> frame();
        case STOP -> {}
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
          to.protocol(),
          List.copyOf(to.globals()),
          List.copyOf(to.persistents()),
          problem,
          framesHold,
          refused);
    }
  }
}
