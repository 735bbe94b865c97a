package dev.eagle3.log;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lines of one error of one worker: what a user needs to see of it, in bounded memory. A block
 * that is longer than {@link #MOST_LINES} keeps its first line, the last frame of its traceback,
 * and what follows that frame: the exception.
 */
final class ErrorBlock {
  /** How many lines a block shows. */
  static final int MOST_LINES = 12;

  private static final int MOST_CHARACTERS = 400;

  /** Room beside the first line, the ellipsis and the frame line. */
  private static final int MOST_AFTER_FRAME = MOST_LINES - 3;

  private final List<String> first = new ArrayList<>();
  private final List<String> afterFrame = new ArrayList<>();
  private @Nullable String lastFrame;
  private long lines;
  private boolean traceback;

  /** A traceback, or an exception's own line, is in this block. */
  boolean hasTraceback() {
    return traceback;
  }

  void markTraceback() {
    traceback = true;
  }

  boolean isEmpty() {
    return lines == 0;
  }

  void add(String line) {
    if (line.isBlank() || isMarker(line)) {
      return;
    }
    String cut = line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "…" : line;
    lines++;
    if (first.size() < MOST_LINES) {
      first.add(cut);
    }
    if (line.stripLeading().startsWith("File \"")) {
      lastFrame = cut;
      afterFrame.clear();
    } else if (lastFrame != null && afterFrame.size() < MOST_AFTER_FRAME) {
      afterFrame.add(cut);
    }
  }

  /** Python marks what failed in the line above with these. */
  private static boolean isMarker(String line) {
    return line.chars().allMatch(character -> " ^~".indexOf(character) >= 0);
  }

  /** At most {@link #MOST_LINES} lines. */
  List<String> shown() {
    if (lines <= MOST_LINES) {
      return List.copyOf(first);
    }
    List<String> shown = new ArrayList<>();
    if (lastFrame == null) {
      shown.addAll(first.subList(0, MOST_LINES - 1));
      shown.add("… (" + (lines - MOST_LINES + 1) + " more lines)");
    } else {
      shown.add(first.get(0));
      shown.add("  …");
      shown.add(lastFrame);
      shown.addAll(afterFrame);
    }
    return List.copyOf(shown);
  }
}
