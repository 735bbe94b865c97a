package dev.eagle3.extract;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.RunningCommand;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A host that answers each script with prepared lines, and notes which ones were asked. */
final class ScriptedHost implements Host {
  private static final Pattern MARKER = Pattern.compile("'(eagle3-[0-9a-f]+) begin'");
  private static final List<String> SCRIPTS =
      List.of(
          "clear-gpus",
          "look-gpus",
          "look-kernel",
          "look-output",
          "set-aside",
          "lock-output",
          "unlock-output",
          "undo",
          "prune",
          "quarantine");

  private final Map<String, Answer> answers = new LinkedHashMap<>();
  private final List<String> steps = new ArrayList<>();

  private record Answer(int code, String lines) {}

  /** From now on the script says this; before that, nothing, with exit code 0. */
  ScriptedHost answers(String script, int code, String lines) {
    answers.put(script, new Answer(code, lines));
    return this;
  }

  /** From now on the connection is lost during this script. */
  ScriptedHost loses(String script) {
    return answers(script, -1, "");
  }

  /** The scripts that were run, in order, with their arguments. */
  List<String> steps() {
    return steps;
  }

  @Override
  public String name() {
    return "gpu7";
  }

  @Override
  public CommandResult run(Command command) {
    Matcher marker = MARKER.matcher(command.stdin());
    if (!marker.find()) {
      throw new AssertionError("no script: " + command.stdin());
    }
    String script =
        SCRIPTS.stream()
            .filter(name -> command.stdin().contains(HostScripts.text(name)))
            .findFirst()
            .orElseThrow(() -> new AssertionError("unknown: " + command.stdin()));
    String words = command.stdin().substring(command.stdin().lastIndexOf("\neagle3_step") + 12);
    steps.add(script + words.substring(0, words.indexOf(" </dev/null")));
    Answer answer = answers.getOrDefault(script, new Answer(0, ""));
    if (answer.code() < 0) {
      return new CommandResult(new Ending.Lost("gone"), "", "", false);
    }
    String stdout =
        "\n%1$s begin\n%2$s\n%1$s end %3$d\n"
            .formatted(marker.group(1), answer.lines(), answer.code());
    return new CommandResult(new Ending.Exited(0), stdout, "", false);
  }

  @Override
  public RunningCommand start(Command command) {
    throw new AssertionError("nothing is to be started");
  }

  @Override
  public FileTree files() {
    return new LocalFileTree();
  }

  @Override
  public void close() {}
}
