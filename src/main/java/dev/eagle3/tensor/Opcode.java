package dev.eagle3.tensor;

import dev.eagle3.tensor.Node.Constant;
import dev.eagle3.tensor.Node.SequenceKind;
import org.jspecify.annotations.Nullable;

/**
 * The opcodes of pickle protocols 0 to 5, and what each does. Names and codes are those of Python's
 * {@code pickletools}. STOP and FRAME are the reader's.
 */
enum Opcode {
  // Numbers and constants.
  INT('I', (in, to) -> to.pushObject(textInteger(in))),
  BININT('J', (in, to) -> to.pushObject(new Node.Whole(in.i32()))),
  BININT1('K', (in, to) -> to.pushObject(new Node.Whole(in.u8()))),
  BININT2('M', (in, to) -> to.pushObject(new Node.Whole(in.u16()))),
  LONG('L', (in, to) -> to.pushObject(in.integer(in.line()))),
  LONG1(0x8a, (in, to) -> to.pushObject(in.integer(in.u8()))),
  LONG4(0x8b, (in, to) -> to.pushObject(in.integer(in.i32()))),
  FLOAT('F', (in, to) -> to.pushObject(textReal(in))),
  BINFLOAT('G', (in, to) -> to.pushObject(new Node.Real(in.float64()))),
  NONE('N', (in, to) -> to.push(Constant.NONE)),
  NEWTRUE(0x88, (in, to) -> to.push(Constant.TRUE)),
  NEWFALSE(0x89, (in, to) -> to.push(Constant.FALSE)),

  // Text and bytes.
  STRING('S', (in, to) -> to.pushText(unquoted(in.line()))),
  BINSTRING('T', (in, to) -> to.pushText(in.latin1(in.i32()))),
  SHORT_BINSTRING('U', (in, to) -> to.pushText(in.latin1(in.u8()))),
  UNICODE('V', (in, to) -> to.pushText(in.line())),
  BINUNICODE('X', (in, to) -> to.pushText(in.utf8(in.u32()))),
  SHORT_BINUNICODE(0x8c, (in, to) -> to.pushText(in.utf8(in.u8()))),
  BINUNICODE8(0x8d, (in, to) -> to.pushText(in.utf8(in.i64()))),
  BINBYTES('B', (in, to) -> to.pushObject(in.blob(in.u32()))),
  SHORT_BINBYTES('C', (in, to) -> to.pushObject(in.blob(in.u8()))),
  BINBYTES8(0x8e, (in, to) -> to.pushObject(in.blob(in.i64()))),
  BYTEARRAY8(0x96, (in, to) -> to.pushObject(in.blob(in.i64()))),
  NEXT_BUFFER(0x97, (in, to) -> to.pushObject(new Node.Other("buffer"))),
  READONLY_BUFFER(0x98, (in, to) -> to.stack().peek()),

  // Containers.
  EMPTY_TUPLE(')', (in, to) -> to.tuple(0)),
  TUPLE1(0x85, (in, to) -> to.tuple(1)),
  TUPLE2(0x86, (in, to) -> to.tuple(2)),
  TUPLE3(0x87, (in, to) -> to.tuple(3)),
  TUPLE('t', (in, to) -> to.pushSequence(SequenceKind.TUPLE, to.stack().popToMark())),
  EMPTY_LIST(']', (in, to) -> to.pushObject(Node.Sequence.empty(SequenceKind.LIST))),
  LIST('l', (in, to) -> to.pushSequence(SequenceKind.LIST, to.stack().popToMark())),
  APPEND('a', (in, to) -> to.append()),
  APPENDS('e', (in, to) -> to.appends()),
  EMPTY_SET(0x8f, (in, to) -> to.pushObject(Node.Sequence.empty(SequenceKind.SET))),
  ADDITEMS(0x90, (in, to) -> to.appends()),
  FROZENSET(0x91, (in, to) -> to.pushSequence(SequenceKind.FROZEN_SET, to.stack().popToMark())),
  EMPTY_DICT('}', (in, to) -> to.pushObject(new Node.Mapping())),
  DICT('d', (in, to) -> to.dict()),
  SETITEM('s', (in, to) -> to.setItem()),
  SETITEMS('u', (in, to) -> to.setItems()),

