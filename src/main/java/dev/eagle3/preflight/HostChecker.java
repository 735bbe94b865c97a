package dev.eagle3.preflight;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ExtractionPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a host before anything on it is touched: one round trip. Refuses only what is certain to
 * fail there; what may be missing is said.
 */
public final class HostChecker {
  private static final List<String> NEEDED = List.of("setsid", "nohup", "/proc");

  private final EventSink sink;

  /** A checker that reports what it finds. */
  public HostChecker(EventSink sink) {
    this.sink = sink;
  }

  /** The question, as {@code --dry-run} prints it. */
  public static ScriptCall call(ExtractionPlan plan) {
    List<String> pairs =
        new ArrayList<>(
            List.of(
                "python",
                plan.python(),
                "script",
                plan.script(),
                "model",
                plan.modelPath(),
                "data",
                plan.preparedData()));
    for (String name : plan.environmentByName()) {
      pairs.add("variable");
      pairs.add(name);
    }
    return ScriptCall.of("probe-host", pairs.toArray(String[]::new)).again();
  }

  /**
   * Asks the host and judges the answer.
   *
   * @throws Failure {@code REFUSED} with all that is certain to fail
   */
  public HostFacts check(HostScripts scripts, ExtractionPlan plan) {
    ScriptAnswer answer = scripts.run(call(plan));
    HostFacts facts = HostFacts.parse(answer);
    String host = scripts.host().name();
    List<String> refusals = refusals(facts, plan);
    sink.emit(
        new Event.Check(
            "host",
            "machine",
            refusals.isEmpty() ? "ok" : "refused",
            facts.node()
                + ": "
                + facts.system()
                + " "
                + facts.machine()
                + ", as "
                + facts.user()
                + (facts.has("nvidia-smi") ? "" : ", no nvidia-smi")
                + (facts.has("fuser") ? "" : ", no fuser")));
    for (String name : facts.unset()) {
      sink.emit(
          new Event.Check(
              "host",
              "environment",
              "warning",
              "the variable " + name + " is not set on this host, and the job runs without it"));
    }
    if (!refusals.isEmpty()) {
      throw Failure.of(Exit.REFUSED, host, String.join("; ", refusals))
          .orTry("--profile FILE with the paths of this host: docs/profile.md");
    }
    return facts;
  }

  private static List<String> refusals(HostFacts facts, ExtractionPlan plan) {
    List<String> refusals = new ArrayList<>();
    if (!facts.system().equals("Linux")) {
      refusals.add("runs " + facts.system() + ", but extraction needs Linux");
    }
    for (String tool : NEEDED) {
      if (!facts.has(tool)) {
        refusals.add("has no " + tool);
      }
    }
    expect(facts, "python", List.of("program"), "the interpreter --python", refusals);
    expect(facts, "script", List.of("program", "file"), "the script --script", refusals);
    expect(facts, "data", List.of("program", "file", "folder"), "--prepared-data", refusals);
    // A model may also be named by a hub id, which no path of the host shows.
    if (plan.modelPath().startsWith("/")) {
      expect(facts, "model", List.of("folder", "file", "program"), "--model-path", refusals);
    }
    return refusals;
  }

  private static void expect(
      HostFacts facts, String word, List<String> kinds, String what, List<String> refusals) {
    HostFacts.PathFact fact = facts.paths().get(word);
    if (fact != null && !kinds.contains(fact.kind())) {
      refusals.add(what + " " + fact.path() + " is " + described(fact.kind()));
    }
  }

  private static String described(String kind) {
    return switch (kind) {
      case "missing" -> "not there";
      case "unreadable" -> "not readable";
      case "file" -> "not executable";
      default -> "a " + kind;
    };
  }
}
