package dev.eagle3.watch;

import dev.eagle3.host.HostProcess;
import dev.eagle3.host.ScriptAnswer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A log of a run that eagle3 did not launch, at one moment: what {@code look-log.sh} answers.
 *
 * @param is what stands at its path
 * @param bytes its size, asked after its writers: when there are none, all of it
 * @param identity device and inode, as one word
 * @param stillSeconds how long ago it was last written
 * @param real where its path leads, links followed; empty when nowhere
 * @param user who asks
 * @param now the time of the host, in seconds since 1970
 * @param still one of the processes that had it open for writing before, and still has; -1 for none
 * @param writers other processes that have it open for writing, as far as the user who asks may see
 * @param near processes of the process groups of those
 * @param someAreHidden whether there are processes that this user cannot see
 * @param isContainer whether there may be processes outside of a container that nobody in it sees
 * @param isShared whether its file system may be that of other nodes too, which write unseen
 */
public record LogLook(
    Is is,
    long bytes,
    String identity,
    long stillSeconds,
    String real,
    String user,
    long now,
    long still,
    List<HostProcess> writers,
    List<HostProcess> near,
    boolean someAreHidden,
    boolean isContainer,
    boolean isShared) {

  /** File systems of one machine, as {@code stat -f -c %T} calls them. */
  private static final Set<String> OWN =
      Set.of(
          "ext2",
          "ext3",
          "ext4",
          "ext2/ext3",
          "xfs",
          "btrfs",
          "tmpfs",
          "ramfs",
          "overlayfs",
          "overlay",
          "zfs",
          "f2fs",
          "jfs",
          "reiserfs",
          "bcachefs",
          "msdos",
          "vfat",
          "exfat",
          "aufs");

  /** What a path is. */
  public enum Is {
    /** A file that can be read. */
    LOG,
    /** Nothing. */
    MISSING,
    /** No regular file. */
    OTHER,
    /** Not to be read by this user. */
    UNREADABLE
  }

  /** Copies the lists. */
  public LogLook {
    writers = List.copyOf(writers);
    near = List.copyOf(near);
  }

  /** Whether a process that can be seen has it open for writing. */
  public boolean isHeld() {
    return still >= 0 || !writers.isEmpty();
  }

  /** Whether somebody may write to it who cannot be seen. */
  public boolean mayBeWrittenUnseen() {
    return someAreHidden || isShared;
  }

  /** Reads an answer; empty when it is none. */
  static Optional<LogLook> parse(ScriptAnswer answer) {
    if (answer.code() != 0 || !answer.lines().contains("looked")) {
      return Optional.empty();
    }
    Is is = Is.MISSING;
    for (Is one : Is.values()) {
      if (answer.lines().contains(one.name().toLowerCase(Locale.ROOT))) {
        is = one;
      }
    }
    List<String> log =
        answer.rows("log").stream()
            .filter(row -> row.size() == 4 && isNumber(row.get(0)))
            .findFirst()
            .orElse(List.of());
    boolean isLog = !log.isEmpty();
    return Optional.of(
        new LogLook(
            isLog ? Is.LOG : is,
            isLog ? Long.parseLong(log.get(0)) : -1,
            isLog ? log.get(1) : "",
            isLog && isNumber(log.get(2)) ? Long.parseLong(log.get(2)) : 0,
            first(answer, "real").map(HostProcess::text).orElse(""),
            first(answer, "user").orElse("this user"),
            answer.rows("user").stream()
                .filter(row -> row.size() == 2 && isNumber(row.get(1)))
                .map(row -> Long.parseLong(row.get(1)))
                .findFirst()
                .orElse(-1L),
            first(answer, "still").filter(LogLook::isNumber).map(Long::parseLong).orElse(-1L),
            processes(answer, "holder"),
            processes(answer, "near"),
            answer.lines().contains("hidden"),
            answer.lines().contains("outside"),
            isLog && !OWN.contains(log.get(3))));
  }

  private static List<HostProcess> processes(ScriptAnswer answer, String word) {
    return answer.rows(word).stream().map(HostProcess::parse).flatMap(Optional::stream).toList();
  }

  private static Optional<String> first(ScriptAnswer answer, String word) {
    return answer.rows(word).stream()
        .filter(row -> !row.isEmpty())
        .map(row -> row.get(0))
        .findFirst();
  }

  private static boolean isNumber(String text) {
    return text.matches("[0-9]{1,18}");
  }
}
