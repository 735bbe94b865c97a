package dev.eagle3.host;

import dev.eagle3.outcome.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
  private static final String PYTHON = ".py";
  private static final String PYTHON_END = "EAGLE3_PYTHON";

  /** A step that loses its connection this often, while others are answered, loses it itself. */
  private static final int MOST_ROUNDS = 100;

  /** A host that is busy, or a line, may be quicker the next time. */
  private static final int MOST_LATE_ROUNDS = 2;

  private final Host host;
  private final ScriptFailures failures;
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
    this.failures = new ScriptFailures(host.name());
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
      ScriptFrame frame = ScriptFrame.random();
      CommandResult result =
          host.run(Command.of(SHELL, call.timeout()).withInput(frame.around(call)));
      Optional<ScriptFrame.Content> content = frame.content(result);
      if (content.isPresent()) {
        int code = code(call, content.get().code());
        return new ScriptAnswer(code, content.get().lines(), result.stderr());
      }
      boolean lost = result.ending() instanceof Ending.Lost;
      boolean late = result.ending() instanceof Ending.TimedOut && frame.begins(result);
      boolean again = call.repeatable() && host.reconnects();
      if (!again || !(lost ? round < MOST_ROUNDS : late && round < MOST_LATE_ROUNDS)) {
        throw failures.unanswered(call, result, frame.begins(result));
      }
    }
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
    return start(call, Command.OUTPUT_LIMIT);
  }

  /**
   * As the other.
   *
   * @param mostOnItsWay how many bytes of output may be on their way and not read yet, where the
   *     host can tell: other answers of a slow line wait behind them
   */
  public RunningCommand start(ScriptCall call, int mostOnItsWay) {
    ScriptFrame frame = ScriptFrame.random();
    RunningCommand running =
        host.start(new Command(SHELL, frame.before(call), call.timeout(), mostOnItsWay));
    StringBuilder noise = new StringBuilder();
    try {
      if (frame.skipToBegin(running.stdout(), noise)) {
        return running;
      }
    } catch (ScriptFrame.FloodException flood) {
      running.close();
      throw failures.noShell(running.stderr(), noise.toString());
    } catch (IOException broken) {
      running.close();
      throw failures.lost(call, String.valueOf(broken.getMessage())).causedBy(broken);
    }
    running.close();
    throw failures.unbegun(call, running.ending(), running.stderr(), noise.toString());
  }

  /**
   * The call as text to paste into a POSIX shell. A failing step has its exit code, so that steps
   * can be joined with {@code &&} at the end of the first line.
   */
  public static String paste(ScriptCall call, String joint) {
    return "sh -s --"
        + ScriptFrame.words(call.arguments())
        + " <<'"
        + PASTE_END
        + "'"
        + joint
        + "\n"
        + ScriptFrame.function(call)
        + "eagle3_step \"$@\" </dev/null\n"
        + PASTE_END
        + "\n";
  }

  /**
   * The text of a script of {@code resources/host}; it ends with a line end. One that is Python
   * ({@code NAME.py}) comes as a shell function {@code NAME_py} that prints it, for a script that
   * runs after it in the same shell.
   */
  public static String text(String script) {
    boolean python = script.endsWith(PYTHON);
    String text = resource(python ? script : script + ".sh");
    if (!python) {
      return text;
    }
    String name = script.replace('-', '_').replace('.', '_');
    return name + "() {\ncat <<'" + PYTHON_END + "'\n" + text + PYTHON_END + "\n}\n";
  }

  /** The text of a program of {@code resources/host}, {@code NAME.py}, as it is. */
  public static String program(String file) {
    return resource(file);
  }

  private static String resource(String file) {
    try (InputStream in = HostScripts.class.getResourceAsStream("/host/" + file)) {
      if (in == null) {
        throw new IllegalArgumentException("no host script " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalStateException("host script " + file, unreadable);
    }
  }

  private int code(ScriptCall call, String digits) {
    try {
      return Integer.parseInt(digits);
    } catch (NumberFormatException other) {
      throw failures.lost(call, "its answer ends in the middle").causedBy(other);
    }
  }
}
