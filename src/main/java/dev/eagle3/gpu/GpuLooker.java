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
  static final String SCRIPT = "clear-gpus";

  /** {@code nvidia-smi} may take 20 seconds twice, and a host may have thousands of processes. */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private GpuLooker() {}

  /**
   * What holds the GPUs that the plan needs, or, when its policy is {@code ALL}, all GPUs. Under
   * {@code NONE} nothing is looked at.
   *
   * @throws Failure {@code LOST} and {@code UNREACHABLE} as {@link HostScripts#run}; {@code
   *     REFUSED} when the host cannot say it
   */
  public static GpuLook look(HostScripts scripts, ExtractionPlan plan) {
    if (plan.clearGpus() == ClearGpus.NONE) {
      return GpuLook.none();
    }
    return new GpuAnswerParser(scripts.host().name())
        .look(plan.clearGpus(), scripts.run(call(plan, List.of()).within(LIMIT)));
  }

  /** The script's call under the plan's policy, with whom to end. */
  static ScriptCall call(ExtractionPlan plan, List<String> whom) {
    List<String> arguments = new ArrayList<>();
    arguments.add(plan.clearGpus().word());
    arguments.add(GpuHolder.indices(plan.gpus()));
    arguments.add(String.valueOf(plan.tpSize()));
    arguments.add(plan.stateDir().orElse(""));
    arguments.addAll(whom);
    return ScriptCall.of(SCRIPT, arguments.toArray(String[]::new));
  }
}
