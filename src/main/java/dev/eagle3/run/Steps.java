package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.util.List;

/** What the scripts of this package have in common in their answers. */
final class Steps {
  static final int REFUSED = 11;

  private Steps() {}

  /**
   * Runs a script that has nothing to refuse.
   *
   * @throws Failure also for any exit code but 0
   */
  static ScriptAnswer answered(HostScripts scripts, ScriptCall call) {
    ScriptAnswer answer = scripts.run(call);
    if (answer.code() != 0) {
      throw failure(scripts, call, answer);
    }
    return answer;
  }

  /**
   * The failure that an answer of a script stands for that did not do what it was asked. Where the
   * script does not say what came of it, it is {@code REFUSED}: it did not begin.
   */
  static Failure failure(HostScripts scripts, ScriptCall call, ScriptAnswer answer) {
    String host = scripts.host().name();
    if (answer.code() == REFUSED && !answer.rows("refused").isEmpty()) {
      return Failure.of(Exit.REFUSED, host, first(answer, "refused"));
    }
    if (!answer.rows("failed").isEmpty()) {
      return Failure.of(Exit.RUN_FAILED, host, first(answer, "failed"));
    }
    String said = Printable.line(answer.stderr().strip(), 300);
    return Failure.of(
        Exit.REFUSED,
        host,
        "step "
            + call.script()
            + " ended with "
            + answer.code()
            + (said.isEmpty() ? "" : ": " + said));
  }

  /** The first field of the first row of a word; empty when there is none. */
  static String first(ScriptAnswer answer, String word) {
    List<List<String>> rows = answer.rows(word);
    return rows.isEmpty() || rows.get(0).isEmpty() ? "" : rows.get(0).get(0);
  }
}
