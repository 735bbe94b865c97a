package dev.eagle3.tensor;

import org.jspecify.annotations.Nullable;

/** The opcodes of pickle protocols 0 to 5, under the names of Python's {@code pickletools}. */
enum Opcode {
  // Numbers and constants.
  INT('I'),
  BININT('J'),
  BININT1('K'),
  BININT2('M'),
  LONG('L'),
  LONG1(0x8a),
  LONG4(0x8b),
  FLOAT('F'),
  BINFLOAT('G'),
  NONE('N'),
  NEWTRUE(0x88),
  NEWFALSE(0x89),

  // Text and bytes.
  STRING('S'),
  BINSTRING('T'),
  SHORT_BINSTRING('U'),
  UNICODE('V'),
  BINUNICODE('X'),
  SHORT_BINUNICODE(0x8c),
  BINUNICODE8(0x8d),
  BINBYTES('B'),
  SHORT_BINBYTES('C'),
  BINBYTES8(0x8e),
  BYTEARRAY8(0x96),
  NEXT_BUFFER(0x97),
  READONLY_BUFFER(0x98),

  // Containers.
  EMPTY_TUPLE(')'),
  TUPLE1(0x85),
  TUPLE2(0x86),
  TUPLE3(0x87),
  TUPLE('t'),
  EMPTY_LIST(']'),
  LIST('l'),
  APPEND('a'),
  APPENDS('e'),
  EMPTY_SET(0x8f),
  ADDITEMS(0x90),
  FROZENSET(0x91),
  EMPTY_DICT('}'),
  DICT('d'),
  SETITEM('s'),
  SETITEMS('u'),

  // Stack and memo.
  MARK('('),
  POP('0'),
  POP_MARK('1'),
  DUP('2'),
  PUT('p'),
  BINPUT('q'),
  LONG_BINPUT('r'),
  MEMOIZE(0x94),
  GET('g'),
  BINGET('h'),
  LONG_BINGET('j'),

  // Classes, functions and objects: named, never looked up.
  GLOBAL('c'),
  STACK_GLOBAL(0x93),
  EXT1(0x82),
  EXT2(0x83),
  EXT4(0x84),
  REDUCE('R'),
  NEWOBJ(0x81),
  NEWOBJ_EX(0x92),
  OBJ('o'),
  INST('i'),
  BUILD('b'),
  PERSID('P'),
  BINPERSID('Q'),

  // The frame of the pickle itself.
  PROTO(0x80),
  FRAME(0x95),
  STOP('.');

  private static final @Nullable Opcode[] BY_CODE = new @Nullable Opcode[256];

  static {
    for (Opcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
    }
  }

  private final int code;

  Opcode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /** The opcode of a byte from 0 to 255; null where no protocol has one. */
  static @Nullable Opcode of(int code) {
    return BY_CODE[code];
  }
}
