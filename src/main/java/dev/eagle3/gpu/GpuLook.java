package dev.eagle3.gpu;

import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What was seen on the GPUs of a host at one moment. It is what a user approves: {@link GpuClearer}
 * ends no process that does not stand in it.
 *
 * @param need what it was made for: {@code SAFE} looks at the GPUs that the job needs, {@code ALL}
 *     at all, {@code NONE} does not look
 * @param gpus the GPUs, by index
 * @param holders who holds them
 * @param hidden memory in use with no visible holder, on GPUs that the job needs
 * @param absent indices that the job needs and the host does not have
 * @param split indices that the job needs and MIG has cut into parts
 * @param lacks what the host lacks for a full look, a phrase each
 */
public record GpuLook(
    GpuNeed need,
    List<Gpu> gpus,
    List<GpuHolder> holders,
    List<HiddenMemory> hidden,
    List<Integer> absent,
    List<Integer> split,
    List<String> lacks) {
  private static final int PIDS_SHOWN = 8;

  /** Copies the lists. */
  public GpuLook {
    gpus = List.copyOf(gpus);
    holders = List.copyOf(holders);
    hidden = List.copyOf(hidden);
    absent = List.copyOf(absent);
    split = List.copyOf(split);
    lacks = List.copyOf(lacks);
  }

  /** Nothing was looked at. */
  static GpuLook none(GpuNeed need) {
    return new GpuLook(need, List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** The same look without what belongs to a run: that one will have ended by then. */
  public GpuLook without(RunId run) {
    List<GpuHolder> others = holding(holder -> holder.run().filter(run::equals).isEmpty());
    return new GpuLook(need, gpus, others, hidden, absent, split, lacks);
  }

  /** The processes that belong to a run. */
  public List<GpuHolder> ofRun(RunId run) {
    return holding(holder -> holder.run().filter(run::equals).isPresent());
  }

  /** The policy that it was made under. */
  public ClearGpus policy() {
    return need.policy();
  }

  /** The processes that clearing ends without asking: left over, nobody's work any more. */
  public List<GpuHolder> unasked() {
    return holding(holder -> holder.kind().isLeftOver());
  }

  /** The processes that somebody must agree to end; each {@link GpuHolder#says} who it is. */
  public List<GpuHolder> asked() {
    return holding(holder -> holder.kind() == HolderKind.OTHER);
  }

  /** All that clearing would end: {@link #unasked} and {@link #asked}. */
  public List<GpuHolder> endable() {
    return holding(holder -> holder.kind().isLeftOver() || holder.kind() == HolderKind.OTHER);
  }

  /** Processes of eagle3 runs that live; they stand in the way whatever the policy. */
  public List<GpuHolder> liveRuns() {
    return holding(holder -> holder.kind() == HolderKind.LIVE_RUN);
  }

  /** Processes of other users on needed GPUs, which this user may not end. */
  public List<GpuHolder> foreign() {
    List<Integer> needed = neededIndices();
    return holding(
        holder ->
            holder.kind() == HolderKind.FOREIGN
                && holder.gpus().stream().anyMatch(needed::contains));
  }

  /** What stands in the way whatever is agreed to, a clause each about the host; printable. */
  public List<String> refusals() {
    List<String> refusals = new ArrayList<>();
    if (!absent.isEmpty() && !gpus.isEmpty()) {
      refusals.add(
          "has "
              + (gpus.size() == 1 ? "1 GPU" : gpus.size() + " GPUs")
              + ", and no GPU "
              + GpuHolder.indices(absent));
    }
    if (!split.isEmpty()) {
      refusals.add(
          "MIG has cut GPU "
              + GpuHolder.indices(split)
              + " into parts, and the job needs whole ones");
    }
    if (!liveRuns().isEmpty()) {
      refusals.add("its GPUs are held by " + GpuHolder.named(liveRuns()));
    }
    if (!foreign().isEmpty()) {
      refusals.add(
          "its GPUs are held by processes of others, which this user may not end: "
              + GpuHolder.named(foreign()));
    }
    if (!hidden.isEmpty()) {
      refusals.add(hiddenMemory());
    }
    return refusals;
  }

  /** Whether nothing stands in the way of a launch. */
  public boolean isFree() {
    return endable().isEmpty() && refusals().isEmpty();
  }

  /** The needed GPUs in words, for example {@code GPUs 0,1}. */
  String needed() {
    List<Integer> indices = neededIndices();
    if (indices.isEmpty()) {
      return "no GPU";
    }
    return (indices.size() == 1 ? "GPU " : "GPUs ") + GpuHolder.indices(indices);
  }

  /** Whether processes of other users cannot be seen. */
  boolean seesOwnOnly() {
    return lacks.stream().anyMatch(one -> one.startsWith("root:"));
  }

  private String hiddenMemory() {
    String what =
        hidden.stream()
            .map(one -> one.mebibytes() + " MiB of GPU " + one.gpu())
            .collect(Collectors.joining(", "));
    String pids =
        hidden.stream()
            .flatMap(one -> one.pids().stream())
            .distinct()
            .limit(PIDS_SHOWN)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return what
        + " held from outside this container or hidden"
        + (seesOwnOnly() ? ", or by another user, whose processes cannot be seen from here" : "")
        + (pids.isEmpty() ? "" : " (nvidia-smi names pid " + pids + " there)");
  }

  private List<Integer> neededIndices() {
    return gpus.stream().filter(Gpu::needed).map(Gpu::index).toList();
  }

  private List<GpuHolder> holding(Predicate<GpuHolder> which) {
    return holders.stream().filter(which).toList();
  }
}
