package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.output.SetAside.How;
import dev.eagle3.plan.ExtractionPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Sets previous output aside before a run, by renaming: nothing is deleted or copied. */
public final class OutputSetter {
  private static final String SCRIPT = "set-aside";

  /** Renaming is quick; where entries are moved one by one there may be a million of them. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private OutputSetter() {}

  /**
   * Refuses what {@link #setAside} would refuse, as far as that can be seen now; changes nothing.
   *
   * @throws Failure as {@link #setAside}
   */
  public static void check(HostScripts scripts, ExtractionPlan plan, Optional<String> again) {
    looked(scripts, plan, again, "look");
  }

  /**
   * As {@link #check}, and says how much would be set aside; empty when there is nothing. Counting
   * may take ten seconds.
   *
   * @throws Failure as {@link #setAside}
   */
  public static Optional<Amount> measure(
      HostScripts scripts, ExtractionPlan plan, Optional<String> again) {
    return looked(scripts, plan, again, "size").rows("would").stream()
        .filter(row -> row.size() >= 3)
        .map(row -> new Amount(Amount.number(row.get(1)), Amount.number(row.get(2))))
        .findFirst();
  }

  private static ScriptAnswer looked(
      HostScripts scripts, ExtractionPlan plan, Optional<String> again, String act) {
    ScriptAnswer answer = scripts.run(call(plan, again, act));
    refuse(plan, answer);
    if (answer.code() != 0) {
      throw trouble(plan.outputDir(), answer, "could not be looked at");
    }
    return answer;
  }

  /**
   * Makes the plan's output folder an empty one. Called again after an interruption it does the
   * rest; a folder that is empty or new is left as it is.
   *
   * @param again the folder once more, as the user gave it to {@code --yes-remove}, when it may be
   *     set aside although it holds files that are no extraction output
   * @throws Failure {@code REFUSED} with nothing changed: a root, home or system folder, one that
   *     the run itself needs something in, other files, a name that is taken, no permission; others
   *     as {@link HostScripts#run}
   */
  public static SetAside setAside(
      HostScripts scripts, ExtractionPlan plan, Optional<String> again) {
    ScriptAnswer answer = scripts.run(call(plan, again));
    refuse(plan, answer);
    for (How how : List.of(How.CREATED, How.EMPTY)) {
      for (List<String> row : answer.rows(how.name().toLowerCase(Locale.ROOT))) {
        return new SetAside(
            plan.run(),
            plan.outputDir(),
            PathField.path(row.get(0)),
            how,
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty());
      }
    }
    for (List<String> row : answer.rows("aside")) {
      if (row.size() >= 4) {
        return aside(plan, answer, row);
      }
    }
    throw trouble(plan.outputDir(), answer, "could not be set aside");
  }

  /** {@link #setAside} as a call of its script, for {@code --dry-run}. */
  public static ScriptCall call(ExtractionPlan plan, Optional<String> again) {
    return call(plan, again, "do");
  }

  private static ScriptCall call(ExtractionPlan plan, Optional<String> again, String act) {
    List<String> arguments = new ArrayList<>();
    arguments.add(plan.run().text());
    arguments.add(plan.outputDir());
    arguments.add(again.orElse(""));
    arguments.add(plan.stateDir().orElse(""));
    arguments.add(act);
    arguments.add(plan.modelPath());
    arguments.add(plan.preparedData());
    arguments.add(plan.script());
    arguments.add(plan.python());
    ScriptCall call = ScriptCall.of(SCRIPT, arguments.toArray(String[]::new));
    return call.after(OutputNotesReader.NOTES).within(LIMIT).again();
  }

  private static SetAside aside(ExtractionPlan plan, ScriptAnswer answer, List<String> row) {
    String target =
        answer.rows("link").stream()
            .filter(link -> link.size() >= 2)
            .map(link -> PathField.path(link.get(1)))
            .findFirst()
            .orElse(plan.outputDir());
    return new SetAside(
        plan.run(),
        plan.outputDir(),
        target,
        how(row.get(3)),
        Optional.of(PathField.path(row.get(0))),
        Amount.number(row.get(1)),
        Amount.number(row.get(2)));
  }

  private static How how(String word) {
    return switch (word) {
      case "inside" -> How.INSIDE;
      case "already" -> How.ALREADY;
      default -> How.RENAMED;
    };
  }

  private static void refuse(ExtractionPlan plan, ScriptAnswer answer) {
    List<List<String>> refused = answer.rows("refused");
    if (!refused.isEmpty()) {
      throw refusal(plan, PathField.path(refused.get(0).get(0)));
    }
  }

  private static Failure refusal(ExtractionPlan plan, String why) {
    Failure failure =
        Failure.of(
            Exit.REFUSED,
            Printable.line(plan.outputDir(), 300),
            "is not set aside: " + Printable.line(why, 400));
    if (why.contains("no extraction output")) {
      return failure.orTry("another --output-dir; or --yes-remove with this one, to set it aside");
    }
    return failure.orTry("another --output-dir");
  }

  static Failure trouble(String folder, ScriptAnswer answer, String what) {
    String said = Printable.line(answer.stderr().strip(), 200);
    return Failure.of(
        Exit.REFUSED,
        Printable.line(folder, 300),
        what + ": " + (said.isEmpty() ? "exit code " + answer.code() : said));
  }
}
