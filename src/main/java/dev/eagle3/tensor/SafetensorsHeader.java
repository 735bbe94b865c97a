package dev.eagle3.tensor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** Parses the JSON header of a safetensors file, token by token. */
final class SafetensorsHeader {
  private static final String METADATA = "__metadata__";

  private final Slice bytes;
  private final ReadLimits limits;
  private final Cases unknownFields = new Cases();
  private final Cases unknownDtypes = new Cases();
  private final List<Info> infos = new ArrayList<>();
  private final JsonFactory json;
  private long freeBytes;

  /**
   * A tensor as the header has it.
   *
   * @param begin first byte, from the end of the header on
   * @param end first byte after it
   */
  record Info(String name, Dtype dtype, List<Long> shape, long begin, long end) {
    /** What the shape needs; -1 when that is no whole number of bytes that fits a long. */
    long neededBytes() {
      return dtype.bytes(new RebuiltTensor(dtype, shape, List.of(), 0, null).elements());
    }

    /** Whether its bytes are as many as its shape needs, as far as that is known. */
    boolean fits() {
      return dtype.bits() == 0 || neededBytes() == end - begin;
    }

    /** torch's word for the dtype. */
    String torchDtype() {
      return isPairs() ? "float4_e2m1fn_x2" : dtype.word();
    }

    /** The shape as torch counts it, where two values of 4 bits are one element. */
    List<Long> torchShape() {
      if (!isPairs()) {
        return shape;
      }
      List<Long> halved = new ArrayList<>(shape);
      halved.set(shape.size() - 1, shape.get(shape.size() - 1) / 2);
      return halved;
    }

    private boolean isPairs() {
      return dtype.word().equals("F4") && !shape.isEmpty() && shape.get(shape.size() - 1) % 2 == 0;
    }
  }

