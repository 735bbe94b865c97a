package dev.eagle3.preflight;

import java.util.ArrayList;
import java.util.List;

/** What one check says. Texts may hold words of the host; whoever prints them escapes them. */
final class Judgement {
  /** How much a line weighs. */
  enum Verdict {
    /** As it should be. */
    OK("ok"),
    /** Worth saying; nothing is wrong. */
    NOTE("note"),
    /** It may go wrong. */
    WARNING("warning"),
    /** It is certain to fail. */
    REFUSED("refused");

    private final String word;

    Verdict(String word) {
      this.word = word;
    }

    /** As events have it. */
    String word() {
      return word;
    }
  }

  /**
   * One line.
   *
   * @param tryNext what to do about it; may be empty
   */
  record Line(Verdict verdict, String says, String tryNext) {}

  private final List<Line> lines = new ArrayList<>();

  void ok(String says) {
    lines.add(new Line(Verdict.OK, says, ""));
  }

  void note(String says) {
    lines.add(new Line(Verdict.NOTE, says, ""));
  }

  void warn(String says) {
    lines.add(new Line(Verdict.WARNING, says, ""));
  }

  /** Certain to fail on this host, whatever happens until then. */
  void refuse(String says, String tryNext) {
    lines.add(new Line(Verdict.REFUSED, says, tryNext));
  }

  /** Certain to fail, unless the job sees another machine than we do: then only a warning. */
  void refuseUnless(boolean elsewhere, String says, String tryNext) {
    if (elsewhere) {
      warn(says + " (as seen from outside of what the job is wrapped in)");
    } else {
      refuse(says, tryNext);
    }
  }

  /** As above; and only a warning, too, where lines of {@code setup} may change it before. */
  void refuseUnless(Situation situation, String says, String tryNext) {
    if (situation.isSetUp() && !situation.isWrapped()) {
      warn(says + ", unless setup changes that");
    } else {
      refuseUnless(situation.isWrapped(), says, tryNext);
    }
  }

  List<Line> lines() {
    return List.copyOf(lines);
  }
}
