package dev.eagle3.gpu;

import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.ExtractionPlan;
import java.util.List;
import java.util.Optional;

/**
 * Which GPUs a job needs, and what may be done to those who hold them.
 *
 * @param policy what may be done
 * @param gpus their indices; empty for those that CUDA_VISIBLE_DEVICES of the host names, else the
 *     first {@code tpSize}
 * @param tpSize how many
 * @param stateDir folder of eagle3's state, where runs are known; empty for {@code $HOME/.eagle3}
 */
public record GpuNeed(ClearGpus policy, List<Integer> gpus, int tpSize, Optional<String> stateDir) {
  /** Copies the list. */
  public GpuNeed {
    gpus = List.copyOf(gpus);
  }

  /** What a plan needs. */
  public static GpuNeed of(ExtractionPlan plan) {
    return new GpuNeed(plan.clearGpus(), plan.gpus(), plan.tpSize(), plan.stateDir());
  }
}
