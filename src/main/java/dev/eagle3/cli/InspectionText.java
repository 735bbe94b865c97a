package dev.eagle3.cli;

import dev.eagle3.outcome.Printable;
import dev.eagle3.report.Units;
import dev.eagle3.tensor.ArrayEntry;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code inspect} says of a file in text: a line for each tensor, alike ones of a list as one.
 */
final class InspectionText {
  /** A list of more tensors that are all alike is one line. */
  private static final int MOST_ALIKE = 8;

  private static final int MOST_PATH_COLUMNS = 48;
  private static final int MOST_PATH_CHARACTERS = 200;
  private static final Pattern LAST_INDEX = Pattern.compile("\\[(\\d{1,9})]$");

  private InspectionText() {}

  /**
   * The lines.
   *
   * @param all one for each tensor, even where many are alike
   */
  static List<String> lines(TensorFile file, boolean all) {
    List<Row> rows = new ArrayList<>();
    List<TensorEntry> tensors = file.tensors();
    int from = 0;
    while (from < tensors.size()) {
      int alike = all ? 1 : alikeFrom(tensors, from);
      TensorEntry tensor = tensors.get(from);
      if (alike > MOST_ALIKE) {
        rows.add(several(tensor, alike));
        from += alike;
      } else {
        rows.add(row(tensor, ""));
        tensor.parts().forEach(part -> rows.add(row(part, "  ")));
        from++;
      }
    }
    file.arrays().forEach(array -> rows.add(row(array)));
    List<String> lines = new ArrayList<>();
    lines.add(title(file));
    lines.addAll(aligned(rows));
    if (!file.globals().isEmpty()) {
      lines.add("names     " + Printable.line(String.join(", ", file.globals())));
    }
    return lines;
  }

  private record Row(String path, String dtype, String shape, String rest) {}

  private static String title(TensorFile file) {
    int count = file.tensors().size();
    String arrays =
        file.arrays().isEmpty() ? "" : ", " + counted(file.arrays().size(), "array", "arrays");
    return Printable.line(file.name())
        + ": "
        + file.container().word()
        + ", "
        + Units.count(file.bytes())
        + " bytes, "
        + counted(count, "tensor", "tensors")
        + arrays;
  }

  private static String counted(int count, String one, String many) {
    return Units.count(count) + " " + (count == 1 ? one : many);
  }

  /** How many tensors of one list, from this one on, differ in nothing but their number. */
  private static int alikeFrom(List<TensorEntry> tensors, int from) {
    TensorEntry first = tensors.get(from);
    Matcher index = LAST_INDEX.matcher(first.path());
    if (!index.find() || !first.parts().isEmpty()) {
      return 1;
    }
    String list = first.path().substring(0, index.start());
    int number = Integer.parseInt(index.group(1));
    int alike = 1;
    while (from + alike < tensors.size()
        && isAlike(first, tensors.get(from + alike))
        && tensors.get(from + alike).path().equals(list + "[" + (number + alike) + "]")) {
      alike++;
    }
    return alike;
  }

  private static boolean isAlike(TensorEntry one, TensorEntry other) {
    return one.dtype().equals(other.dtype())
        && one.shape().equals(other.shape())
        && one.stride().equals(other.stride())
        && (one.storage() == null) == (other.storage() == null)
        && other.parts().isEmpty();
  }

  private static Row several(TensorEntry first, int count) {
    Matcher index = LAST_INDEX.matcher(first.path());
    String path = first.path();
    if (index.find()) {
      long last = Long.parseLong(index.group(1)) + count - 1;
      path = path.substring(0, path.length() - 1) + " .. " + last + "]";
    }
    return new Row(path, first.dtype(), count + " × " + first.shape(), "all alike; -v shows each");
  }

  private static Row row(TensorEntry tensor, String indent) {
    String path = tensor.path().isEmpty() ? "(the object itself)" : tensor.path();
    return new Row(indent + path, tensor.dtype(), tensor.shape().toString(), rest(tensor));
  }

  private static Row row(ArrayEntry array) {
    String path = array.path().isEmpty() ? "(the object itself)" : array.path();
    return new Row(path, array.dtype(), array.shape().toString(), "an array of NumPy");
  }

  /** What is not as in a tensor with a storage of its own. */
  private static String rest(TensorEntry tensor) {
    List<String> facts = new ArrayList<>();
    StorageExtent storage = tensor.storage();
    if (!tensor.layout().equals("strided")) {
      facts.add(tensor.layout());
    }
    if (storage == null) {
      facts.add(tensor.parts().isEmpty() ? "no values" : "of these parts");
      return String.join(", ", facts);
    }
    if (!isContiguous(tensor)) {
      facts.add("stride " + tensor.stride());
    }
    if (tensor.offset() != 0) {
      facts.add("offset " + Units.count(tensor.offset()));
    }
    facts.add("storage " + storage.key());
    if (storage.declaredBytes() >= 0) {
      facts.add(Units.bytes(storage.declaredBytes()));
    }
    if (storage.storedBytes() != storage.declaredBytes() && storage.declaredBytes() >= 0) {
      facts.add(
          storage.storedBytes() < 0
              ? "not in the file"
              : Units.count(storage.storedBytes()) + " bytes of it in the file");
    } else if (storage.usedBytes() < storage.declaredBytes() / 2) {
      facts.add(Units.bytes(storage.usedBytes()) + " of it used");
    }
    return String.join(", ", facts);
  }

  private static boolean isContiguous(TensorEntry tensor) {
    long stride = 1;
    for (int index = tensor.shape().size() - 1; index >= 0; index--) {
      long size = tensor.shape().get(index);
      if (size != 1 && tensor.stride().get(index) != stride) {
        return false;
      }
      stride *= Math.max(1, size);
    }
    return true;
  }

  private static List<String> aligned(List<Row> rows) {
    int path = columns(rows.stream().map(Row::path).toList());
    int dtype = columns(rows.stream().map(Row::dtype).toList());
    int shape = columns(rows.stream().map(Row::shape).toList());
    return rows.stream()
        .map(
            row ->
                "  "
                    + padded(row.path(), path)
                    + "  "
                    + padded(row.dtype(), dtype)
                    + "  "
                    + padded(row.shape(), shape)
                    + "  "
                    + Printable.line(row.rest(), MOST_PATH_CHARACTERS))
        .map(String::stripTrailing)
        .toList();
  }

  private static int columns(List<String> cells) {
    return cells.stream()
        .mapToInt(cell -> Printable.line(cell, MOST_PATH_CHARACTERS).length())
        .filter(length -> length <= MOST_PATH_COLUMNS)
        .max()
        .orElse(0);
  }

  private static String padded(String cell, int columns) {
    String shown = Printable.line(cell, MOST_PATH_CHARACTERS);
    return shown + " ".repeat(Math.max(0, columns - shown.length()));
  }
}
