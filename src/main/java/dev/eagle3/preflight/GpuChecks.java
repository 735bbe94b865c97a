package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import dev.eagle3.plan.ClearGpus;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Whether there are GPUs enough, and how they are. */
final class GpuChecks {
  private static final String PHASE = "gpus";
  private static final double MEBIBYTE = 1 << 20;
  private static final String UTILIZATION = "gpu-memory-utilization";

  static final List<Check> ALL =
      List.of(
          new Check("gpu-count", PHASE, GpuChecks::count),
          new Check("gpu-memory", PHASE, GpuChecks::memory),
          new Check("gpu-mode", PHASE, GpuChecks::mode),
          new Check("gpu-health", PHASE, GpuChecks::health),
          new Check("fabric-manager", PHASE, GpuChecks::fabric));

  private GpuChecks() {}

  /**
   * No GPU at all may mean that this is a host of another kind, and without nvidia-smi only files
   * in /dev are counted, so these are no refusals.
   */
  private static void count(Situation situation, Judgement judgement) {
    if (!situation.isSpread()) {
      return;
    }
    int wanted = situation.plan().tpSize();
    long listed = GpuTable.of(situation.machine()).rows().size();
    long seen = listed > 0 ? listed : situation.machine().number("devices", 0).orElse(0);
    String says = seen + (seen == 1 ? " GPU" : " GPUs") + " for --tp-size " + wanted;
    if (seen >= wanted) {
      judgement.ok(says);
    } else if (seen == 0) {
      judgement.warn("no NVIDIA GPU can be seen, and --tp-size is " + wanted);
    } else if (listed == 0) {
      judgement.warn("has " + says + ", by the devices in /dev: nvidia-smi does not list them");
    } else {
      judgement.refuseUnless(
          situation.isWrapped(), "has " + says, "--tp-size " + seen + ", if the model fits");
    }
  }

  /** The GPUs that the job will use: those of the plan, else the first ones. */
  static List<Map<String, String>> needed(Situation situation) {
    List<Integer> named = situation.plan().gpus();
    return GpuTable.of(situation.machine()).rows().stream()
        .filter(
            row -> {
              OptionalLong index = GpuTable.number(row, "index");
              return index.isPresent()
                  && (named.isEmpty()
                      ? index.getAsLong() < situation.plan().tpSize()
                      : named.contains((int) index.getAsLong()));
            })
        .toList();
  }

  /** After clearing, what holders have now is free; where nothing is cleared it is not. */
  private static void memory(Situation situation, Judgement judgement) {
    Optional<Double> share = utilization(situation);
    List<Map<String, String>> gpus = needed(situation);
    if (share.isEmpty() || gpus.isEmpty()) {
      return;
    }
    boolean cleared = situation.plan().clearGpus() != ClearGpus.NONE;
    long shards = situation.files().number("shards", 2).orElse(0);
    double weights = shards / MEBIBYTE / situation.plan().tpSize();
    for (Map<String, String> gpu : gpus) {
      OptionalLong total = GpuTable.number(gpu, "memory.total");
      OptionalLong used = GpuTable.number(gpu, "memory.used");
      if (total.isEmpty() || used.isEmpty()) {
        continue;
      }
      double wanted = share.get() * total.getAsLong();
      String which = "GPU " + shown(gpu.getOrDefault("index", "?"));
      if (weights > wanted) {
        judgement.warn(
            String.format(
                Locale.ROOT,
                "%s: the weights need %,.0f MiB on each of %d GPUs, and may have %,.0f (%.2f of"
                    + " %,d)",
                which,
                weights,
                situation.plan().tpSize(),
                wanted,
                share.get(),
                total.getAsLong()));
      } else if (!cleared && total.getAsLong() - used.getAsLong() < wanted) {
        judgement.warn(
            String.format(
                Locale.ROOT,
                "%s has %,d MiB free, the job wants %,.0f (%.2f of %,d), and --clear-gpus is none",
                which,
                total.getAsLong() - used.getAsLong(),
                wanted,
                share.get(),
                total.getAsLong()));
      }
    }
    if (judgement.lines().isEmpty()) {
      judgement.ok(
          String.format(
              Locale.ROOT,
              "%.2f of the memory of each GPU for the job, of it %,.0f MiB for weights",
              share.get(),
              weights));
    }
  }