  // Stack and memo.
  MARK('(', (in, to) -> to.stack().mark()),
  POP('0', (in, to) -> to.stack().drop()),
  POP_MARK('1', (in, to) -> to.stack().popToMark()),
  DUP('2', (in, to) -> to.push(to.stack().peek())),
  PUT('p', (in, to) -> to.put(PickleMachine.index(in.integer(in.line())))),
  BINPUT('q', (in, to) -> to.put(in.u8())),
  LONG_BINPUT('r', (in, to) -> to.put(in.u32())),
  MEMOIZE(0x94, (in, to) -> to.memoize()),
  GET('g', (in, to) -> to.get(PickleMachine.index(in.integer(in.line())))),
  BINGET('h', (in, to) -> to.get(in.u8())),
  LONG_BINGET('j', (in, to) -> to.get(in.u32())),

  // Classes, functions and objects: named, never looked up.
  GLOBAL('c', (in, to) -> to.global(in.line(), in.line())),
  STACK_GLOBAL(0x93, (in, to) -> to.stackGlobal()),
  EXT1(0x82, (in, to) -> to.extension(in.u8())),
  EXT2(0x83, (in, to) -> to.extension(in.u16())),
  EXT4(0x84, (in, to) -> to.extension(in.i32())),
  REDUCE('R', (in, to) -> to.call()),
  NEWOBJ(0x81, (in, to) -> to.call()),
  NEWOBJ_EX(0x92, (in, to) -> to.callWithKeywords()),
  OBJ('o', (in, to) -> to.callFromMark()),
  INST('i', (in, to) -> to.callNamed(in.line(), in.line())),
  BUILD('b', (in, to) -> to.build()),
  PERSID('P', (in, to) -> to.persistent(new Node.Text(in.line()))),
  BINPERSID('Q', (in, to) -> to.persistent(to.stack().pop())),

  // The frame of the pickle itself.
  PROTO(0x80, (in, to) -> to.protocol(in.u8())),
  FRAME(0x95, (in, to) -> in.i64()),
  STOP('.', (in, to) -> {});

  /** Python writes 24 at the most. */
  private static final int MOST_REAL_CHARACTERS = 64;

  /** What an opcode does. */
  private interface Action {
    void run(PickleInput in, PickleMachine to) throws PickleFault;
  }

  private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[256];

  static {
    for (Opcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
    }
  }

  private final int code;

  @SuppressWarnings("ImmutableEnumChecker") // The lambdas hold nothing.
  private final Action action;

  Opcode(int code, Action action) {
    this.code = code;
    this.action = action;
  }

  /** The opcode of a byte from 0 to 255; null where no protocol has one. */
  static @Nullable Opcode of(int code) {
    return BY_CODE[code];
  }

  /** Reads the arguments from the input and does what the opcode says. */
  void run(PickleInput in, PickleMachine machine) throws PickleFault {
    action.run(in, machine);
  }

  /** Protocol 0 writes True as {@code I01} and False as {@code I00}. */
  private static Node textInteger(PickleInput in) throws PickleFault {
    String line = in.line();
    return switch (line) {
      case "01" -> Constant.TRUE;
      case "00" -> Constant.FALSE;
      default -> in.integer(line);
    };
  }

  private static Node textReal(PickleInput in) throws PickleFault {
    String line = in.line();
    if (line.length() > MOST_REAL_CHARACTERS) {
      throw PickleFault.limit("a number of " + line.length() + " digits");
    }
    try {
      return new Node.Real(Double.parseDouble(line));
    } catch (NumberFormatException notNumber) {
      throw PickleFault.invalid("not a number: " + Findings.shortened(line));
    }
  }

  /** Escapes within stay as they are written. */
  private static String unquoted(String line) throws PickleFault {
    char quote = line.isEmpty() ? 0 : line.charAt(0);
    if (line.length() < 2
        || (quote != '\'' && quote != '"')
        || line.charAt(line.length() - 1) != quote) {
      throw PickleFault.invalid("a string without quotes");
    }
    return line.substring(1, line.length() - 1);
  }
}
