package dev.eagle3.verify;

import java.util.Comparator;
import java.util.OptionalLong;

/**
 * The parts of a sample's file name: {@code data_12.pt} is {@code data_}, 12, {@code .pt}.
 *
 * @param folder everything before the last slash; empty for a bare name
 * @param prefix what stands before the number, or the whole stem without one
 * @param number the digits right before the extension; empty without any, or with more than 18
 * @param extension from the last dot on, with what {@code .gz} is behind; empty without one
 */
public record SampleName(String folder, String prefix, OptionalLong number, String extension) {
  /** As people count: {@code data_2.pt} before {@code data_10.pt}. Equal only for equal texts. */
  public static final Comparator<String> NATURAL_ORDER = SampleName::compareNaturally;

  /** More digits than a long surely holds. */
  private static final int MOST_DIGITS = 18;

  /** The parts of the last name of {@code path}. */
  public static SampleName of(String path) {
    int slash = path.lastIndexOf('/');
    String name = path.substring(slash + 1);
    int dot = dotOf(name);
    String stem = dot > 0 ? name.substring(0, dot) : name;
    int digits = stem.length();
    while (digits > 0 && isDigit(stem.charAt(digits - 1))) {
      digits--;
    }
    int count = stem.length() - digits;
    boolean numbered = count > 0 && count <= MOST_DIGITS;
    return new SampleName(
        slash < 0 ? "" : path.substring(0, slash),
        numbered ? stem.substring(0, digits) : stem,
        numbered ? OptionalLong.of(Long.parseLong(stem.substring(digits))) : OptionalLong.empty(),
        dot > 0 ? name.substring(dot) : "");
  }

  /** Where the extension begins: that of {@code data_1.ckpt.gz} is {@code .ckpt.gz}. */
  private static int dotOf(String name) {
    int dot = name.lastIndexOf('.');
    int before = name.endsWith(".gz") ? name.lastIndexOf('.', dot - 1) : -1;
    return before > 0 ? before : dot;
  }

  private static int compareNaturally(String left, String right) {
    int l = 0;
    int r = 0;
    while (l < left.length() && r < right.length()) {
      if (isDigit(left.charAt(l)) && isDigit(right.charAt(r))) {
        int endLeft = endOfDigits(left, l);
        int endRight = endOfDigits(right, r);
        int order = compareDigits(left, l, endLeft, right, r, endRight);
        if (order != 0) {
          return order;
        }
        l = endLeft;
        r = endRight;
      } else if (left.charAt(l) != right.charAt(r)) {
        return Character.compare(left.charAt(l), right.charAt(r));
      } else {
        l++;
        r++;
      }
    }
    int rest = Integer.compare(left.length() - l, right.length() - r);
    return rest != 0 ? rest : left.compareTo(right);
  }

  /** By the numbers that stand there, of any length. Makes no objects: folders are large. */
  private static int compareDigits(
      String left, int fromLeft, int endLeft, String right, int fromRight, int endRight) {
    int l = afterZeros(left, fromLeft, endLeft);
    int r = afterZeros(right, fromRight, endRight);
    int order = Integer.compare(endLeft - l, endRight - r);
    while (order == 0 && l < endLeft) {
      order = Character.compare(left.charAt(l++), right.charAt(r++));
    }
    return order;
  }

  private static int afterZeros(String text, int from, int end) {
    int at = from;
    while (at < end && text.charAt(at) == '0') {
      at++;
    }
    return at;
  }

  private static int endOfDigits(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char letter) {
    return letter >= '0' && letter <= '9';
  }
}
