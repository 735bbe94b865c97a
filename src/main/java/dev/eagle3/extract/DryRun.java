package dev.eagle3.extract;

import dev.eagle3.gpu.GpuClearer;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.output.OutputKeeper;
import dev.eagle3.output.OutputRestorer;
import dev.eagle3.output.OutputSetter;
import dev.eagle3.output.OutputWriterFinder;
import dev.eagle3.plan.ExtractionPlan;
import dev.eagle3.preflight.Preflight;
import dev.eagle3.run.Launcher;
import dev.eagle3.run.OutputLocker;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of an extraction as shell text: the very scripts that {@code extract} sends, joined so
 * that a step that refuses ends all.
 */
public final class DryRun {
  private static final String LOCK = "lock-output";

  private DryRun() {}

  /**
   * One step and what it is for.
   *
   * @param name kebab-case
   * @param says one line
   * @param call what runs on the host
   */
  private record Part(String name, String says, ScriptCall call) {}

  /** What a pasted text does when a step after the lock refuses, as {@code extract} does. */
  private static final String GIVE_BACK = "eagle3_code=$?\n";

  private static final String END_OF_GIVE_BACK = "(exit \"$eagle3_code\")\n}\n}\n";

  /** The steps of a request, in order; joined they are one shell command. Pure. */
  public static List<Event.Step> steps(ExtractionRequest request) {
    ExtractionPlan plan = request.plan();
    List<Part> parts = parts(request);
    List<Event.Step> steps = new ArrayList<>();
    steps.add(new Event.Step("about", about(plan)));
    if (request.replace()) {
      steps.add(new Event.Step("replace", replace(plan, request.comeBack())));
    }
    for (int index = 0; index < parts.size(); index++) {
      Part part = parts.get(index);
      String head = "# Step " + (index + 1) + " of " + parts.size() + ": " + part.says() + "\n";
      String joint =
          part.name().equals(LOCK) ? " && {" : index == parts.size() - 1 ? " || {" : " &&";
      steps.add(new Event.Step(part.name(), head + HostScripts.paste(part.call(), joint)));
    }
    steps.add(new Event.Step("give-back", giveBack(plan)));
    steps.add(new Event.Step("follow", follow(plan, request.comeBack())));
    return steps;
  }

  private static String giveBack(ExtractionPlan plan) {
    return "# Only when a step after the lock refused or failed: put previous output back, if it"
        + " was moved, and give\n"
        + "# the lock back\n"
        + GIVE_BACK
        + HostScripts.paste(OutputRestorer.call(plan, false), " >/dev/null")
        + HostScripts.paste(OutputLocker.unlockCall(plan), "")
        + END_OF_GIVE_BACK;
  }

  private static String about(ExtractionPlan plan) {
    return "# What `eagle3 extract` does on "
        + Printable.line(plan.host())
        + ". Nothing was connected to. Paste all of it into a POSIX\n"
        + "# shell there, or give it to sh: a step that refuses or fails ends it. Secrets stand as "
        + Secrets.REDACTED
        + ".\n";
  }

  /** Which run it is only the host can tell; pasted, the lock refuses while it lives. */
  private static String replace(ExtractionPlan plan, String comeBack) {
    return "# First, because of --replace: eagle3 looks for a live run of yours in "
        + ShellQuote.word(plan.outputDir()).replace("\n", " ")
        + "\n"
        + "# and ends it, after asking. What is pasted here refuses in place of that; end it before"
        + " with:\n"
        + "# eagle3 runs "
        + comeBack
        + "\n# eagle3 stop RUN "
        + comeBack
        + "\n";
  }

  private static List<Part> parts(ExtractionRequest request) {
    ExtractionPlan plan = request.plan();
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part(
            "check-host",
            "what the host is and has; changes nothing. eagle3 judges the answer",
            Preflight.machineCall(plan)));
    parts.add(
        new Part(
            "check-files",
            "what script, packages, model and data are; changes nothing. eagle3 judges the answer",
            Preflight.filesCall(plan, request.preflight())));
    parts.add(
        new Part(
            "look-output",
            "refuse while a process that no run of eagle3 started writes to the output folder",
            OutputWriterFinder.call(plan)));
    parts.add(
        new Part(
            LOCK,
            "lock the output folder, so that no second run writes into it",
            OutputLocker.call(plan)));
    GpuClearer.step(plan)
        .ifPresent(call -> parts.add(new Part("clear-gpus", clearing(plan), call)));
    parts.add(previousOutput(request));
    parts.add(
        new Part("launch", "launch the job, detached from this shell", Launcher.shownCall(plan)));
    return parts;
  }

  private static Part previousOutput(ExtractionRequest request) {
    ExtractionPlan plan = request.plan();
    ScriptCall setAside = OutputSetter.call(plan, request.yesRemove());
    return switch (plan.previousOutput()) {
      case SET_ASIDE ->
          new Part("set-aside", "rename previous output, so that the folder is empty", setAside);
      case DELETE ->
          new Part(
              "set-aside",
              "rename previous output, so that the folder is empty. eagle3 deletes it once the"
                  + " first new\n# sample is good; pasted, that is left to: eagle3 prune "
                  + plan.run()
                  + " "
                  + request.comeBack(),
              setAside);
      case KEEP ->
          new Part(
              "quarantine",
              "note that the run goes on with what stands in the folder. eagle3 names bad files"
                  + " here, which\n# are then moved out; it finds them by: eagle3 verify-shapes",
              OutputKeeper.call(plan));
    };
  }

  private static String clearing(ExtractionPlan plan) {
    return switch (plan.clearGpus()) {
      case SAFE -> "end what runs that are over left on the GPUs; refuse when others hold them";
      case ALL -> "end every process that has a GPU open, daemons spared; refuse for a live run";
      case NONE -> "";
    };
  }

  private static String follow(ExtractionPlan plan, String comeBack) {
    return "# Then, here: follow its log (Ctrl-C leaves the run alive)\n# tail -n +1 -F "
        + ShellQuote.word(plan.logFile())
        + "\n# or, from where eagle3 is:\n# eagle3 tail-log "
        + plan.run()
        + " "
        + comeBack
        + "\n# eagle3 verify-shapes "
        + plan.run()
        + " "
        + comeBack
        + "\n";
  }
}