  private static Optional<Double> utilization(Situation situation) {
    List<String> words = situation.plan().scriptArguments();
    Optional<String> flag =
        situation.extractor().flatMap(known -> Optional.ofNullable(known.flags().get(UTILIZATION)));
    int at = flag.map(words::indexOf).orElse(-1);
    if (at < 0 || at + 1 >= words.size() || !words.get(at + 1).matches("[01]?\\.[0-9]{1,6}|1")) {
      return Optional.empty();
    }
    return Optional.of(Double.valueOf(words.get(at + 1)));
  }

  private static void mode(Situation situation, Judgement judgement) {
    for (Map<String, String> gpu : needed(situation)) {
      String mode = gpu.getOrDefault("compute_mode", "Default");
      String which = "GPU " + shown(gpu.getOrDefault("index", "?"));
      if (mode.equals("Prohibited")) {
        judgement.warn(which + " is in compute mode Prohibited: nvidia-smi -c DEFAULT");
      } else if (mode.startsWith("Exclusive")) {
        judgement.note(which + " is in compute mode " + shown(mode) + ": one process at a time");
      }
    }
  }

  private static void health(Situation situation, Judgement judgement) {
    for (Map<String, String> gpu : needed(situation)) {
      long errors = GpuTable.number(gpu, "ecc.errors.uncorrected.volatile.total").orElse(0);
      if (errors > 0) {
        judgement.warn(
            "GPU "
                + shown(gpu.getOrDefault("index", "?"))
                + " counts "
                + errors
                + " memory errors that could not be corrected; a reset clears what they left");
      }
    }
    needed(situation).forEach(gpu -> remapped(gpu, judgement));
    for (List<String> row : situation.machine().all("xid", 1)) {
      judgement.warn("the kernel log has a fault of a GPU: " + shown(row.get(0)));
    }
    if (judgement.lines().isEmpty() && !needed(situation).isEmpty()) {
      judgement.ok(
          "no memory errors, no rows to be remapped, and no faults in the kernel log, as far as"
              + " that can be read");
    }
  }

  /** Rows of memory that failed are put elsewhere, which takes a reset; or could not be. */
  private static void remapped(Map<String, String> gpu, Judgement judgement) {
    String which = "GPU " + shown(gpu.getOrDefault("index", "?"));
    if (gpu.getOrDefault("remapped_rows.failure", "").equals("Yes")) {
      judgement.warn(
          which
              + " has rows of memory that failed and could not be remapped: it is to be replaced");
    } else if (gpu.getOrDefault("remapped_rows.pending", "").equals("Yes")) {
      judgement.warn(
          which
              + " has rows of memory that failed and will be remapped at its next reset; until then"
              + " they may fail again");
    }
  }

  private static void fabric(Situation situation, Judgement judgement) {
    Set<String> states = new LinkedHashSet<>();
    needed(situation).forEach(gpu -> states.add(gpu.getOrDefault("fabric.state", "")));
    states.removeAll(Set.of("", "Completed"));
    boolean switches = situation.machine().number("devices", 1).orElse(0) > 0;
    boolean runs = situation.machine().text("fabric-manager", 0).orElse("").equals("yes");
    boolean container = situation.machine().text("container", 0).orElse("").equals("yes");
    if (!states.isEmpty()) {
      judgement.warn(
          "the NVLink fabric is "
              + shown(String.join(", ", states))
              + ": CUDA fails with error 802 until it is complete (nvidia-fabricmanager)");
    } else if (switches && !runs && !container) {
      judgement.warn(
          "there are NVSwitches and no fabric manager: CUDA fails with error 802; systemctl start"
              + " nvidia-fabricmanager");
    } else if (switches) {
      judgement.ok("NVSwitches, and a fabric that is complete as far as can be seen");
    }
  }
}
