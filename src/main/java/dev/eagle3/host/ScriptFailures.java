package dev.eagle3.host;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;

/**
 * What is told of a script that gave no answer.
 *
 * @param host the name of the host
 */
record ScriptFailures(String host) {
  private static final String OTHER_SHELL =
      "a login whose server and login shell let it run commands without a terminal; or, where only"
          + " a login shell is given, --via 'ssh HOST'";

  /** Of a command that is over without an answer. */
  Failure unanswered(ScriptCall call, CommandResult result, boolean begun) {
    if (result.ending() instanceof Ending.Refused refused) {
      return refused(refused);
    }
    if (result.ending() instanceof Ending.Lost lost) {
      return lost(call, lost.why());
    }
    if (result.ending() instanceof Ending.TimedOut) {
      Failure late =
          Failure.of(
              Exit.LOST,
              host,
              "no answer to step "
                  + call.script()
                  + " within "
                  + call.timeout().toSeconds()
                  + " s"
                  + (begun ? "" : ", nor a sign of its shell"));
      return begun ? late : late.orTry(OTHER_SHELL);
    }
    if (begun) {
      return Failure.of(
          Exit.LOST,
          host,
          "step "
              + call.script()
              + " was cut off ("
              + shown(result)
              + "); whether it was done is unknown");
    }
    return noShell(result.stderr(), result.stdout());
  }

  /** Of a command that ended before the script began; the texts are what came until then. */
  Failure unbegun(ScriptCall call, Ending ending, String stderr, String stdout) {
    if (ending instanceof Ending.Refused refused) {
      return refused(refused);
    }
    return ending instanceof Ending.Lost lost ? lost(call, lost.why()) : noShell(stderr, stdout);
  }

  private Failure refused(Ending.Refused refused) {
    return Failure.of(Exit.UNREACHABLE, host, refused.why()).orTry(refused.tryNext());
  }

  Failure lost(ScriptCall call, String why) {
    return Failure.of(
        Exit.LOST,
        host,
        "the connection was lost during step "
            + call.script()
            + " ("
            + Printable.line(why, 200)
            + "); whether it was done is unknown");
  }

  Failure noShell(String stderr, String stdout) {
    String last = lastLine(stderr).isEmpty() ? lastLine(stdout) : lastLine(stderr);
    String said = Printable.line(last, 300);
    return Failure.of(
            Exit.UNREACHABLE,
            host,
            "gives no POSIX shell for `sh -s`" + (said.isEmpty() ? "" : ": " + said))
        .orTry(OTHER_SHELL);
  }

  private static String shown(CommandResult result) {
    if (result.ending() instanceof Ending.Signalled killed) {
      return "killed by signal " + Printable.line(killed.signal(), 20);
    }
    return result.cut() ? "its answer is too long" : "its shell ended early";
  }

  private static String lastLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce((first, second) -> second)
        .orElse("");
  }
}
