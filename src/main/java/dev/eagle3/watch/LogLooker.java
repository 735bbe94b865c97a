package dev.eagle3.watch;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Asks a host what a log is, and who writes to it. Changes nothing there. */
public final class LogLooker {
  private LogLooker() {}

  /**
   * Looks once; blocks.
   *
   * @param before processes that had it open for writing before: while one of them still has, no
   *     other one is looked for
   * @throws Failure {@code REFUSED} when the host cannot say; others as {@link HostScripts#run}
   */
  public static LogLook look(HostScripts scripts, String log, Collection<Long> before) {
    List<String> arguments = new ArrayList<>(List.of(log));
    before.forEach(pid -> arguments.add(String.valueOf(pid)));
    ScriptAnswer answer =
        scripts.run(
            ScriptCall.of("look-log", arguments.toArray(String[]::new))
                .after("tell-processes")
                .after("run-processes")
                .again());
    return LogLook.parse(answer)
        .orElseThrow(
            () ->
                Failure.of(
                    Exit.REFUSED,
                    scripts.host().name(),
                    "cannot say what "
                        + Printable.line(log, 300)
                        + " is: "
                        + Printable.line(answer.stderr().strip(), 200)));
  }
}
