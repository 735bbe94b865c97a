package dev.eagle3.gpu;

import dev.eagle3.plan.ClearGpus;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was seen on the GPUs of a host at one moment. It is what a user approves: {@link GpuClearer}
 * ends no process that does not stand in it.
 *
 * @param policy the policy that it was made under: {@code SAFE} looks at the GPUs that the job
 *     needs, {@code ALL} at all, {@code NONE} does not look
 * @param gpus the GPUs, by index
 * @param holders who holds them
 * @param hidden memory in use with no visible holder, on GPUs that the job needs
 * @param absent indices that the job needs and the host does not have
 * @param lacks what the host lacks for a full look, a phrase each
 */
public record GpuLook(
    ClearGpus policy,
    List<Gpu> gpus,
    List<GpuHolder> holders,
    List<HiddenMemory> hidden,
    List<Integer> absent,
    List<String> lacks) {
  /** Copies the lists. */
  public GpuLook {
    gpus = List.copyOf(gpus);
    holders = List.copyOf(holders);
    hidden = List.copyOf(hidden);
    absent = List.copyOf(absent);
    lacks = List.copyOf(lacks);
  }

  /** Nothing was looked at. */
  static GpuLook none() {
    return new GpuLook(ClearGpus.NONE, List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** The processes that clearing would end: what a user is asked about. */
  public List<GpuHolder> endable() {
    return ofKind(HolderKind.OTHER);
  }

  /** Processes of eagle3 runs that live; they stand in the way whatever the policy. */
  public List<GpuHolder> liveRuns() {
    return ofKind(HolderKind.LIVE_RUN);
  }

  /** Whether nothing stands in the way of a launch. */
  public boolean isFree() {
    return endable().isEmpty() && liveRuns().isEmpty() && hidden.isEmpty();
  }

  /** The needed GPUs in words, for example {@code GPUs 0,1}. */
  String needed() {
    List<Integer> indices = gpus.stream().filter(Gpu::needed).map(Gpu::index).toList();
    if (indices.isEmpty()) {
      return "no GPU";
    }
    return (indices.size() == 1 ? "GPU " : "GPUs ")
        + indices.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private List<GpuHolder> ofKind(HolderKind kind) {
    return holders.stream().filter(holder -> holder.kind() == kind).toList();
  }
}
