package dev.eagle3.gpu;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Looks at who holds the GPUs of a host. Changes nothing there. */
public final class GpuLooker {
  private static final String END = "run-end";
  private static final String LOOK = "look-gpus";
  private static final String CLEAR = "clear-gpus";

  /** {@code nvidia-smi} may take 20 seconds twice, and a host may have thousands of processes. */
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private GpuLooker() {}

  /** As {@link #look(HostScripts, GpuNeed)}, for what a plan needs. */
  public static GpuLook look(HostScripts scripts, ExtractionPlan plan) {
    return look(scripts, GpuNeed.of(plan));
  }

  /**
   * What holds the needed GPUs, or, when the policy is {@code ALL}, all GPUs. Under {@code NONE}
   * nothing is looked at.
   *
   * @throws Failure {@code LOST} and {@code UNREACHABLE} as {@link HostScripts#run}; {@code
   *     REFUSED} when the host cannot say it, or names its GPUs in a way that eagle3 cannot follow
   */
  public static GpuLook look(HostScripts scripts, GpuNeed need) {
    if (need.policy() == ClearGpus.NONE) {
      return GpuLook.none(need);
    }
    ScriptCall call =
        ScriptCall.of(LOOK, arguments(need, List.of())).after(END).within(LIMIT).again();
    return new GpuAnswerParser(scripts.host().name()).look(need, scripts.run(call));
  }

  /** The step that looks again and ends {@code whom}, as the scripts take it. */
  static ScriptCall ending(GpuNeed need, List<String> whom) {
    return ScriptCall.of(CLEAR, arguments(need, whom)).after(LOOK).after(END);
  }

  private static String[] arguments(GpuNeed need, List<String> whom) {
    List<String> arguments = new ArrayList<>();
    arguments.add(need.policy().word());
    arguments.add(GpuHolder.indices(need.gpus()));
    arguments.add(String.valueOf(need.tpSize()));
    arguments.add(need.stateDir().orElse(""));
    arguments.addAll(whom);
    return arguments.toArray(String[]::new);
  }
}
