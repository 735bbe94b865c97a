package dev.eagle3.run;

import dev.eagle3.plan.ExtractionPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Folders of runs as a test wants them, without a launch. */
record MadeRuns(RunBench bench) {
  /** A folder of a run with empty files of these names. */
  ExtractionPlan made(String... files) throws IOException {
    ExtractionPlan plan = bench.plan("");
    Path run = Files.createDirectories(bench.folder(plan));
    for (String made : List.of(".eagle3", ".eagle3/runs", ".eagle3/runs/" + plan.run())) {
      Files.setPosixFilePermissions(
          bench.home().resolve(made), PosixFilePermissions.fromString("rwx------"));
    }
    for (String file : files) {
      Files.createFile(run.resolve(file));
    }
    return plan;
  }

  /** Makes the folder look as if nothing had happened in it for some minutes. */
  void age(ExtractionPlan plan) throws IOException {
    touch(bench.folder(plan), Instant.now().minusSeconds(600));
  }

  /** Writes who the wrapper was. */
  void record(ExtractionPlan plan, String... fields) throws IOException {
    Files.writeString(bench.folder(plan).resolve("pid"), String.join("\t", fields) + "\n");
  }

  /** Stops it, with KILL at once. */
  Stopped stop(ExtractionPlan plan) {
    return RunStopper.stop(
        bench.scripts(), new RunFolder(bench.folder(plan).toString()), Duration.ZERO);
  }

  static void touch(Path file, Instant time) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(time));
  }

  static String boot() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
  }

  static String node() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }

  static String space() throws IOException {
    return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
  }

  /** Runs a program that has nothing to say. */
  static void run(String... words) throws IOException {
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!said.isEmpty()) {
      throw new AssertionError(said);
    }
  }
}
