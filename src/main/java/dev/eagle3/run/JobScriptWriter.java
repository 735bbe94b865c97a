package dev.eagle3.run;

import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ShellQuote;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.plan.ExtractionPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A plan → the text of its {@code job.sh}: the wrapper, then what this one run is. Pure. */
public final class JobScriptWriter {
  private static final int MOST_SHOWN = 200;
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private JobScriptWriter() {}

  /**
   * The text. Values of the environment stand in it in clear.
   *
   * @throws Failure {@code PROFILE} for a variable name that no shell can set, or a NUL
   */
  public static String write(ExtractionPlan plan) {
    List<String> words = new ArrayList<>(plan.wrap());
    words.add(plan.python());
    words.add(plan.script());
    words.addAll(plan.scriptArguments());
    String command =
        words.stream()
            .map(word -> quoted("the command line of the job", word))
            .collect(Collectors.joining(" \\\n  "));
    StringBuilder setup = new StringBuilder();
    for (String line : plan.setup()) {
      setup.append(" \\\n  ").append(quoted("setup", line));
      setup.append(" \\\n  ").append(quoted("setup", shown(line)));
    }
    return HostScripts.text("job")
        + "\neagle3_environment() {\n"
        + environment(plan)
        + "}\n\neagle3_guard_python="
        + quoted("python", guardPython(plan))
        + "\neagle3_job "
        + plan.run()
        + " "
        + plan.setup().size()
        + setup
        + " \\\n  "
        + command
        + "\n";
  }

  /** A word of shell text that shows the line in the log: no secrets, nothing that a shell does. */
  private static String shown(String line) {
    return "'"
        + Printable.line(Secrets.shellText(line).strip(), MOST_SHOWN).replace("'", "'\\''")
        + "'";
  }

  /**
   * The interpreter of the guard: behind words of {@code wrap} that of the job may be elsewhere.
   */
  private static String guardPython(ExtractionPlan plan) {
    return plan.wrap().isEmpty() ? plan.python() : "python3";
  }

  private static String environment(ExtractionPlan plan) {
    StringBuilder lines = new StringBuilder();
    int slash = plan.python().lastIndexOf('/');
    if (slash > 0) {
      lines
          .append("  export PATH=")
          .append(quoted("python", plan.python().substring(0, slash)))
          .append("\"${PATH:+:$PATH}\"\n");
    }
    variables(plan)
        .forEach(
            (name, value) ->
                lines
                    .append("  export ")
                    .append(variable(name))
                    .append('=')
                    .append(quoted(name, value))
                    .append('\n'));
    for (String name : plan.environmentByName()) {
      lines.append(
          String.format(
              "  if [ -n \"${%1$s+set}\" ]; then export %1$s; else"
                  + " echo 'eagle3: the variable %1$s is not set on this host' >&2; fi\n",
              variable(name)));
    }
    return lines.toString();
  }

  /** Ours first, so that what the user sets holds. */
  private static Map<String, String> variables(ExtractionPlan plan) {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("PYTHONUNBUFFERED", "1");
    variables.put("PYTHONUTF8", "1");
    variables.put("COLUMNS", "300");
    plan.cudaHome().ifPresent(home -> variables.put("CUDA_HOME", home));
    if (!plan.gpus().isEmpty()) {
      variables.put(
          "CUDA_VISIBLE_DEVICES",
          plan.gpus().stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    variables.putAll(plan.environment());
    return variables;
  }

  private static String variable(String name) {
    if (!NAME.matcher(name).matches()) {
      throw Failure.of(
          Exit.PROFILE, "env", Printable.line(name, 80) + " is no name that a variable can have");
    }
    return name;
  }

  private static String quoted(String what, String text) {
    try {
      return ShellQuote.word(text);
    } catch (IllegalArgumentException nul) {
      throw Failure.of(Exit.PROFILE, what, "holds a NUL character").causedBy(nul);
    }
  }
}
