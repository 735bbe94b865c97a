package dev.eagle3.run;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import java.util.List;
import java.util.OptionalDouble;

/** Asks the kernel of a host what it did while a run lived. Changes nothing there. */
public final class KernelLooker {
  private static final Pattern STAMP =
      Pattern.compile("^(?:<\\d+>)?\\[ *(\\d{1,12}\\.\\d{1,9})\\] ?");

  /** The clock of the kernel's log runs a little apart from that of files. */
  private static final int SLACK_SECONDS = 30;

  private static final int MOST_LINES = 50;

  private KernelLooker() {}

  /**
   * What was noted while the run lived; blocks for a moment. Nothing where it cannot be asked: this
   * question is asked of runs that have failed, and no reason to fail once more.
   *
   * @throws Failure {@code LOST} when the connection went away
   */
  public static KernelNotes look(HostScripts scripts, RunFolder folder) {
    ScriptAnswer answer = scripts.run(ScriptCall.of("look-kernel", folder.path()).again());
    return answer.code() == 0 ? parse(answer) : KernelNotes.NONE;
  }

  /** The notes in an answer of the script. */
  static KernelNotes parse(ScriptAnswer answer) {
    long now = number(answer, "here", 0);
    long up = number(answer, "here", 1);
    long began = number(answer, "run", 0);
    long ended = number(answer, "run", 1);
    double from = began - (now - up) - (double) SLACK_SECONDS;
    double to = ended - (now - up) + (double) SLACK_SECONDS;
    List<String> lines =
        now < 0 || began <= 0
            ? List.of()
            : answer.rows("line").stream()
                .map(row -> String.join("\t", row))
                .filter(line -> isBetween(line, from, to))
                .toList();
    List<String> last = lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size());
    return new KernelNotes(reaches(answer, to), last, groups(answer));
  }

  /** Whether the log could be read, and goes back to the end of the run: old lines make room. */
  private static boolean reaches(ScriptAnswer answer, double end) {
    boolean read =
        answer.rows("kernel").stream()
            .anyMatch(row -> !row.isEmpty() && !row.get(0).equals("none"));
    OptionalDouble oldest =
        answer.rows("oldest").stream()
            .map(row -> seconds(String.join("\t", row)))
            .flatMapToDouble(OptionalDouble::stream)
            .findFirst();
    return read && oldest.orElse(0) <= end - SLACK_SECONDS;
  }

  private static boolean isBetween(String line, double from, double to) {
    OptionalDouble seconds = seconds(line);
    return seconds.isPresent() && seconds.getAsDouble() >= from && seconds.getAsDouble() <= to;
  }

  private static OptionalDouble seconds(String line) {
    Matcher matcher = STAMP.matcher(line);
    return matcher.find()
        ? OptionalDouble.of(Double.parseDouble(matcher.group(1)))
        : OptionalDouble.empty();
  }

  private static List<KernelNotes.Group> groups(ScriptAnswer answer) {
    return answer.rows("group").stream()
        .filter(row -> row.size() == 3 && number(row.get(1)) >= 0)
        .map(row -> new KernelNotes.Group(row.get(0), number(row.get(1)), number(row.get(2))))
        .toList();
  }

  private static long number(ScriptAnswer answer, String word, int field) {
    List<List<String>> rows = answer.rows(word);
    return rows.isEmpty() || rows.get(0).size() <= field ? -1 : number(rows.get(0).get(field));
  }

  /** -1 for what is no number. */
  private static long number(String text) {
    boolean number =
        !text.isEmpty()
            && text.length() <= 18
            && text.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    return number ? Long.parseLong(text) : -1;
  }
}
