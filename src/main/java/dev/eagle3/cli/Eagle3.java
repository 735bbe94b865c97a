package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Printable;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The command line as a whole. */
final class Eagle3 {
  private final Surroundings surroundings;

  Eagle3(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Runs one command; returns the exit code and never throws. */
  int run(String... arguments) {
    return commandLine().execute(arguments);
  }

  /** All commands, ready to parse. */
  CommandLine commandLine() {
    CommandLine line = new CommandLine(new RootCommand());
    for (Object command : commands()) {
      line.addSubcommand(command);
    }
    line.addSubcommand(new CommandLine.HelpCommand());
    line.setOut(writer(surroundings.out()));
    line.setErr(writer(surroundings.err()));
    line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi()));
    line.setUsageHelpWidth(Math.max(60, Math.min(100, surroundings.terminal().columns())));
    line.setParameterExceptionHandler(this::explain);
    return line;
  }

  private List<Object> commands() {
    return List.of(
        new ExtractCommand(surroundings),
        new TailLogCommand(surroundings),
        new VerifyShapesCommand(surroundings),
        new PullCommand(surroundings),
        new StatusCommand(surroundings),
        new RunsCommand(surroundings),
        new UndoCommand(surroundings),
        new DemoCommand(surroundings),
        new CompletionCommand());
  }

  private CommandLine.Help.Ansi ansi() {
    boolean plain =
        surroundings.variable("NO_COLOR").isPresent() || !surroundings.terminal().output();
    return plain ? CommandLine.Help.Ansi.OFF : CommandLine.Help.Ansi.ON;
  }

  /** A wrong command line: what is wrong and where the help is, in the words of all failures. */
  private int explain(ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    if (List.of(arguments).contains("--json")) {
      surroundings.out().println("{\"v\":1,\"type\":\"end\",\"exit\":" + Exit.USAGE.code() + "}");
      surroundings.out().flush();
    }
    err.println("eagle3: " + decapitalized(String.valueOf(wrong.getMessage())));
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err)) {
      err.println("try: " + name + " --help");
    }
    err.flush();
    return Exit.USAGE.code();
  }

  private static String decapitalized(String text) {
    String shown = Printable.line(text);
    boolean word = shown.length() > 1 && Character.isLowerCase(shown.charAt(1));
    return word ? Character.toLowerCase(shown.charAt(0)) + shown.substring(1) : shown;
  }

  private static PrintWriter writer(PrintStream stream) {
    Writer writer = new OutputStreamWriter(stream, StandardCharsets.UTF_8);
    return new PrintWriter(writer, true);
  }
}
