package dev.eagle3.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is really so of a run on this machine, at one moment, found out without any of the scripts.
 *
 * @param exists whether it has a folder
 * @param exit what {@code exit.*} says; empty when there is none
 * @param wrapper process id of its wrapper if that lives, else 0
 * @param processes those of the job that live: it and its workers
 * @param recorded whether a wrapper ever said who it is
 */
record RunTruth(boolean exists, String exit, long wrapper, Set<Long> processes, boolean recorded) {

  /** Looks now. */
  static RunTruth of(Path runs, String id) throws IOException {
    Path folder = runs.resolve(id);
    String exit = "";
    for (Path entry : entries(folder)) {
      String name = entry.getFileName().toString();
      if (name.startsWith("exit.") && !name.equals("exit.pending")) {
        exit = name.substring("exit.".length());
      }
    }
    long wrapper = 0;
    boolean recorded = Files.exists(folder.resolve("pid"));
    if (recorded) {
      String[] fields = Files.readString(folder.resolve("pid")).split("\t", -1);
      wrapper = startTime(fields[0]).equals(fields[1]) ? Long.parseLong(fields[0]) : 0;
    }
    return new RunTruth(Files.isDirectory(folder), exit, wrapper, marked(id), recorded);
  }

  /** The folder of a run. */
  static RunFolder folder(Path runs, String id) {
    return new RunFolder(runs.resolve(id).toString());
  }

  /** The word for its state. */
  String word() {
    if (!exists) {
      return "none";
    }
    if (exit.matches("[0-9]+")) {
      return Integer.parseInt(exit) > 128 ? "killed" : "finished";
    }
    if (wrapper != 0) {
      return "running";
    }
    if (!processes.isEmpty()) {
      return "orphaned";
    }
    return recorded || exit.equals("none") ? "lost" : "running";
  }

  /** Whether nothing of it lives. */
  boolean isOver() {
    return wrapper == 0 && processes.isEmpty();
  }

  static List<Path> entries(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    }
  }

  /** The words of a process; empty when it is gone. */
  static String words(long pid) {
    return read(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ').strip();
  }

  private static Set<Long> marked(String id) {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(
            pid ->
                ("\0" + read(Path.of("/proc/" + pid + "/environ")))
                    .contains("\0EAGLE3_RUN=" + id + "\0"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Field 22 of its stat; empty when it is gone, or a zombie. */
  private static String startTime(String pid) {
    String stat = read(Path.of("/proc/" + pid + "/stat"));
    if (stat.isEmpty()) {
      return "";
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return fields[0].equals("Z") || fields[0].equals("X") ? "" : fields[19];
  }

  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), file.endsWith("cmdline") ? UTF_8 : ISO_8859_1);
    } catch (IOException gone) {
      return "";
    }
  }
}
