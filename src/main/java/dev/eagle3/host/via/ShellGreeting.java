package dev.eagle3.host.via;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.ShellQuote;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What is written to the shell that a command gives, which may be any shell.
 *
 * <p>First one line that means the same to sh, csh and fish: another shell, a POSIX one, takes the
 * place of this one, says that it is there, and waits for a second line. Nothing more is sent
 * before it has said so, since shells that read their input in blocks (dash, busybox) would keep
 * what follows the line from the commands that they run. The second line takes its place in turn:
 * it runs the command, then says how that ended.
 *
 * @param word a random word; nothing that is sent holds it in the form in which it comes back
 */
record ShellGreeting(String word) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String NAME = "eagle3-";

  /** What follows the hello when there is a terminal in between. */
  static final String TERMINAL = " terminal";

  /** A new one. */
  static ShellGreeting create() {
    return new ShellGreeting(HexFormat.of().toHexDigits(RANDOM.nextLong()));
  }

  /** The first line. No backslash, exclamation mark or single quote stands inside its quotes. */
  byte[] firstLine() {
    return ("exec sh -c 'if test -t 0 || test -t 1; then t=\""
            + TERMINAL
            + "\"; else t=; fi; echo \""
            + NAME
            + "\"\""
            + word
            + "$t\"; IFS= read -r step && exec sh -c \"$step\"' || exit 126\n")
        .getBytes(US_ASCII);
  }

  /** A piece of the first line, which only an echo gives back. */
  String echo() {
    return NAME + "\"\"" + word;
  }

  /** What the shell says when it is there; the rest of its line is empty or {@link #TERMINAL}. */
  byte[] hello() {
    return (NAME + word).getBytes(US_ASCII);
  }

  /**
   * The second line, for a command that finds its input among what is sent next.
   *
   * @param inputBytes how many bytes of it are its input; negative for all to come
   */
  byte[] secondLine(String command, long inputBytes) {
    String run = "sh -c " + oneLine(command);
    if (inputBytes == 0) {
      run = run + " </dev/null";
    } else if (inputBytes > 0) {
      // Counted here, since not every command passes on where its input ends.
      run = "head -c " + inputBytes + " | " + run;
    }
    return ("n=$(printf \"\\n.\"); n=${n%.}; m=\"\\036"
            + NAME
            + word
            + "\"; printf \"$m begin\\n\" >&2; "
            + run
            + "; c=$?; printf \"$m end\\n\" >&2; printf \"$m %d\\n\" \"$c\"\n")
        .getBytes(UTF_8);
  }

  /** What stands around the command's standard error, and behind its output and its exit code. */
  byte[] mark() {
    return ("\036" + NAME + word + " ").getBytes(US_ASCII);
  }

  /** The command as one word without a line end in it; the second line calls one {@code $n}. */
  private static String oneLine(String command) {
    List<String> lines = new ArrayList<>();
    for (String line : command.split("\n", -1)) {
      lines.add(ShellQuote.word(line));
    }
    return String.join("\"$n\"", lines);
  }
}
