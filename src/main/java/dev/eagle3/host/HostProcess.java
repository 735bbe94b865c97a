package dev.eagle3.host;

import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A process of a host, as {@code tell-processes.sh} tells it. All texts come from the host and may
 * hold anything.
 *
 * @param pid its process id
 * @param startTicks its start time in clock ticks after boot; with the id it names one process
 * @param ageSeconds how long it has been running
 * @param user its owner; empty when unknown
 * @param arguments its command line, the program first, perhaps cut; empty when it has wiped it
 * @param folder its working folder; empty when that cannot be seen
 */
public record HostProcess(
    long pid,
    long startTicks,
    long ageSeconds,
    String user,
    List<String> arguments,
    String folder) {
  private static final int FIELDS = 6;
  private static final int COMMAND_SHOWN = 100;
  private static final String NUMBER = "[0-9]{1,18}";

  /** Copies the list. */
  public HostProcess {
    arguments = List.copyOf(arguments);
  }

  /** Reads the fields behind the word of a row; empty when they are not those of a process. */
  public static Optional<HostProcess> parse(List<String> row) {
    if (row.size() < FIELDS
        || !row.subList(0, 2).stream().allMatch(field -> field.matches(NUMBER))) {
      return Optional.empty();
    }
    long age = row.get(2).matches(NUMBER) ? Long.parseLong(row.get(2)) : 0;
    return Optional.of(
        new HostProcess(
            Long.parseLong(row.get(0)),
            Long.parseLong(row.get(1)),
            age,
            row.get(3),
            words(text(row.get(4))),
            text(row.get(5))));
  }

  /** The text that a hexadecimal field stands for; empty for what is none. */
  public static String text(String hexadecimal) {
    if (hexadecimal.length() % 2 != 0 || !hexadecimal.matches("[0-9a-f]*")) {
      return "";
    }
    return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.UTF_8);
  }

  /** A path of its command line as an absolute one, as far as its working folder is known. */
  public Optional<String> path(String word) {
    if (word.startsWith("/")) {
      return Optional.of(word);
    }
    return folder.startsWith("/") && !word.isEmpty()
        ? Optional.of((folder.equals("/") ? "" : folder) + "/" + word)
        : Optional.empty();
  }

  /** It in one phrase, printable, without secrets. */
  public String says() {
    String command = String.join(" ", Secrets.arguments(arguments));
    return "process "
        + pid
        + (user.isEmpty() ? "" : " of " + Printable.line(user, 40))
        + (command.isBlank() ? "" : " (" + Printable.line(command, COMMAND_SHOWN) + ")");
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    int from = 0;
    while (from < line.length()) {
      int end = line.indexOf('\0', from);
      words.add(line.substring(from, end < 0 ? line.length() : end));
      from = end < 0 ? line.length() : end + 1;
    }
    return words;
  }
}
