package dev.eagle3.run;

import dev.eagle3.host.SignalNames;
import java.util.List;

/**
 * The state rule: facts → state. An exit code is the last word; then the wrapper, by process id,
 * start time, boot, node and pid namespace; then the processes of the run; then, where this host
 * cannot see them, the signs of life.
 */
final class RunJudge {
  /** Thirty missed beats: longer than a stalled file server, shorter than anybody waits. */
  private static final long LONGEST_SILENCE_SECONDS = 300;

  /** There is a folder of the run, but no wrapper has said who it is: not yet, or not ever. */
  static final RunState NEVER_STARTED = new RunState.Lost("it was never started");

  private static final int SIGNAL = 128;
  private static final int MOST_SIGNAL = 64;

  private RunJudge() {}

  static RunState judge(RunFacts facts) {
    if (facts.exitCode().isPresent()) {
      return ofExit(facts.exitCode().getAsInt(), facts.pids());
    }
    if (facts.wrapper().isEmpty()) {
      return NEVER_STARTED;
    }
    return switch (facts.wrapperIs()) {
      case "alive" -> new RunState.Running(facts.wrapper().get().pid());
      case "elsewhere" -> elsewhere(facts, facts.wrapper().get());
      default ->
          facts.pids().isEmpty()
              ? new RunState.Lost("its processes were killed")
              : new RunState.Orphaned(facts.pids());
    };
  }

  /** The state that an exit code of the job stands for. */
  static RunState ofExit(int code, List<Long> pids) {
    int signal = code - SIGNAL;
    if (signal > 0 && signal <= MOST_SIGNAL) {
      String name = SignalNames.ofExitCode(code).orElse(String.valueOf(signal));
      return new RunState.Killed(name, code, pids);
    }
    return new RunState.Finished(code, pids);
  }

  private static RunState elsewhere(RunFacts facts, RunFacts.Wrapper wrapper) {
    RunFacts.Here here = facts.here();
    boolean sameNode = wrapper.node().equals(here.node());
    boolean sameBoot = wrapper.boot().equals(here.boot());
    long silence =
        facts.beat().isPresent()
            ? Math.max(0, here.now() - facts.beat().getAsLong())
            : Long.MAX_VALUE;
    if (sameNode && !sameBoot && facts.beat().orElse(0) <= here.booted()) {
      return new RunState.Lost("the host was started anew since");
    }
    String node =
        !sameNode
            ? wrapper.node()
            : (sameBoot ? "another container of " : "another machine named ") + wrapper.node();
    if (silence >= LONGEST_SILENCE_SECONDS) {
      return new RunState.Lost(
          "it ran on " + node + ", which has given no sign of life for some time");
    }
    return new RunState.Elsewhere(node, silence);
  }
}
