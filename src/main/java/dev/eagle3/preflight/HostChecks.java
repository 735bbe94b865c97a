package dev.eagle3.preflight;

import java.util.List;

/** What kind of machine it is, and what a job needs of its system. */
final class HostChecks {
  private static final String PHASE = "host";
  private static final List<String> NEEDED = List.of("setsid", "nohup", "/proc");

  /** Without these, questions to the host have no time limit, or no answer. */
  private static final List<String> WANTED = List.of("timeout", "stat");

  static final List<Check> ALL =
      List.of(
          new Check("machine", PHASE, HostChecks::machine),
          new Check("tools", PHASE, HostChecks::tools),
          new Check("environment", PHASE, HostChecks::environment));

  private HostChecks() {}

  private static void machine(Situation situation, Judgement judgement) {
    HostFacts facts = situation.host();
    String says =
        facts.node() + ": " + facts.system() + " " + facts.machine() + ", as " + facts.user();
    if (facts.system().equals("Linux")) {
      judgement.ok(says + without(facts, "nvidia-smi") + without(facts, "fuser"));
    } else {
      judgement.refuse("runs " + facts.system() + ", but extraction needs Linux", "");
    }
  }

  private static String without(HostFacts facts, String tool) {
    return facts.has(tool) ? "" : ", no " + tool;
  }

  private static void tools(Situation situation, Judgement judgement) {
    for (String tool : NEEDED) {
      if (!situation.host().has(tool)) {
        judgement.refuse("has no " + tool, "a host with coreutils and util-linux");
      }
    }
    for (String tool : WANTED) {
      if (!situation.host().has(tool)) {
        judgement.warn("has no " + tool + " of coreutils: what needs it is not looked at");
      }
    }
    if (judgement.lines().isEmpty()) {
      judgement.ok("setsid, nohup and /proc are there");
    }
  }

  private static void environment(Situation situation, Judgement judgement) {
    for (String name : situation.host().unset()) {
      judgement.warn(
          "the variable " + name + " is not set on this host, and the job runs without it");
    }
  }
}
