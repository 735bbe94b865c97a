package dev.eagle3.host.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A process and what it started, except what was detached from it: a process in a session of its
 * own ({@code setsid}) is meant to outlive its starter. Where there is no {@code /proc}, the
 * process alone.
 *
 * @param processes from the root down
 */
public record ProcessTree(List<ProcessHandle> processes) {
  /** The tree as it is now. */
  public static ProcessTree of(ProcessHandle root) {
    String session = session(root);
    List<ProcessHandle> below =
        session.isEmpty()
            ? List.of()
            : root.descendants().filter(child -> session(child).equals(session)).toList();
    return new ProcessTree(Stream.concat(Stream.of(root), below.stream()).toList());
  }

  /** Asks all to end. */
  public void end() {
    processes.forEach(ProcessHandle::destroy);
  }

  /** Ends all at once. */
  public void kill() {
    processes.forEach(ProcessHandle::destroyForcibly);
  }

  /** The session id of a process: the fourth word after the name in {@code /proc/PID/stat}. */
  private static String session(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
      String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 5);
      return words[3];
    } catch (IOException | RuntimeException gone) {
      return "";
    }
  }
}
