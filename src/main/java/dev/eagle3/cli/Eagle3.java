package dev.eagle3.cli;

import dev.eagle3.host.ssh.SshConnector;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import dev.eagle3.yaml.NearestWord;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The command line as a whole. */
final class Eagle3 {
  private static final String HELP = "help";
  private static final Set<String> NEED_ALL = Set.of(HELP, "completion");

  private static final Set<String> WITHOUT_HOST =
      Set.of(HELP, "completion", "demo", "init", "-h", "--help", "-V", "--version", "--dry-run");

  /** In the order of the help. */
  private static final Map<Class<?>, Function<Surroundings, Object>> COMMANDS = commands();

  private final Surroundings surroundings;

  Eagle3(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Runs one command; returns the exit code and never throws. */
  int run(String... arguments) {
    if (reachesHost(List.of(arguments))) {
      SshConnector.getReady();
    }
    CommandLine line =
        commandLine(Arrays.stream(arguments).filter(word -> !word.startsWith("-")).findFirst());
    // Else the help of all would be printed for a word that is no command, as if that were one.
    if (arguments.length > 0
        && !arguments[0].startsWith("-")
        && !line.getSubcommands().containsKey(arguments[0])) {
      String meant =
          NearestWord.find(arguments[0], line.getSubcommands().keySet())
              .map(command -> "; did you mean " + command + "?")
              .orElse("");
      String says = "'" + Printable.line(arguments[0], 60) + "' is no command" + meant;
      return explain(new ParameterException(line, says), arguments);
    }
    return line.execute(arguments);
  }

  /** Whether SSH will be needed: a guess that costs nothing when it is wrong. */
  private boolean reachesHost(List<String> words) {
    if (words.isEmpty() || words.stream().anyMatch(WITHOUT_HOST::contains)) {
      return false;
    }
    int flag = words.indexOf("--host");
    return flag >= 0
        ? flag + 1 < words.size() && !words.get(flag + 1).equals(Hosts.LOCAL)
        : surroundings.variable(Hosts.DEFAULT_HOST).isPresent();
  }

  /** All commands, ready to parse. */
  CommandLine commandLine() {
    return commandLine(Optional.of(HELP));
  }

  /**
   * The command line for one command. The others are there by name and description only: looking up
   * all their options takes most of the time of a short command.
   */
  private CommandLine commandLine(Optional<String> named) {
    CommandLine line = new CommandLine(new RootCommand());
    boolean all = named.isPresent() && NEED_ALL.contains(named.get());
    COMMANDS.forEach(
        (type, maker) -> {
          Command about = Objects.requireNonNull(type.getAnnotation(Command.class));
          if (all || named.filter(about.name()::equals).isPresent()) {
            line.addSubcommand(maker.apply(surroundings));
          } else {
            CommandSpec outline = CommandSpec.create();
            outline.usageMessage().description(about.description());
            line.addSubcommand(about.name(), outline);
          }
        });
    line.addSubcommand(new CommandLine.HelpCommand());
    line.setExpandAtFiles(false); // --from @FILE is for init to read
    line.setOut(writer(surroundings.out()));
    line.setErr(writer(surroundings.err()));
    line.setColorScheme(CommandLine.Help.defaultColorScheme(ansi()));
    line.setUsageHelpWidth(Math.max(60, Math.min(100, surroundings.terminal().columns())));
    line.setParameterExceptionHandler(this::explain);
    return line;
  }

  private static Map<Class<?>, Function<Surroundings, Object>> commands() {
    Map<Class<?>, Function<Surroundings, Object>> commands = new LinkedHashMap<>();
    commands.put(ExtractCommand.class, ExtractCommand::new);
    commands.put(PreflightCommand.class, PreflightCommand::new);
    commands.put(InitCommand.class, InitCommand::new);
    commands.put(TailLogCommand.class, TailLogCommand::new);
    commands.put(VerifyShapesCommand.class, VerifyShapesCommand::new);
    commands.put(PullCommand.class, PullCommand::new);
    commands.put(InspectCommand.class, InspectCommand::new);
    commands.put(StatusCommand.class, StatusCommand::new);
    commands.put(WaitCommand.class, WaitCommand::new);
    commands.put(RunsCommand.class, RunsCommand::new);
    commands.put(StopCommand.class, StopCommand::new);
    commands.put(ClearGpusCommand.class, ClearGpusCommand::new);
    commands.put(UndoCommand.class, UndoCommand::new);
    commands.put(PruneCommand.class, PruneCommand::new);
    commands.put(DemoCommand.class, DemoCommand::new);
    commands.put(CompletionCommand.class, surroundings -> new CompletionCommand());
    return commands;
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
    String message = String.valueOf(wrong.getMessage());
    String shown = withoutSecrets(message, List.of(arguments));
    err.println("eagle3: " + decapitalized(shown));
    // Suggestions are made of the words themselves.
    if (!shown.equals(message)
        || !CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err)) {
      err.println("try: " + name + " --help");
    }
    err.flush();
    return Exit.USAGE.code();
  }

  /** The message may quote words of the command line. */
  private static String withoutSecrets(String message, List<String> arguments) {
    List<String> redacted = Secrets.arguments(arguments);
    String shown = message;
    for (int at = 0; at < arguments.size(); at++) {
      String word = arguments.get(at);
      if (!word.equals(redacted.get(at)) && !word.isBlank()) {
        shown = shown.replace(word, redacted.get(at));
        String value = word.substring(word.indexOf('=') + 1);
        shown = value.length() > 2 ? shown.replace(value, Secrets.REDACTED) : shown;
      }
    }
    return shown;
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
