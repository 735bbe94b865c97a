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

  /** Longer than any launch takes from its folder to its wrapper. */
  private static final long LONGEST_LAUNCH_SECONDS = 60;

  private static final int SIGNAL = 128;
  private static final int MOST_SIGNAL = 64;

  private RunJudge() {}

  static RunState judge(RunFacts facts) {
    if (facts.exitCode().isPresent()) {
      return ofExit(facts.exitCode().getAsInt(), facts.pids());
    }
    if (facts.givenUp() && facts.pids().isEmpty() && !facts.wrapperIs().equals("alive")) {
      return NEVER_STARTED;
    }
    if (!facts.damage().isEmpty()) {
      return damaged(facts);
    }
    if (facts.wrapper().isEmpty()) {
      return unrecorded(facts);
    }
    return switch (facts.wrapperIs()) {
      case "alive" -> new RunState.Running(facts.wrapper().get().pid(), facts.stopped());
      case "elsewhere" -> elsewhere(facts, facts.wrapper().get());
      default ->
          facts.pids().isEmpty()
              ? new RunState.Lost("its processes were killed")
              : new RunState.Orphaned(facts.pids());
    };
  }

  /** No wrapper has said who it is: not yet, or not ever. */
  private static RunState unrecorded(RunFacts facts) {
    if (facts.changed().isEmpty()) {
      return NEVER_STARTED;
    }
    long age = facts.here().now() - facts.changed().getAsLong();
    boolean young = age >= 0 && age < LONGEST_LAUNCH_SECONDS;
    if (young) {
      return new RunState.Launching();
    }
    return facts.pids().isEmpty()
        ? NEVER_STARTED
        : new RunState.Orphaned(facts.pids(), "it was never launched to its end");
  }

  private static RunState damaged(RunFacts facts) {
    String why = "its file pid " + facts.damage();
    if (!facts.pids().isEmpty()) {
      return new RunState.Orphaned(facts.pids(), why);
    }
    long silence = silence(facts);
    return silence < LONGEST_SILENCE_SECONDS
        ? new RunState.Elsewhere("a node that cannot be told, since " + why, silence)
        : new RunState.Lost(why + ", and no process of it is to be seen");
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
    if (sameNode && !sameBoot && facts.beat().orElse(0) <= here.booted()) {
      return new RunState.Lost("the host was started anew since");
    }
    String node =
        !sameNode
            ? wrapper.node()
            : (sameBoot ? "another container of " : "another machine named ") + wrapper.node();
    long silence = silence(facts);
    if (silence >= LONGEST_SILENCE_SECONDS) {
      return new RunState.Lost(
          "it ran on " + node + ", which has given no sign of life for some time");
    }
    return new RunState.Elsewhere(node, silence);
  }

  /** Seconds since the last sign of life; negative when it lies far ahead by the clock here. */
  private static long silence(RunFacts facts) {
    if (facts.beat().isEmpty()) {
      return Long.MAX_VALUE;
    }
    long silence = facts.here().now() - facts.beat().getAsLong();
    return silence > -LONGEST_SILENCE_SECONDS ? Math.max(0, silence) : silence;
  }
}
