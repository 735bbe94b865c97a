package dev.eagle3.preflight;

import static dev.eagle3.preflight.JobChecks.shown;

import dev.eagle3.output.Amount;
import dev.eagle3.plan.ExtractionPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** What the system grants to whoever logs in: memory, limits, time, variables. */
final class LimitChecks {
  private static final String PHASE = "host";
  private static final long KIBIBYTE = 1024;

  /** A worker with torch and CUDA takes about that much of the host's memory. */
  private static final long WORKER_BYTES = 2L << 30;

  private static final Duration CLOCK_SLACK = Duration.ofSeconds(90);

  /** Of a soft limit below this much goes wrong when vLLM starts its workers. */
  private static final Map<String, Long> LEAST = Map.of("open-files", 4096L, "processes", 4096L);

  /** Variables of an image that only describe it. */
  private static final Set<String> OF_THE_IMAGE =
      Set.of(
          "CUDA_VERSION",
          "NVIDIA_VISIBLE_DEVICES",
          "NVIDIA_DRIVER_CAPABILITIES",
          "NVIDIA_REQUIRE_CUDA",
          "NVIDIA_PRODUCT_NAME");

  static final List<Check> ALL =
      List.of(
          new Check("memory", PHASE, LimitChecks::memory),
          new Check("limits", PHASE, LimitChecks::limits),
          new Check("lingering", PHASE, LimitChecks::lingering),
          new Check("clock", PHASE, LimitChecks::clock),
          new Check("session", PHASE, LimitChecks::session));

  private LimitChecks() {}

  private static void memory(Situation situation, Judgement judgement) {
    OptionalLong available = situation.machine().number("memory", 1);
    if (available.isEmpty()) {
      return;
    }
    long bytes = available.getAsLong() * KIBIBYTE;
    OptionalLong limit = situation.machine().number("memory-limit", 0);
    OptionalLong used = situation.machine().number("memory-limit", 1);
    String by = "";
    if (limit.isPresent() && used.isPresent()) {
      long left = Math.max(0, limit.getAsLong() - used.getAsLong());
      if (left < bytes) {
        bytes = left;
        by = ", by the limit of its control group";
      }
    }
    String says = Amount.size(bytes) + " of memory available" + by;
    if (bytes < situation.plan().tpSize() * WORKER_BYTES) {
      judgement.warn(
          says
              + ": each of "
              + situation.plan().tpSize()
              + " workers takes some GiB, and the kernel ends what does not fit");
    } else {
      judgement.ok(says);
    }
  }

  private static void limits(Situation situation, Judgement judgement) {
    for (List<String> row : situation.machine().all("limit", 2)) {
      String name = row.get(0);
      OptionalLong soft = Rows.number(row.get(1));
      if (soft.isEmpty()) {
        continue;
      }
      long most = soft.getAsLong();
      Long least = LEAST.get(name);
      if (least != null && most < least) {
        judgement.warn(
            "a session may have "
                + most
                + " "
                + name.replace('-', ' ')
                + " (ulimit), which is few");
      } else if (name.equals("file-size") && most < sampleBytes(situation)) {
        judgement.warn(
            "a session may write files of "
                + Amount.size(most)
                + " (ulimit -f), and a sample has more");
      } else if (name.equals("address-space")) {
        judgement.warn(
            "a session may map "
                + Amount.size(most)
                + " (ulimit -v), and CUDA maps far more than it uses");
      }
    }
    if (judgement.lines().isEmpty() && situation.machine().first("limit", 2).isPresent()) {
      judgement.ok("the limits of a session are wide enough");
    }
  }

  private static long sampleBytes(Situation situation) {
    ExtractionPlan plan = situation.plan();
    long hidden = situation.model().map(model -> model.hiddenSize()).orElse(0L);
    return 2L * plan.maxSeqLen() * plan.layers().size() * hidden;
  }

  private static void lingering(Situation situation, Judgement judgement) {
    boolean kills = situation.machine().text("logind", 0).orElse("").equals("yes");
    boolean lingers = situation.machine().text("logind", 1).orElse("").equals("yes");
    if (kills && !lingers && !situation.host().user().equals("root")) {
      judgement.warn(
          "this host ends what a user left running when the last session logs out"
              + " (KillUserProcesses): loginctl enable-linger "
              + shown(situation.host().user()));
    }
  }

  private static void clock(Situation situation, Judgement judgement) {
    OptionalLong there = situation.machine().number("clock", 0);
    if (there.isEmpty() || there.getAsLong() > Instant.MAX.getEpochSecond()) {
      return;
    }
    Duration off = Duration.between(situation.now(), Instant.ofEpochSecond(there.getAsLong()));
    if (off.abs().compareTo(CLOCK_SLACK) > 0) {
      judgement.warn(
          "its clock is "
              + off.abs().toSeconds()
              + " s "
              + (off.isNegative() ? "behind" : "ahead of")
              + " the clock here: times in logs differ, and certificates may not be valid");
    } else {
      judgement.ok("its clock agrees with the one here");
    }
  }

  private static void session(Situation situation, Judgement judgement) {
    ExtractionPlan plan = situation.plan();
    List<String> lacking =
        situation.machine().all("session-lacks", 1).stream()
            .map(row -> row.get(0))
            .filter(name -> !OF_THE_IMAGE.contains(name))
            .filter(name -> !plan.environment().containsKey(name))
            .filter(name -> !(name.equals("CUDA_HOME") && plan.cudaHome().isPresent()))
            .filter(name -> !(name.equals("CUDA_VISIBLE_DEVICES") && !plan.gpus().isEmpty()))
            .toList();
    if (!lacking.isEmpty()) {
      judgement.warn(
          "the first process of this machine has "
              + lacking.stream().map(JobChecks::shown).collect(Collectors.joining(", "))
              + ", which a session over SSH, and so the job, lacks: --env NAME=VALUE");
    }
    List<List<String>> folders = situation.machine().all("path-lacks", 1);
    if (!folders.isEmpty()) {
      judgement.note(
          "PATH of the first process also has "
              + folders.stream().map(row -> shown(row.get(0))).collect(Collectors.joining(", ")));
    }
  }
}
