package dev.eagle3.watch;

import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.outcome.Event;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a run uses of its host at one moment.
 *
 * @param diskFreeBytes room left where samples are saved; empty when the host does not say
 * @param gpus those that the run uses
 */
record Usage(OptionalLong diskFreeBytes, List<GpuUse> gpus) {
  private static final int KIB = 1024;

  Usage {
    gpus = List.copyOf(gpus);
  }

  /**
   * One GPU.
   *
   * @param busyPercent -1 when unknown
   */
  record GpuUse(int index, long usedMiB, long totalMiB, long busyPercent) {}

  /**
   * What {@code look-usage.sh} answered; its first comment describes the lines. What makes no sense
   * is left out.
   *
   * @param indices which GPUs count; empty for the first {@code count}
   */
  static Usage parse(ScriptAnswer answer, List<Integer> indices, int count) {
    OptionalLong free =
        answer.rows("disk").stream()
            .filter(row -> row.size() == 2 && number(row.get(0)) >= 0)
            .mapToLong(row -> number(row.get(0)) * KIB)
            .findFirst();
    List<GpuUse> gpus =
        answer.rows("gpu").stream()
            .filter(row -> row.size() == 4)
            .map(
                row ->
                    new GpuUse(
                        (int) Math.min(Integer.MAX_VALUE, number(row.get(0))),
                        number(row.get(1)),
                        number(row.get(2)),
                        number(row.get(3))))
            .filter(gpu -> gpu.index() >= 0 && gpu.usedMiB() >= 0 && gpu.totalMiB() > 0)
            .filter(gpu -> indices.isEmpty() ? gpu.index() < count : indices.contains(gpu.index()))
            .toList();
    return new Usage(free, gpus);
  }

  /** Whether one of the GPUs computes. */
  boolean isComputing() {
    return gpus.stream().anyMatch(gpu -> gpu.busyPercent() > 0);
  }

  Event.Usage toEvent() {
    return new Event.Usage(
        diskFreeBytes.orElse(-1),
        gpus.size(),
        gpus.isEmpty() ? -1 : gpus.stream().mapToLong(GpuUse::usedMiB).sum(),
        gpus.isEmpty() ? -1 : gpus.stream().mapToLong(GpuUse::totalMiB).sum());
  }

  private static long number(String digits) {
    return digits.matches("[0-9]{1,15}") ? Long.parseLong(digits) : -1;
  }
}
