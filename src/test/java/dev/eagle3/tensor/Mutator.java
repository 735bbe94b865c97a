package dev.eagle3.tensor;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damages files at random: bytes, lengths, opcodes of pickles, records of ZIP, JSON. */
final class Mutator {
  /** Values that length and offset fields are overwritten with. */
  private static final List<byte[]> TELLING =
      List.of(
          new byte[4],
          new byte[] {-1, -1, -1, -1},
          new byte[] {-1, -1, -1, 127},
          new byte[] {0, 0, 0, -128},
          new byte[] {-1, -1, -1, -1, -1, -1, -1, 127},
          new byte[] {0, 0, 0, 0, 0, 0, 0, -128},
          new byte[] {-1, -1},
          new byte[] {1, 0, 0, 0},
          new byte[] {0, 0, 1, 0},
          new byte[] {'P', 'K', 5, 6},
          new byte[] {'P', 'K', 6, 6},
          new byte[] {'P', 'K', 6, 7},
          new byte[] {'P', 'K', 1, 2},
          new byte[] {'P', 'K', 3, 4});

  /** Where fields stand in records of ZIP, and how long they are: APPNOTE.TXT 4.3. */
  private static final int[][] LOCAL = {
    {6, 2}, {8, 2}, {14, 4}, {18, 4}, {22, 4}, {26, 2}, {28, 2}
  };

  private static final int[][] DIRECTORY = {
    {8, 2}, {10, 2}, {16, 4}, {20, 4}, {24, 4}, {28, 2}, {30, 2}, {32, 2}, {42, 4}
  };

  private static final int[][] END = {{8, 2}, {10, 2}, {12, 4}, {16, 4}, {20, 2}};
  private static final int[][] END_64 = {{24, 8}, {32, 8}, {40, 8}, {48, 8}};
  private static final int[][] LOCATOR = {{8, 8}};

  private static final List<String> JSON_WORDS =
      List.of(
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "\"",
          "null",
          "-1",
          "1e3",
          "99999999999999999999",
          "\\u0000",
          "\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},",
          "\"dtype\":",
          "\"F4\"",
          "[[[[[[[[",
          "\"__metadata__\":{",
          "\"shape\":[9,9,9],",
          " ",
          "\u00e9",
          "\\ud800");

  private final Random random;

  Mutator(Random random) {
    this.random = random;
  }

  /** The file with one to four kinds of damage. */
  byte[] damaged(byte[] file) {
    byte[] damaged = file.clone();
    for (int damage = random.nextInt(4); damage >= 0; damage--) {
      damaged = damagedOnce(damaged);
    }
    return damaged;
  }

  private byte[] damagedOnce(byte[] file) {
    if (file.length < 32) {
      return file;
    }
    int at = random.nextInt(file.length - 8);
    return switch (random.nextInt(12)) {
      case 0 -> overwritten(file, at, new byte[] {(byte) random.nextInt(256)});
      case 1 -> overwritten(file, at, new byte[] {(byte) (file[at] ^ 1 << random.nextInt(8))});
      case 2 -> overwritten(file, at, TELLING.get(random.nextInt(TELLING.size())));
      case 3 -> Arrays.copyOf(file, at);
      case 4 -> spliced(file, at, Math.min(file.length, at + random.nextInt(200)));
      case 5 -> spliced(file, at, Math.max(0, at - random.nextInt(200)));
      case 6, 7, 8 -> record(file);
      case 9, 10 -> opcode(file);
      default -> json(file);
    };
  }

  /** Another value in a field of a ZIP record; another byte where there is none. */
  private byte[] record(byte[] file) {
    List<Integer> records = new ArrayList<>();
    for (int at = 0; at + 4 <= file.length; at++) {
      if (file[at] == 'P' && file[at + 1] == 'K' && fields(file[at + 2]).length > 0) {
        records.add(at);
      }
    }
    if (records.isEmpty()) {
      return header(file);
    }
    int at = records.get(random.nextInt(records.size()));
    int[][] fields = fields(file[at + 2]);
    int[] field = fields[random.nextInt(fields.length)];
    if (at + field[0] + field[1] > file.length) {
      return file;
    }
    for (int index = 0; index < field[1]; index++) {
      int place = at + field[0] + index;
      file[place] =
          switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> (byte) (file[place] + random.nextInt(5) - 2);
            default -> (byte) random.nextInt(256);
          };
    }
    return file;
  }

  private static int[][] fields(int kind) {
    return switch (kind) {
      case 3 -> LOCAL;
      case 1 -> DIRECTORY;
      case 5 -> END;
      case 6 -> END_64;
      case 7 -> LOCATOR;
      default -> new int[0][];
    };
  }

  /** Another length at the start, as safetensors have one. */
  private byte[] header(byte[] file) {
    return overwritten(file, random.nextInt(8), new byte[] {(byte) random.nextInt(256)});
  }

  /** Another opcode, or one more, where the pickle stands: behind the first local header. */
  private byte[] opcode(byte[] file) {
    int start = file[0] == 'P' ? Math.min(64, file.length - 9) : 0;
    int at = start + random.nextInt(Math.min(600, file.length - start - 8));
    Opcode[] all = Opcode.values();
    byte code = (byte) all[random.nextInt(all.length)].code();
    if (random.nextBoolean()) {
      return overwritten(file, at, new byte[] {code});
    }
    byte[] longer = spliced(file, at + 1, at);
    longer[at] = code;
    return longer;
  }

  /** A piece of JSON over or between what stands in a header. */
  private byte[] json(byte[] file) {
    byte[] word =
        JSON_WORDS.get(random.nextInt(JSON_WORDS.size())).getBytes(StandardCharsets.UTF_8);
    int at = 8 + random.nextInt(Math.min(300, file.length - 16));
    if (random.nextBoolean() && at + word.length <= file.length) {
      return overwritten(file, at, word);
    }
    byte[] longer = spliced(file, at + word.length, at);
    return overwritten(longer, at, word);
  }

  private static byte[] overwritten(byte[] file, int at, byte[] bytes) {
    System.arraycopy(bytes, 0, file, at, Math.min(bytes.length, file.length - at));
    return file;
  }

  /** The file up to one place, and from another on: bytes are lost, or stand twice. */
  private static byte[] spliced(byte[] file, int to, int from) {
    byte[] spliced =
        Arrays.copyOf(Arrays.copyOf(file, Math.min(to, file.length)), to + file.length - from);
    System.arraycopy(file, from, spliced, to, file.length - from);
    return spliced;
  }
}
