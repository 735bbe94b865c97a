package dev.eagle3.log;

/**
 * Takes terminal control sequences (ECMA-48) out of a text: CSI with its parameters, the strings
 * OSC, DCS, SOS, PM and APC up to their end, and two-character escapes, in the 7-bit form (ESC and
 * a character) and as C1 characters. A sequence that does not end within the text loses only its
 * introducer: a hostile log cannot hide what follows. Other control characters stay, for whoever
 * prints to escape. Linear in the length of the text.
 */
final class AnsiStripper {
  private static final char ESC = 0x1b;
  private static final char BEL = 0x07;
  private static final char DCS = 0x90;
  private static final char SOS = 0x98;
  private static final char CSI = 0x9b;
  private static final char ST = 0x9c;
  private static final char OSC = 0x9d;
  private static final char PM = 0x9e;
  private static final char APC = 0x9f;

  /** No real CSI is longer; what claims to be is text. */
  private static final int MOST_PARAMETERS = 64;

  private final String text;
  private final StringBuilder stripped;
  private int index;

  /** From here on no string terminator was found, so that it is not looked for again. */
  private int noTerminatorFrom = Integer.MAX_VALUE;

  private AnsiStripper(String text) {
    this.text = text;
    this.stripped = new StringBuilder(text.length());
  }

  /** The text without control sequences. */
  static String strip(String text) {
    for (int index = 0; index < text.length(); index++) {
      if (isIntroducer(text.charAt(index))) {
        return new AnsiStripper(text).strip();
      }
    }
    return text;
  }

  private static boolean isIntroducer(char character) {
    return character == ESC || (character >= DCS && character <= APC);
  }

  private String strip() {
    while (index < text.length()) {
      char character = text.charAt(index);
      if (character == ESC && index + 1 < text.length()) {
        skipEscape(text.charAt(index + 1));
      } else if (character == CSI) {
        skipControl(index + 1);
      } else if (isStringStart(character)) {
        skipString(index + 1);
      } else if (character == ST) {
        index++;
      } else {
        stripped.append(character);
        index++;
      }
    }
    return stripped.toString();
  }

  private void skipEscape(char second) {
    if (second == '[') {
      skipControl(index + 2);
    } else if (second >= 0x40 && second <= 0x5f && isStringStart((char) (second + 0x40))) {
      skipString(index + 2);
    } else if (second >= 0x20 && second <= 0x2f) {
      skipCharacterSet(index + 2);
    } else if (second >= 0x30 && second <= 0x7e) {
      index += 2;
    } else {
      index++;
    }
  }

  private static boolean isStringStart(char c1) {
    return c1 == OSC || c1 == DCS || c1 == SOS || c1 == PM || c1 == APC;
  }

  /** {@code ESC ( B} and its kin: intermediate characters, then a final one. */
  private void skipCharacterSet(int from) {
    int end = from;
    while (end < text.length() && end - from < MOST_PARAMETERS && isIn(end, 0x20, 0x2f)) {
      end++;
    }
    index = end < text.length() && isIn(end, 0x30, 0x7e) ? end + 1 : from;
  }

  private void skipControl(int from) {
    int end = from;
    while (end < text.length() && end - from < MOST_PARAMETERS && isIn(end, 0x20, 0x3f)) {
      end++;
    }
    index = end < text.length() && isIn(end, 0x40, 0x7e) ? end + 1 : from;
  }

  private void skipString(int from) {
    index = from;
    if (from >= noTerminatorFrom) {
      return;
    }
    for (int end = from; end < text.length(); end++) {
      char character = text.charAt(end);
      if (character == BEL || character == ST) {
        index = end + 1;
        return;
      }
      if (character == ESC && end + 1 < text.length() && text.charAt(end + 1) == '\\') {
        index = end + 2;
        return;
      }
    }
    noTerminatorFrom = from;
  }

  private boolean isIn(int at, int low, int high) {
    char character = text.charAt(at);
    return character >= low && character <= high;
  }
}
