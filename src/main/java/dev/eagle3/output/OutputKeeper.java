package dev.eagle3.output;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ExtractionPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Leaves previous output in place for a run that goes on in it, and takes bad files out. */
public final class OutputKeeper {
  private static final String SCRIPT = "quarantine";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Files in one call: their names are the arguments of one program. */
  private static final int MOST_NAMES = 400;

  private OutputKeeper() {}

  /**
   * Refuses what {@link #keep} would refuse, as far as that can be seen now; changes nothing.
   *
   * @throws Failure as {@link #keep}
   */
  public static void check(HostScripts scripts, ExtractionPlan plan) {
    answered(scripts, plan, call(plan, "look", List.of()));
  }

  /**
   * Takes the files out, by renaming: nothing is deleted. Called again after an interruption it
   * does the rest. Without any, it only notes that the run goes on in the folder, which is made
   * when it is not there.
   *
   * @param bad names of files right in the output folder, and what is wrong with each
   * @throws Failure {@code REFUSED}; others as {@link HostScripts#run}
   */
  public static Kept keep(HostScripts scripts, ExtractionPlan plan, Map<String, String> bad) {
    List<String> words = new ArrayList<>();
    Kept kept = new Kept(plan.run(), plan.outputDir(), Optional.empty(), 0);
    for (Map.Entry<String, String> file : bad.entrySet()) {
      words.add(file.getKey());
      words.add(file.getValue());
      if (words.size() >= 2 * MOST_NAMES) {
        kept = kept(plan, answered(scripts, plan, call(plan, "do", words)));
        words.clear();
      }
    }
    return words.isEmpty() && !bad.isEmpty()
        ? kept
        : kept(plan, answered(scripts, plan, call(plan, "do", words)));
  }

  /** {@link #keep} without a file to take out, as a call of its script, for {@code --dry-run}. */
  public static ScriptCall call(ExtractionPlan plan) {
    return call(plan, "do", List.of());
  }

  private static ScriptCall call(ExtractionPlan plan, String act, List<String> words) {
    List<String> arguments = new ArrayList<>();
    arguments.add(plan.run().text());
    arguments.add(plan.outputDir());
    arguments.add(plan.stateDir().orElse(""));
    arguments.add(act);
    arguments.addAll(words);
    ScriptCall call = ScriptCall.of(SCRIPT, arguments.toArray(String[]::new));
    return call.after(OutputNotesReader.NOTES).within(LIMIT).again();
  }

  private static ScriptAnswer answered(HostScripts scripts, ExtractionPlan plan, ScriptCall call) {
    ScriptAnswer answer = scripts.run(call);
    List<List<String>> refused = answer.rows("refused");
    if (!refused.isEmpty()) {
      throw Failure.of(
              Exit.REFUSED,
              Printable.line(plan.outputDir(), 300),
              "is not gone on with: " + Printable.line(PathField.path(refused.get(0).get(0)), 400))
          .orTry("--previous-output set-aside, or another --output-dir");
    }
    if (answer.code() != 0) {
      throw OutputSetter.trouble(plan.outputDir(), answer, "could not be gone on with");
    }
    return answer;
  }

  private static Kept kept(ExtractionPlan plan, ScriptAnswer answer) {
    String folder =
        answer.rows("kept").stream()
            .map(row -> PathField.path(row.get(0)))
            .findFirst()
            .orElse(plan.outputDir());
    for (List<String> row : answer.rows("quarantined")) {
      if (row.size() >= 2) {
        return new Kept(
            plan.run(),
            folder,
            Optional.of(PathField.path(row.get(0))),
            Amount.number(row.get(1)).orElse(0));
      }
    }
    return new Kept(plan.run(), folder, Optional.empty(), 0);
  }
}
