package dev.eagle3.tensor;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Makes up pickles: mostly such as torch could have written, of any protocol, with arguments that
 * are wrong now and then, and here and there an opcode that has no business there.
 */
final class PickleGenerator {
  private static final List<String> DTYPES =
      List.of("float32", "bfloat16", "float8_e4m3fn", "uint64", "int4", "no_such_dtype", "bits8");

  private static final List<String> STORAGES =
      List.of("Float", "BFloat16", "Long", "Bool", "QInt8", "QUInt4x2", "ComplexDouble", "NoSuch");

  private static final List<String> CLASSES =
      List.of(
          "torch.nn.modules.linear Linear",
          "posix system",
          "collections OrderedDict",
          "collections defaultdict",
          "__builtin__ set",
          "torch Size",
          "torch FloatTensor",
          "torch device",
          "mine Output");

  private final Random random;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final boolean isNoisy;
  private int memoized;
  private int budget = 200;

  PickleGenerator(Random random) {
    this.random = random;
    this.isNoisy = one(3);
  }

  /** One pickle; with a {@code STOP}, unless it is left out on purpose. */
  byte[] pickle() {
    int protocol = 2 + random.nextInt(4);
    code(Opcode.PROTO);
    out.write(one(60) ? random.nextInt(256) : protocol);
    if (protocol > 3 && !one(8)) {
      code(Opcode.FRAME);
      littleEndian(one(3) ? random.nextLong() : random.nextInt(500), 8);
    }
    value(0);
    if (!one(50)) {
      code(Opcode.STOP);
    }
    if (one(50)) {
      text("leftover");
    }
    return out.toByteArray();
  }

  private void value(int depth) {
    if (isNoisy && one(60)) {
      noise();
    }
    if (--budget < 0 || depth > 12) {
      code(Opcode.NONE);
      return;
    }
    switch (random.nextInt(depth < 2 ? 16 : 22)) {
      case 0, 1, 2 -> dict(depth);
      case 3, 4 -> list(depth);
      case 5, 6, 7, 8 -> tensor(depth);
      case 9 -> parameter(depth);
      case 10 -> sparse(depth);
      case 11 -> quantised(depth);
      case 12 -> array(depth);
      case 13 -> object(depth);
      case 14 -> memo(depth);
      case 15 -> tuple(depth, random.nextInt(5));
      case 16 -> number();
      case 17 -> text(random.nextBoolean() ? "key" : "\u00e9\u0000\u001b" + random.nextInt(9));
      case 18 -> code(random.nextBoolean() ? Opcode.NONE : Opcode.NEWTRUE);
      case 19 -> blob();
      case 20 -> storage();
      default -> global(CLASSES.get(random.nextInt(CLASSES.size())));
    }
    if (one(6)) {
      put();
    }
  }

  private void dict(int depth) {
    if (one(3)) {
      global("collections OrderedDict");
      code(Opcode.EMPTY_TUPLE);
      code(Opcode.REDUCE);
    } else {
      code(Opcode.EMPTY_DICT);
    }
    put();
    code(Opcode.MARK);
    for (int count = random.nextInt(5); count > 0; count--) {
      text("k" + random.nextInt(4));
      value(depth + 1);
    }
    code(one(20) ? Opcode.APPENDS : Opcode.SETITEMS);
  }

  private void list(int depth) {
    code(one(8) ? Opcode.EMPTY_SET : Opcode.EMPTY_LIST);
    put();
    code(Opcode.MARK);
    for (int count = random.nextInt(5); count > 0; count--) {
      value(depth + 1);
    }
    code(one(8) ? Opcode.ADDITEMS : Opcode.APPENDS);
  }

  private void tuple(int depth, int count) {
    code(Opcode.MARK);
    for (int index = 0; index < count; index++) {
      value(depth + 1);
    }
    code(Opcode.TUPLE);
  }

  private void tensor(int depth) {
    boolean untyped = one(4);
    global("torch._utils _rebuild_tensor_v" + (untyped ? 3 : 2));
    code(Opcode.MARK);
    if (one(30)) {
      value(depth + 1);
    } else {
      storage();
    }
    size();
    int rank = random.nextInt(4);
    sizes(rank);
    sizes(one(20) ? rank + 1 : rank);
    code(Opcode.NEWFALSE);
    code(Opcode.EMPTY_DICT);
    if (untyped) {
      global("torch " + DTYPES.get(random.nextInt(DTYPES.size())));
    }
    code(Opcode.TUPLE);
    code(Opcode.REDUCE);
  }

  private void parameter(int depth) {
    boolean typed = random.nextBoolean();
    global(typed ? "torch._tensor _rebuild_from_type_v2" : "torch._utils _rebuild_parameter");
    code(Opcode.MARK);
    if (typed) {
      global("torch._utils _rebuild_tensor_v2");
      global("mine Subclass");
      code(Opcode.MARK);
      storage();
      size();
      sizes(1);
      sizes(1);
      code(Opcode.TUPLE);
      code(Opcode.EMPTY_DICT);
    } else {
      tensor(depth + 1);
      code(Opcode.NEWTRUE);
      code(Opcode.EMPTY_DICT);
    }
    code(Opcode.TUPLE);
    code(Opcode.REDUCE);
  }

  private void sparse(int depth) {
    List<String> layouts = List.of("coo", "csr", "bsc", "xyz");
    global("torch._utils _rebuild_sparse_tensor");
    code(Opcode.MARK);
    global("torch.serialization _get_layout");
    code(Opcode.MARK);
    text("torch.sparse_" + layouts.get(random.nextInt(layouts.size())));
    code(Opcode.TUPLE);
    code(Opcode.REDUCE);
    code(Opcode.MARK);
    for (int count = 2 + random.nextInt(2); count > 0; count--) {
      if (one(10)) {
        value(depth + 1);
      } else {
        tensor(depth + 1);
      }
    }
    sizes(2);
    code(Opcode.TUPLE);
    code(Opcode.TUPLE);
    code(Opcode.REDUCE);
  }

