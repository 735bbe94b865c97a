package dev.eagle3.host;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Runs scripts of {@code resources/host} on a host.
 *
 * <p>The login shell gets the constant command {@code sh -s}, so neither quoting nor the kind of
 * login shell matters. Script and arguments travel on standard input inside one brace group: a
 * script that arrives half is a syntax error, and nothing of it runs. Answers stand between two
 * marker lines with a random word, since a login shell may print too. The script's own input is
 * {@code /dev/null}, except for {@link #start}.
 */
public final class HostScripts {
  private static final String SHELL = "sh -s";
  private static final String PASTE_END = "EAGLE3_END";
  private static final int MOST_NOISE = 1 << 20;
  private static final String OTHER_SHELL =
      "a login whose server and login shell let it run commands without a terminal; or, where only a login shell is"
          + " given, --via 'ssh HOST'";

  /** A line that drops this often during one step will not carry it. */
  private static final int MOST_ROUNDS = 3;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final Host host;
  private final String comeBack;

  /** Scripts for one host, which stays the caller's to close. */
  public HostScripts(Host host) {
    this(host, "--host " + ShellQuote.word(host.name()));
  }

  /**
   * Scripts for one host, which stays the caller's to close.
   *
   * @param comeBack words that lead another command to this host and its runs, ready for a shell:
   *     {@code --host H -F FILE --state-dir DIR}
   */
  public HostScripts(Host host, String comeBack) {
    this.host = host;
    this.comeBack = comeBack;
  }

  /** A command of this program that leads back to this host, for a {@code try:} line. */
  public String comeBack(String command) {
    return "eagle3 " + command + " " + comeBack;
  }

  /** The host that they run on. */
  public Host host() {
    return host;
  }

  /**
   * Runs a script to its end; any exit code of its own is an answer. When the connection goes away
   * what the script did is unknown: a {@link ScriptCall#repeatable} one is asked again where the
   * host {@link Host#reconnects}; another one never is.
   *
   * @throws Failure {@code LOST} when the connection went away or time ran out (what the script did
   *     is then unknown), {@code UNREACHABLE} when the host runs no commands, or gives no POSIX
   *     shell
   */
  public ScriptAnswer run(ScriptCall call) {
    for (int round = 1; ; round++) {
      String marker = "eagle3-" + HexFormat.of().toHexDigits(RANDOM.nextLong());
      CommandResult result =
          host.run(Command.of(SHELL, call.timeout()).withInput(framed(call, marker)));
      Optional<ScriptAnswer> answer = answer(call, result, marker);
      if (answer.isPresent()) {
        return answer.get();
      }
      boolean unknown = result.ending() instanceof Ending.Lost;
      if (!unknown || !call.repeatable() || !host.reconnects() || round == MOST_ROUNDS) {
        throw unanswered(call, result, result.stdout().contains(marker + " begin\n"));
      }
    }
  }

  private static String framed(ScriptCall call, String marker) {
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

  private Optional<ScriptAnswer> answer(ScriptCall call, CommandResult result, String marker) {
    String begin = marker + " begin\n";
    String end = "\n" + marker + " end ";
    int from = result.stdout().indexOf(begin);
    int to = result.stdout().lastIndexOf(end);
    if (from >= 0 && to >= from) {
      // A login shell may print after the end, too.
      String tail = result.stdout().substring(to + end.length()).lines().findFirst().orElse("");
      String body =
          from + begin.length() > to ? "" : result.stdout().substring(from + begin.length(), to);
      if (result.ending() instanceof Ending.Lost && !tail.matches("[0-9]{1,3}")) {
        return Optional.empty();
      }
      return Optional.of(
          new ScriptAnswer(code(call, tail), body.lines().toList(), result.stderr()));
    }
    return Optional.empty();
  }

  /**
   * Starts a script whose output is read as it comes. Returns once its begin marker has arrived;
   * {@link RunningCommand#stdout} then gives the script's own output only. Its standard input is
   * what the caller writes to {@link RunningCommand#stdin}; a script that waits for its end notices
   * when the connection goes.
   *
   * @throws Failure as {@link #run}
   */
  public RunningCommand start(ScriptCall call) {
    String marker = "eagle3-" + HexFormat.of().toHexDigits(RANDOM.nextLong());
    String text =
        "{\n"
            + function(call)
            + "printf '\\n%s\\n' '"
            + marker
            + " begin'\neagle3_step"
            + words(call.arguments())
            + "\nexit $?\n}\n";
    RunningCommand running = host.start(Command.of(SHELL, call.timeout()).withInput(text));
    StringBuilder noise = new StringBuilder();
    try {
      if (skipTo(running.stdout(), marker + " begin", noise)) {
        return running;
      }
    } catch (FloodException flood) {
      running.close();
      throw noShell(running.stderr(), noise.toString());
    } catch (IOException broken) {
      running.close();
      throw lost(call, String.valueOf(broken.getMessage())).causedBy(broken);
    }
    running.close();
    if (running.ending() instanceof Ending.Refused refused) {
      throw refused(refused);
    }
    throw running.ending() instanceof Ending.Lost lost
        ? lost(call, lost.why())
        : noShell(running.stderr(), noise.toString());
  }

  /**
   * The call as text to paste into a POSIX shell. A failing step has its exit code, so that steps
   * can be joined with {@code &&} at the end of the first line.
   */
  public static String paste(ScriptCall call, String joint) {
    return "sh -s --"
        + words(call.arguments())
        + " <<'"
        + PASTE_END
        + "'"
        + joint
        + "\n"
        + function(call)
        + "eagle3_step \"$@\" </dev/null\n"
        + PASTE_END
        + "\n";
  }

  /** The text of a script of {@code resources/host}; it ends with a line end. */
  public static String text(String script) {
    try (InputStream in = HostScripts.class.getResourceAsStream("/host/" + script + ".sh")) {
      if (in == null) {
        throw new IllegalArgumentException("no host script " + script);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException("host script " + script, unreadable);
    }
  }

  private static String function(ScriptCall call) {
    StringBuilder texts = new StringBuilder();
    call.before().forEach(script -> texts.append(text(script)));
    return "eagle3_step() (\n" + texts + text(call.script()) + ")\n";
  }

  private static String words(List<String> arguments) {
    StringBuilder words = new StringBuilder();
    for (String argument : arguments) {
      words.append(' ').append(ShellQuote.word(argument));
    }
    return words.toString();
  }

  private int code(ScriptCall call, String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException other) {
      throw lost(call, "its answer ends in the middle").causedBy(other);
    }
  }

  private Failure unanswered(ScriptCall call, CommandResult result, boolean begun) {
    if (result.ending() instanceof Ending.Refused refused) {
      return refused(refused);
    }
    if (result.ending() instanceof Ending.Lost lost) {
      return lost(call, lost.why());
    }
    if (result.ending() instanceof Ending.TimedOut) {
      Failure late =
          Failure.of(
              Exit.LOST,
              host.name(),
              "no answer to step "
                  + call.script()
                  + " within "
                  + call.timeout().toSeconds()
                  + " s"
                  + (begun ? "" : ", nor a sign of its shell"));
      return begun ? late : late.orTry(OTHER_SHELL);
    }
    if (begun) {
      return Failure.of(
          Exit.LOST,
          host.name(),
          "step "
              + call.script()
              + " was cut off ("
              + shown(result)
              + "); whether it was done is unknown");
    }
    return noShell(result.stderr(), result.stdout());
  }

  private Failure refused(Ending.Refused refused) {
    return Failure.of(Exit.UNREACHABLE, host.name(), refused.why()).orTry(refused.tryNext());
  }

  private Failure lost(ScriptCall call, String why) {
    return Failure.of(
        Exit.LOST,
        host.name(),
        "the connection was lost during step "
            + call.script()
            + " ("
            + Printable.line(why, 200)
            + "); whether it was done is unknown");
  }

  private static String shown(CommandResult result) {
    if (result.ending() instanceof Ending.Signalled killed) {
      return "killed by signal " + Printable.line(killed.signal(), 20);
    }
    return result.cut() ? "its answer is too long" : "its shell ended early";
  }

  /** More came than any greeting is long. */
  private static final class FloodException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private Failure noShell(String stderr, String stdout) {
    String last = lastLine(stderr).isEmpty() ? lastLine(stdout) : lastLine(stderr);
    String said = Printable.line(last, 300);
    return Failure.of(
            Exit.UNREACHABLE,
            host.name(),
            "gives no POSIX shell for `sh -s`" + (said.isEmpty() ? "" : ": " + said))
        .orTry(OTHER_SHELL);
  }

  private static String lastLine(String text) {
    return text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce((first, second) -> second)
        .orElse("");
  }

  /**
   * Reads up to the end of a line, byte by byte so that nothing after it is taken.
   *
   * @param noise gets the last line before it that is not empty
   */
  private static boolean skipTo(InputStream in, String wanted, StringBuilder noise)
      throws IOException {
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
