package dev.eagle3.host;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Two marker lines around what one script prints, since a login shell may print before, between and
 * after.
 *
 * @param marker a random word, so that nothing printed can hold it by chance or by design
 */
record ScriptFrame(String marker) {
  private static final int MOST_NOISE = 1 << 20;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** More came than any greeting is long. */
  static final class FloodException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * What stood between the marker lines.
   *
   * @param code the exit code as it came: no number when it was cut off
   */
  record Content(List<String> lines, String code) {}

  static ScriptFrame random() {
    return new ScriptFrame("eagle3-" + HexFormat.of().toHexDigits(RANDOM.nextLong()));
  }

  /** The call as input of a shell that prints both marker lines; the script gets no input. */
  String around(ScriptCall call) {
    return "{\n"
        + function(call)
        + "printf '\\n%s\\n' '"
        + marker
        + " begin'\neagle3_step"
        + words(call.arguments())
        + " </dev/null\nprintf '\\n%s %s\\n' '"
        + marker
        + " end' \"$?\"\n}\n";
  }

  /** The call as input of a shell that prints the first marker line; the script gets the rest. */
  String before(ScriptCall call) {
    return "{\n"
        + function(call)
        + "printf '\\n%s\\n' '"
        + marker
        + " begin'\neagle3_step"
        + words(call.arguments())
        + "\nexit $?\n}\n";
  }

  /** A shell function with the texts of all scripts of a call. */
  static String function(ScriptCall call) {
    StringBuilder texts = new StringBuilder();
    call.before().forEach(script -> texts.append(HostScripts.text(script)));
    return "eagle3_step() (\n" + texts + HostScripts.text(call.script()) + ")\n";
  }

  /** Arguments for a shell, with a blank before each. */
  static String words(List<String> arguments) {
    StringBuilder words = new StringBuilder();
    for (String argument : arguments) {
      words.append(' ').append(ShellQuote.word(argument));
    }
    return words.toString();
  }

  /** Whether the script was begun. */
  boolean begins(CommandResult result) {
    return result.stdout().contains(marker + " begin\n");
  }

  /** What the script printed, when both marker lines came. */
  Optional<Content> content(CommandResult result) {
    String begin = marker + " begin\n";
    String end = "\n" + marker + " end ";
    String stdout = result.stdout();
    int from = stdout.indexOf(begin);
    int to = stdout.lastIndexOf(end);
    if (from < 0 || to < from) {
      return Optional.empty();
    }
    // A login shell may print after the end, too.
    String code = stdout.substring(to + end.length()).lines().findFirst().orElse("");
    String body = from + begin.length() > to ? "" : stdout.substring(from + begin.length(), to);
    return result.ending() instanceof Ending.Lost && !code.matches("[0-9]{1,3}")
        ? Optional.empty()
        : Optional.of(new Content(body.lines().toList(), code));
  }

  /**
   * Reads up to the end of the first marker line, byte by byte so that nothing after it is taken.
   *
   * @param noise gets the last line before it that is not empty
   * @return whether that line came
   */
  boolean skipToBegin(InputStream in, StringBuilder noise) throws IOException {
    String wanted = marker + " begin";
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int seen = 0;
    for (int next = in.read(); next >= 0; next = in.read()) {
      seen++;
      if (seen > MOST_NOISE) {
        throw new FloodException();
      }
      if (next != '\n') {
        line.write(next);
        continue;
      }
      String text = line.toString(StandardCharsets.UTF_8);
      if (text.equals(wanted)) {
        return true;
      }
      if (!text.isBlank()) {
        noise.setLength(0);
        noise.append(text);
      }
      line.reset();
    }
    noise.append(line.size() == 0 ? "" : "\n" + line.toString(StandardCharsets.UTF_8));
    return false;
  }
}
