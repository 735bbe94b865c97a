package dev.eagle3.preflight;

import dev.eagle3.output.Amount;
import dev.eagle3.plan.PreviousOutput;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Whether there is room for what a run writes, and how fast the model comes. */
final class DiskChecks {
  private static final long MEBIBYTE = 1L << 20;
  private static final long STATE_BYTES = 256 * MEBIBYTE;
  private static final long SHARED_BYTES = 1024 * MEBIBYTE;
  private static final long SPARE_INODES = 1000;
  private static final double LONG_LOAD_SECONDS = 45 * 60;

  static final List<Check> ALL =
      List.of(
          new Check("disk-space", "output", DiskChecks::space),
          new Check("disk-inodes", "output", DiskChecks::inodes),
          new Check("state-space", "host", DiskChecks::state),
          new Check("shared-memory", "host", DiskChecks::sharedMemory),
          new Check("model-disk", "preflight", DiskChecks::modelDisk));

  private DiskChecks() {}

  private static void space(Situation situation, Judgement judgement) {
    Optional<Disk> found = Disk.of(situation, "output");
    if (found.isEmpty()) {
      judgement.note("the disk of the output folder does not say how much is free");
      return;
    }
    Disk disk = found.get();
    if (disk.isAbsurd()) {
      judgement.warn(
          "the disk of the output folder ("
              + disk.type()
              + ") says "
              + disk.freeSays()
              + ", which cannot be: how much is free is not known");
      return;
    }
    Optional<Prediction> prediction = Prediction.of(situation);
    if (prediction.isEmpty()) {
      judgement.ok(disk.freeSays() + " for the output; how much is needed is not known");
      return;
    }
    String says = prediction.get().says() + ", " + disk.freeSays();
    if (disk.freeBytes() < prediction.get().bytes() && !prediction.get().isLimited()) {
      judgement.warn(
          says
              + (situation.plan().previousOutput() == PreviousOutput.KEEP
                  ? "; files that are there already count among these"
                  : "; what is set aside stays on this disk until eagle3 prune"));
    } else {
      judgement.ok(says);
    }
  }

  private static void inodes(Situation situation, Judgement judgement) {
    Optional<Disk> disk = Disk.of(situation, "output");
    OptionalLong samples =
        Prediction.of(situation)
            .filter(prediction -> !prediction.isLimited())
            .map(Prediction::files)
            .orElse(OptionalLong.empty());
    // Some file systems have no fixed number, and say 0 of 0.
    if (disk.isEmpty() || disk.get().inodes() == 0 || samples.isEmpty()) {
      return;
    }
    long free = disk.get().freeInodes();
    if (free < samples.getAsLong() + SPARE_INODES) {
      judgement.warn(
          "the disk of the output folder has room for "
              + free
              + " more files, and there are "
              + samples.getAsLong()
              + " samples");
    }
  }

  private static void state(Situation situation, Judgement judgement) {
    Optional<Disk> disk = Disk.of(situation, "state").filter(known -> !known.isAbsurd());
    if (disk.isPresent() && disk.get().freeBytes() < STATE_BYTES) {
      judgement.warn(
          disk.get().freeSays()
              + " where the state and the log of runs are kept; --state-dir elsewhere");
    }
  }

  private static void sharedMemory(Situation situation, Judgement judgement) {
    if (situation.plan().tpSize() == 1 || situation.isWrapped()) {
      return;
    }
    Optional<Disk> disk =
        Disk.of(situation, "shm").filter(known -> known.path().equals("/dev/shm"));
    if (disk.isEmpty()) {
      judgement.warn("there is no /dev/shm, through which workers and NCCL speak to each other");
    } else if (disk.get().freeBytes() < SHARED_BYTES) {
      judgement.warn(
          "/dev/shm has "
              + disk.get().freeSays()
              + ", through which workers and NCCL speak to each other; --shm-size or --ipc=host of"
              + " the container gives it more");
    } else {
      judgement.ok("/dev/shm: " + disk.get().freeSays());
    }
  }

  private static void modelDisk(Situation situation, Judgement judgement) {
    Optional<Disk> disk = Disk.of(situation, "model");
    OptionalLong bytes = situation.files().number("shards", 2);
    OptionalDouble rate = rate(situation);
    if (disk.isEmpty() || bytes.isEmpty() || rate.isEmpty()) {
      return;
    }
    double seconds = bytes.getAsLong() / rate.getAsDouble();
    String says =
        "the model is on "
            + disk.get().type()
            + ", one reader gets "
            + Amount.size((long) rate.getAsDouble())
            + " a second, so a load takes about "
            + (seconds < 90
                ? String.format(Locale.ROOT, "%.0f seconds", Math.ceil(seconds))
                : String.format(Locale.ROOT, "%.0f minutes", Math.ceil(seconds / 60)))
            + " of reading";
    if (seconds > LONG_LOAD_SECONDS) {
      judgement.warn(says + "; a copy on a local disk loads faster");
    } else {
      judgement.ok(says);
    }
  }

  /** Bytes a second. */
  private static OptionalDouble rate(Situation situation) {
    OptionalLong bytes = situation.files().number("rate", 0);
    String seconds = situation.files().text("rate", 1).orElse("");
    return bytes.isPresent() && bytes.getAsLong() > 0 && seconds.matches("[0-9]{1,6}\\.[0-9]{4}")
        ? OptionalDouble.of(bytes.getAsLong() / Math.max(0.0001, Double.parseDouble(seconds)))
        : OptionalDouble.empty();
  }
}
