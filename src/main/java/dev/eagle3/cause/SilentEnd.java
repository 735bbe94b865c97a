package dev.eagle3.cause;

import dev.eagle3.run.KernelNotes;
import java.util.ArrayList;
import java.util.List;

/** What can be said of an end that nobody said a word about, from what the kernel says. */
final class SilentEnd {
  private SilentEnd() {}

  /** What the kernel's log does not say, and what control groups count. */
  static List<String> evidence(KernelNotes notes) {
    List<String> evidence = new ArrayList<>();
    evidence.add(
        notes.readable()
            ? "the kernel's log has no process that it ended for lack of memory in that time"
            : "the kernel's log of that time cannot be read (by this user, or any more), so it may"
                + " have been lack of memory");
    notes.groups().stream()
        .filter(group -> group.kills() > 0)
        .map(
            group ->
                "since it was made, the kernel ended "
                    + group.kills()
                    + " in control group "
                    + group.path()
                    + " for lack of memory"
                    + (group.limitBytes() < 0
                        ? ""
                        : ", whose limit is " + (group.limitBytes() >> 20) + " MiB"))
        .forEach(evidence::add);
    return evidence;
  }

  /** Where to look on. */
  static String nextStep(KernelNotes notes) {
    return notes.readable()
        ? "ask who else ends processes there: a scheduler, a container's limits, a colleague"
        : "sudo dmesg | grep -i killed on the host";
  }
}