  SafetensorsHeader(Slice bytes, ReadLimits limits) {
    this.bytes = bytes;
    this.limits = limits;
    this.freeBytes = limits.treeBytes();
    this.json =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.rank())
                    .maxStringLength(limits.textBytes())
                    .maxNameLength(limits.pathCharacters())
                    .maxNumberLength(64)
                    .build())
            .build();
  }

  static boolean isSpace(int first) {
    return first == ' ' || first == '\t' || first == '\n' || first == '\r';
  }

  /** Fields that the format does not have; its own reader passes over them. */
  Cases unknownFields() {
    return unknownFields;
  }

  /** Tensors of a dtype that is not known here; of those no size can be checked. */
  Cases unknownDtypes() {
    return unknownDtypes;
  }

  /** The tensors of a header that ends too early, as far as it goes. */
  List<Info> readStart() {
    try {
      return read();
    } catch (FileFault endsEarly) {
      return infos;
    }
  }

  /** The tensors in the order of the header; once for each header. */
  List<Info> read() throws FileFault {
    checkStart();
    try (JsonParser parser =
        json.createParser(
            ObjectReadContext.empty(), bytes.array(), bytes.start(), bytes.length())) {
      parser.nextToken();
      tensors(parser);
      if (parser.nextToken() != null) {
        throw invalid("something follows the object");
      }
      return infos;
    } catch (JacksonException broken) {
      throw invalid("no valid JSON" + place(broken) + ": " + broken.getOriginalMessage());
    }
  }

  private static String place(JacksonException broken) {
    TokenStreamLocation location = broken.getLocation();
    return location == null ? "" : " at byte " + Findings.grouped(location.getByteOffset());
  }

  /** Jackson would take other encodings, and a mark of the encoding, which the format forbids. */
  private void checkStart() throws FileFault {
    int at = 0;
    while (at < bytes.length() && isSpace(bytes.u8(at))) {
      at++;
    }
    if (at == bytes.length() || bytes.u8(at) != '{') {
      throw invalid("it does not begin with {");
    }
    if (at + 1 < bytes.length() && bytes.u8(at + 1) == 0) {
      throw invalid("it is not UTF-8");
    }
  }

  private void tensors(JsonParser parser) throws FileFault {
    Set<String> names = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      charge(200 + 2L * name.length());
      parser.nextToken();
      if (!names.add(name)) {
        throw new FileFault(
            "file.duplicate-name",
            "each name once",
            Findings.shortened(name) + " stands twice",
            "safetensors takes the last one without a word");
      }
      if (name.equals(METADATA)) {
        metadata(parser);
      } else {
        infos.add(tensor(name, parser));
      }
    }
  }

  private void metadata(JsonParser parser) throws FileFault {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    expect(parser, JsonToken.START_OBJECT, METADATA);
    Set<String> names = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      charge(100 + 2L * name.length());
      if (!names.add(name)) {
        throw invalid(METADATA + " has " + Findings.shortened(name) + " twice");
      }
      parser.nextToken();
      expect(parser, JsonToken.VALUE_STRING, METADATA + " " + Findings.shortened(name));
    }
  }

  private Info tensor(String name, JsonParser parser) throws FileFault {
    String shown = Findings.shortened(name);
    expect(parser, JsonToken.START_OBJECT, shown);
    @Nullable String dtype = null;
    @Nullable List<Long> shape = null;
    @Nullable List<Long> offsets = null;
    Set<String> fields = new HashSet<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String field = parser.currentName();
      parser.nextToken();
      if (!fields.add(field)) {
        throw invalid(shown + " has " + Findings.shortened(field) + " twice");
      }
      switch (field) {
        case "dtype" -> {
          expect(parser, JsonToken.VALUE_STRING, shown + " dtype");
          dtype = parser.getString();
        }
        case "shape" -> shape = numbers(parser, shown + " shape");
        case "data_offsets" -> offsets = numbers(parser, shown + " data_offsets");
        default -> {
          charge(100);
          parser.skipChildren();
          unknownFields.add(shown + " also has " + Findings.shortened(field));
        }
      }
    }
    if (dtype == null || shape == null || offsets == null) {
      throw invalid(shown + " lacks its dtype, shape or data_offsets");
    }
    if (offsets.size() != 2 || offsets.get(0) > offsets.get(1)) {
      throw invalid(shown + " has data_offsets " + offsets);
    }
    Dtype known = Dtype.ofSafetensors(dtype);
    if (known == null) {
      unknownDtypes.add(shown + " has dtype " + Findings.shortened(dtype));
      known = new Dtype(Findings.shortened(dtype), 0);
    }
    return new Info(name, known, shape, offsets.get(0), offsets.get(1));
  }

  private List<Long> numbers(JsonParser parser, String what) throws FileFault {
    expect(parser, JsonToken.START_ARRAY, what);
    List<Long> numbers = new ArrayList<>(4);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser, JsonToken.VALUE_NUMBER_INT, what);
      if (numbers.size() == limits.rank()) {
        throw invalid(what + " has more than " + limits.rank() + " numbers");
      }
      if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
          || parser.getLongValue() < 0
          || parser.getString().startsWith("-")) {
        throw invalid(what + " has " + Findings.shortened(parser.getString()));
      }
      charge(24);
      numbers.add(parser.getLongValue());
    }
    return numbers;
  }

  private void charge(long cost) throws FileFault {
    freeBytes -= cost;
    if (freeBytes < 0) {
      throw new FileFault(
          "file.limit", "a header that fits in memory", "more tensors than there is memory for");
    }
  }

  private static void expect(JsonParser parser, JsonToken wanted, String what) throws FileFault {
    if (parser.currentToken() != wanted) {
      throw invalid(what + " is no " + word(wanted));
    }
  }

  private static String word(JsonToken token) {
    return switch (token) {
      case START_OBJECT -> "object";
      case START_ARRAY -> "list";
      case VALUE_STRING -> "string";
      default -> "whole number";
    };
  }

  private static FileFault invalid(String what) {
    return new FileFault("file.header-invalid", "the header of a safetensors file", what);
  }
}
