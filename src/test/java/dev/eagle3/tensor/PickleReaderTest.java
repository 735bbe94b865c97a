package dev.eagle3.tensor;

import static dev.eagle3.tensor.TorchFiles.pickle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.tensor.Node.Constant;
import dev.eagle3.tensor.Node.Mapping;
import dev.eagle3.tensor.Node.Sequence;
import dev.eagle3.tensor.Node.SequenceKind;
import dev.eagle3.tensor.Node.Text;
import dev.eagle3.tensor.Node.Whole;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PickleReaderTest {
  private static final ReadLimits LIMITS = ReadLimits.forHeap(128L << 20);

  /** {@code [op.name for op in pickletools.opcodes]} of Python 3.11. */
  private static final List<String> OPCODES =
      List.of(
          "INT 49",
          "BININT 4a",
          "BININT1 4b",
          "BININT2 4d",
          "LONG 4c",
          "LONG1 8a",
          "LONG4 8b",
          "STRING 53",
          "BINSTRING 54",
          "SHORT_BINSTRING 55",
          "BINBYTES 42",
          "SHORT_BINBYTES 43",
          "BINBYTES8 8e",
          "BYTEARRAY8 96",
          "NEXT_BUFFER 97",
          "READONLY_BUFFER 98",
          "NONE 4e",
          "NEWTRUE 88",
          "NEWFALSE 89",
          "UNICODE 56",
          "SHORT_BINUNICODE 8c",
          "BINUNICODE 58",
          "BINUNICODE8 8d",
          "FLOAT 46",
          "BINFLOAT 47",
          "EMPTY_LIST 5d",
          "APPEND 61",
          "APPENDS 65",
          "LIST 6c",
          "EMPTY_TUPLE 29",
          "TUPLE 74",
          "TUPLE1 85",
          "TUPLE2 86",
          "TUPLE3 87",
          "EMPTY_DICT 7d",
          "DICT 64",
          "SETITEM 73",
          "SETITEMS 75",
          "EMPTY_SET 8f",
          "ADDITEMS 90",
          "FROZENSET 91",
          "POP 30",
          "DUP 32",
          "MARK 28",
          "POP_MARK 31",
          "GET 67",
          "BINGET 68",
          "LONG_BINGET 6a",
          "PUT 70",
          "BINPUT 71",
          "LONG_BINPUT 72",
          "MEMOIZE 94",
          "EXT1 82",
          "EXT2 83",
          "EXT4 84",
          "GLOBAL 63",
          "STACK_GLOBAL 93",
          "REDUCE 52",
          "BUILD 62",
          "INST 69",
          "OBJ 6f",
          "NEWOBJ 81",
          "NEWOBJ_EX 92",
          "PROTO 80",
          "STOP 2e",
          "FRAME 95",
          "PERSID 50",
          "BINPERSID 51");

  @Test
  void everyOpcodeOfPythonIsKnown() {
    List<String> known =
        IntStream.range(0, 256)
            .filter(code -> Opcode.of(code) != null)
            .mapToObj(code -> String.format("%s %02x", Opcode.of(code), code))
            .toList();

    assertThat(known).containsExactlyInAnyOrderElementsOf(OPCODES);
  }

  @ParameterizedTest
  @CsvSource({
    "K\007., 7",
    "M\000\001., 256",
    "J\377\377\377\377., -1",
    "\212\000., 0",
    "\212\001\377., -1",
    "\212\005\000\000\000\000\001., 4294967296",
    "\212\010\000\000\000\000\000\000\000\200., -9223372036854775808",
    "'I12\n.', 12",
    "'L-13L\n.', -13",
  })
  void wholeNumbersOfAllKindsAreRead(String pickle, long value) {
    assertThat(root(pickle)).isEqualTo(new Whole(value));
  }

  @Test
  void aNumberOfMoreThan64BitsIsKeptWhole() {
    assertThat(root("\212\011\000\000\000\000\000\000\000\000\001."))
        .isEqualTo(new Node.Big(BigInteger.ONE.shiftLeft(64)));
  }

  @Test
  void theTextOpcodesOfProtocol0AreRead() {
    Mapping mapping = (Mapping) root("(dp0\nS'a'\np1\nI01\nsV\351\np2\nF1.5\ns(lp3\ng1\na0.");

    assertThat(mapping.keys()).containsExactly(new Text("a"), new Text("\ufffd"));
    assertThat(mapping.values()).containsExactly(Constant.TRUE, new Node.Real(1.5));
  }

  @Test
  void theOpcodesOfProtocol4AreRead() {
    String pickle =
        "\200\004\225\040\000\000\000\000\000\000\000"
            + "}\224(\214\001s\224\217\224(K\001K\002\220"
            + "\214\001f\224(K\003\221\224\214\001n\224h\000u.";

    PickleTree tree = read(pickle(pickle));

    Mapping mapping = (Mapping) Objects.requireNonNull(tree.root());
    assertThat(mapping.keys()).containsExactly(new Text("s"), new Text("f"), new Text("n"));
    assertThat(((Sequence) mapping.values().get(0)).items())
        .containsExactly(new Whole(1), new Whole(2));
    assertThat(((Sequence) mapping.values().get(1)).kind()).isEqualTo(SequenceKind.FROZEN_SET);
    assertThat(mapping.values().get(2)).isSameAs(mapping);
    assertThat(tree.protocol()).isEqualTo(4);
    assertThat(tree.framesHold()).isTrue();
  }

  @Test
  void everyGlobalIsListedOnceEvenWhenItIsPopped() {
    PickleTree tree =
        read(
            pickle(
                "cos\nsystem\n0c__builtin__\nset\n0\214\003pty\214\005spawn\2230"
                    + "(iposix\npopen\n0cos\nsystem\n0\202\007."));

    assertThat(tree.globals())
        .containsExactly(
            "os.system", "builtins.set", "pty.spawn", "posix.popen", "copyreg.extension.7");
  }

  @Test
  void anOrderedDictIsADictAndItsStateIsDropped() {
    Mapping mapping =
        (Mapping)
            root(
                "ccollections\nOrderedDict\n)RX\001\000\000\000aK\001s}X\001\000\000\000bK\002sb.");

    assertThat(mapping.keys()).containsExactly(new Text("a"));
  }

  @ParameterizedTest
  @CsvSource({
    "K\001R., 2, REDUCE, nothing on the stack",
    "}K\001., 0, STOP, ok",
    "e., 0, APPENDS, no mark",
    "(a., 1, APPEND, nothing above the mark",
    "h\005., 0, BINGET, nothing in the memo at index 5",
    "]K\001K\002s., 5, SETITEM, entries for something that is no dict",
    "K\001K\002a., 4, APPEND, items for something that is no list",
    "}](K\001us., 5, SETITEMS, a key without a value",
    "}]K\001s., 4, SETITEM, 'a list, set or dict as the key of a dict'",
    "\377., 0, 0xff, no such opcode",
    "K\001K\002\223., 4, STACK_GLOBAL, a global whose name is no text",
    "(o., 1, OBJ, an object without a class",
    "\200\011N., 0, PROTO, pickle protocol 9 does not exist",
    "'Ix\n.', 0, INT, not a number: x",
  })
  void aBrokenPickleSaysWhereAndWhy(String pickle, int offset, String opcode, String says) {
    PickleTree.Problem problem = read(pickle(pickle)).problem();

    if (says.equals("ok")) {
      assertThat(problem).isNull();
    } else {
      assertThat(problem)
          .isEqualTo(new PickleTree.Problem(PickleFault.Kind.INVALID, offset, opcode, says));
    }
  }

  @Test
  void aPickleThatEndsEarlyYieldsWhatWasRead() {
    byte[] whole =
        pickle("\200\002}q\000(X\001\000\000\000a](K\001K\002K\003eX\001\000\000\000bK\004u.");

    PickleTree tree = read(Arrays.copyOf(whole, 20));

    assertThat(tree.endsEarly()).isTrue();
    Mapping mapping = (Mapping) Objects.requireNonNull(tree.root());
    assertThat(mapping.keys()).containsExactly(new Text("a"));
    assertThat(((Sequence) mapping.values().get(0)).items()).hasSize(3);
  }

  @Test
  void everyPrefixEndsEarlyAndNoneFails() {
    byte[] whole = pickle("\200\002}(X\001\000\000\000a" + TorchFiles.tensor() + "u.");

    for (int length = 0; length < whole.length; length++) {
      assertThat(read(Arrays.copyOf(whole, length)).endsEarly()).as("length %s", length).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X\377\377\377\177.", // A string of 2 GB.
        "\215\377\377\377\377\377\377\377\377.", // One of 16 EiB.
        "\212\377.", // An integer of 255 bytes.
        "\213\377\377\377\177.", // One of 2 GB.
        "\213\377\377\377\377.", // One of -1 bytes.
        "T\377\377\377\377.", // A string of -1 bytes.
      })
  void aLengthBeyondTheLimitsIsRefusedBeforeMemoryIsTaken(String pickle) {
    PickleTree.Problem problem = Objects.requireNonNull(read(pickle(pickle)).problem());

    assertThat(problem.kind()).isEqualTo(PickleFault.Kind.LIMIT);
  }

  @Test
  void aMemoIndexFarBeyondTheOthersIsRefused() {
    PickleTree.Problem problem =
        Objects.requireNonNull(read(pickle("]r\377\377\377\177.")).problem());

    assertThat(problem.says()).isEqualTo("memo index 2147483647");
  }

  @Test
  void moreObjectsThanMemoryAllowsAreRefused() {
    byte[] lists = new byte[1 << 20];
    Arrays.fill(lists, (byte) ']');

    PickleTree.Problem problem = Objects.requireNonNull(read(lists).problem());

    assertThat(problem.says()).isEqualTo("more objects than there is memory for");
  }

  @Test
  void aFrameThatEndsWithinAnOpcodeIsSeen() {
    assertThat(read(pickle("\200\004\225\002\000\000\000\000\000\000\000}q\000.")).framesHold())
        .isFalse();
  }

  @Test
  void hundredsOfThousandsOfNestedListsAreReadWithoutRecursion() {
    byte[] nested = new byte[400_001];
    Arrays.fill(nested, 0, 200_000, (byte) ']');
    Arrays.fill(nested, 200_000, 399_999, (byte) 'a');
    nested[399_999] = '.';

    PickleTree tree = read(nested);

    assertThat(tree.problem()).isNull();
    assertThat(tree.root()).isInstanceOf(Sequence.class);
  }

  @Test
  void everyOpcodeWithAnyStackGivesATreeOrAProblem() {
    List<String> stacks =
        List.of(
            "",
            "N",
            "]]",
            "}N",
            "(((",
            "K\001K\002K\003",
            "cos\na\n)",
            "(NN",
            "cbuiltins\nset\nN\205\205R(N");
    List<String> arguments = new ArrayList<>(List.of("", "\n\n", "1\n2\n", "'a'\n"));
    arguments.add("\001\000\000\000\000\000\000\000a");
    for (int code = 0; code < 256; code++) {
      for (String stack : stacks) {
        for (String argument : arguments) {
          PickleTree tree = read(pickle(stack + (char) code + argument + "."));

          assertThat(tree.root() != null || tree.problem() != null).isTrue();
        }
      }
    }
  }

  private static Node root(String pickle) {
    PickleTree tree = read(pickle(pickle));
    assertThat(tree.problem()).isNull();
    return Objects.requireNonNull(tree.root());
  }

  private static PickleTree read(byte[] bytes) {
    return new PickleReader(LIMITS).read(Slice.of(bytes));
  }
}