  private void quantised(int depth) {
    boolean nested = one(3);
    global("torch._utils " + (nested ? "_rebuild_nested_tensor" : "_rebuild_qtensor"));
    code(Opcode.MARK);
    if (nested) {
      for (int part = 0; part < 4; part++) {
        tensor(depth + 1);
      }
    } else {
      storage();
      size();
      sizes(2);
      sizes(2);
      code(Opcode.MARK);
      global("torch per_channel_affine");
      tensor(depth + 1);
      tensor(depth + 1);
      size();
      code(Opcode.TUPLE);
      code(Opcode.NEWFALSE);
      code(Opcode.EMPTY_DICT);
    }
    code(Opcode.TUPLE);
    code(Opcode.REDUCE);
  }

  private void array(int depth) {
    global("numpy._core.multiarray _reconstruct");
    tuple(depth + 1, 3);
    code(Opcode.REDUCE);
    code(Opcode.MARK);
    number();
    sizes(2);
    global("numpy dtype");
    code(Opcode.MARK);
    text("f4");
    code(Opcode.TUPLE);
    code(Opcode.REDUCE);
    code(Opcode.NEWFALSE);
    blob();
    code(Opcode.TUPLE);
    code(Opcode.BUILD);
  }

  /** An object of some class, with a state, and perhaps entries or items. */
  private void object(int depth) {
    global(CLASSES.get(random.nextInt(CLASSES.size())));
    tuple(depth + 1, random.nextInt(2));
    code(random.nextBoolean() ? Opcode.REDUCE : Opcode.NEWOBJ);
    put();
    if (random.nextBoolean()) {
      value(depth + 1);
      code(Opcode.BUILD);
    }
    if (one(4)) {
      code(Opcode.MARK);
      text("k");
      value(depth + 1);
      code(random.nextBoolean() ? Opcode.SETITEMS : Opcode.APPENDS);
    }
  }

  private void storage() {
    code(Opcode.MARK);
    text("storage");
    String type = STORAGES.get(random.nextInt(STORAGES.size()));
    global(one(4) ? "torch.storage UntypedStorage" : "torch " + type + "Storage");
    text(one(15) ? "../../etc/passwd" : Integer.toString(random.nextInt(4)));
    text(one(20) ? "meta" : "cpu");
    size();
    if (one(4)) {
      code(Opcode.NONE);
    }
    code(Opcode.TUPLE);
    code(one(30) ? Opcode.DUP : Opcode.BINPERSID);
  }

  private void sizes(int rank) {
    code(Opcode.MARK);
    for (int index = 0; index < rank; index++) {
      size();
    }
    code(Opcode.TUPLE);
  }

  private void size() {
    if (one(isNoisy ? 12 : 120)) {
      number();
    } else {
      code(Opcode.BININT1);
      out.write(random.nextInt(5));
    }
  }

  private void number() {
    switch (random.nextInt(5)) {
      case 0 -> {
        code(Opcode.BININT);
        littleEndian(random.nextInt(), 4);
      }
      case 1 -> {
        int length = random.nextInt(one(5) ? 256 : 10);
        code(Opcode.LONG1);
        out.write(length);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        out.writeBytes(bytes);
      }
      case 2 -> {
        code(Opcode.BINFLOAT);
        littleEndian(random.nextLong(), 8);
      }
      case 3 -> line(Opcode.INT, one(2) ? "12" : "x1");
      default -> line(Opcode.LONG, one(2) ? "123L" : "9".repeat(random.nextInt(300)));
    }
  }

  private void blob() {
    code(Opcode.BINBYTES);
    int length = random.nextInt(20);
    littleEndian(one(40) ? random.nextInt() : length, 4);
    out.writeBytes(new byte[length]);
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (random.nextBoolean()) {
      code(Opcode.BINUNICODE);
      littleEndian(one(200) ? random.nextInt() : bytes.length, 4);
    } else {
      code(Opcode.SHORT_BINUNICODE);
      out.write(bytes.length);
    }
    out.writeBytes(bytes);
  }

  private void global(String name) {
    String[] words = name.split(" ", -1);
    if (one(4)) {
      text(words[0]);
      text(words[1]);
      code(Opcode.STACK_GLOBAL);
    } else {
      line(Opcode.GLOBAL, words[0] + "\n" + words[1]);
    }
  }

  private void memo(int depth) {
    if (memoized == 0) {
      value(depth + 1);
      return;
    }
    code(Opcode.BINGET);
    out.write(random.nextInt(memoized + (one(30) ? 2 : 0)) & 0xff);
  }

  private void put() {
    if (one(2)) {
      code(Opcode.MEMOIZE);
    } else {
      code(Opcode.BINPUT);
      out.write(memoized & 0xff);
    }
    memoized++;
  }

  private void noise() {
    Opcode[] all = Opcode.values();
    code(all[random.nextInt(all.length)]);
    for (int count = random.nextInt(6); count > 0; count--) {
      out.write(random.nextInt(256));
    }
  }

  private void line(Opcode opcode, String line) {
    code(opcode);
    out.writeBytes((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private void code(Opcode opcode) {
    out.write(opcode.code());
  }

  private void littleEndian(long value, int bytes) {
    for (int index = 0; index < bytes; index++) {
      out.write((int) (value >> (8 * index)));
    }
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }
}
