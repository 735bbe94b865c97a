package dev.eagle3.run;

import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Answer lines of {@code run-state.sh} → facts. The lines come from a host and are not trusted: a
 * line of an unknown form is left out.
 */
final class RunFactsParser {
  private static final int MOST_PIDS = 100_000;
  private static final int MOST_NOTES = 1000;

  private RunFactsParser() {}

  /** The facts of all runs in the answer, in its order; empty when it does not say where it is. */
  static List<RunFacts> parse(List<String> lines) {
    List<RunFacts> all = new ArrayList<>();
    RunFacts.@Nullable Here here = null;
    @Nullable Collected run = null;
    for (String line : lines) {
      String[] fields = line.split("\t", -1);
      if (fields[0].equals("here") && fields.length == 6) {
        here =
            new RunFacts.Here(
                number(fields[1]), fields[2], fields[3], fields[4], number(fields[5]));
      } else if (fields[0].equals("run") && here != null && isRun(fields)) {
        if (run != null) {
          all.add(run.facts());
        }
        run = new Collected(here, new RunFolder(fields[2]));
      } else if (run != null) {
        run.take(fields);
      }
    }
    if (run != null) {
      all.add(run.facts());
    }
    return all;
  }

  private static boolean isRun(String[] fields) {
    return fields.length == 3
        && RunId.isRunId(fields[1])
        && fields[2].startsWith("/")
        && fields[2].endsWith("/" + fields[1]);
  }

  /** -1 for what is no number. */
  private static long number(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException none) {
      return -1;
    }
  }

  private static final class Collected {
    private final RunFacts.Here here;
    private final RunFolder folder;
    private final List<Long> pids = new ArrayList<>();
    private final List<Long> stopped = new ArrayList<>();
    private OptionalInt exitCode = OptionalInt.empty();
    private boolean givenUp;
    private OptionalLong changed = OptionalLong.empty();
    private Optional<RunFacts.Wrapper> wrapper = Optional.empty();
    private String damage = "";
    private String wrapperIs = "gone";
    private OptionalLong beat = OptionalLong.empty();
    private RunFacts.Log log = new RunFacts.Log(-1, "", OptionalLong.empty(), Optional.empty());
    private final List<String> guard = new ArrayList<>();
    private String end = "";
    private boolean setAside;
    private RunFacts.Output output = new RunFacts.Output("", false, OptionalLong.empty());

    Collected(RunFacts.Here here, RunFolder folder) {
      this.here = here;
      this.folder = folder;
    }

    void take(String[] fields) {
      switch (fields[0] + "/" + (fields.length - 1)) {
        case "exit/1" -> {
          long code = number(fields[1]);
          exitCode = code >= 0 && code < 256 ? OptionalInt.of((int) code) : OptionalInt.empty();
          givenUp = fields[1].equals("none");
        }
        case "made/1" -> changed = positive(fields[1]);
        case "wrapper/5" ->
            wrapper =
                Optional.of(
                    new RunFacts.Wrapper(
                        number(fields[1]), number(fields[2]), fields[3], fields[4], fields[5]));
        case "damaged/1" -> damage = fields[1];
        case "wrapper-is/1" -> wrapperIs = fields[1];
        case "stopped/1" -> add(stopped, fields[1]);
        case "alive/1" -> beat = positive(fields[1]);
        case "process/3" -> add(pids, fields[1]);
        case "lock/2" ->
            output = new RunFacts.Output(fields[1], fields[2].equals("held"), output.samples());
        case "samples/1" ->
            output = new RunFacts.Output(output.lock(), output.held(), positive(fields[1]));
        case "guard/1" -> {
          if (guard.size() < MOST_NOTES) {
            guard.add(fields[1]);
          }
        }
        case "end/1" -> end = fields[1];
        case "aside/1" -> setAside = true;
        case "log/3" ->
            log = new RunFacts.Log(number(fields[1]), fields[2], positive(fields[3]), log.moved());
        case "log-is/2" ->
            log =
                new RunFacts.Log(
                    log.bytes(),
                    log.identity(),
                    log.written(),
                    Optional.of(new MovedLog(fields[1], fields[2])));
        default -> {
          // A line that a newer script may answer.
        }
      }
    }

    private static void add(List<Long> list, String text) {
      long pid = number(text);
      if (pid > 0 && list.size() < MOST_PIDS) {
        list.add(pid);
      }
    }

    private static OptionalLong positive(String text) {
      long number = number(text);
      return number >= 0 ? OptionalLong.of(number) : OptionalLong.empty();
    }

    RunFacts facts() {
      return new RunFacts(
          here,
          folder,
          exitCode,
          givenUp,
          changed,
          wrapper,
          damage,
          wrapperIs,
          stopped,
          beat,
          pids,
          log,
          output,
          new RunFacts.Notes(guard, end, setAside));
    }
  }
}
