package dev.eagle3.tensor;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes pickles of protocol 2 as Python's pickler does, byte for byte. */
final class PickleWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final Map<String, Integer> memo = new HashMap<>();
  private int memoized;

  PickleWriter() {
    out.write(0x80);
    out.write(2);
  }

  byte[] stop() {
    out.write('.');
    return out.toByteArray();
  }

  PickleWriter opcode(int code) {
    out.write(code);
    return this;
  }

  /** Keeps what was written last in the memo. */
  PickleWriter put() {
    int index = memoized++;
    if (index < 256) {
      out.write('q');
      out.write(index);
    } else {
      out.write('r');
      littleEndian(index, 4);
    }
    return this;
  }

  PickleWriter text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write('X');
    littleEndian(bytes.length, 4);
    out.writeBytes(bytes);
    return put();
  }

  /** A text that Python holds once, so that it is written once. */
  PickleWriter constant(String text) {
    return once("text " + text, () -> text(text));
  }

  PickleWriter global(String module, String name) {
    return once(
        "global " + module + " " + name,
        () -> {
          out.writeBytes(("c" + module + "\n" + name + "\n").getBytes(StandardCharsets.UTF_8));
          put();
        });
  }

  PickleWriter number(long value) {
    if (value >= 0 && value < 256) {
      out.write('K');
      littleEndian(value, 1);
    } else if (value >= 0 && value < 65_536) {
      out.write('M');
      littleEndian(value, 2);
    } else if (value == (int) value) {
      out.write('J');
      littleEndian(value, 4);
    } else {
      byte[] bigEndian = BigInteger.valueOf(value).toByteArray();
      out.write(0x8a);
      out.write(bigEndian.length);
      for (int index = bigEndian.length - 1; index >= 0; index--) {
        out.write(bigEndian[index]);
      }
    }
    return this;
  }

  PickleWriter tuple(List<Long> numbers) {
    if (numbers.isEmpty()) {
      return opcode(')');
    }
    if (numbers.size() > 3) {
      opcode('(');
    }
    numbers.forEach(this::number);
    return opcode(numbers.size() > 3 ? 't' : 0x84 + numbers.size()).put();
  }

  /** Items of a container in batches of a thousand; a single one without a mark. */
  void batches(List<Runnable> items, int single, int many) {
    for (int from = 0; from < items.size(); from += 1000) {
      List<Runnable> batch = items.subList(from, Math.min(from + 1000, items.size()));
      if (batch.size() > 1) {
        opcode('(');
      }
      batch.forEach(Runnable::run);
      opcode(batch.size() > 1 ? many : single);
    }
  }

  private PickleWriter once(String key, Runnable write) {
    Integer index = memo.get(key);
    if (index == null) {
      memo.put(key, memoized);
      write.run();
    } else if (index < 256) {
      out.write('h');
      out.write(index);
    } else {
      out.write('j');
      littleEndian(index, 4);
    }
    return this;
  }

  private void littleEndian(long value, int bytes) {
    for (int index = 0; index < bytes; index++) {
      out.write((int) (value >> (8 * index)));
    }
  }
}
