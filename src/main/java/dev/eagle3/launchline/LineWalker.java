package dev.eagle3.launchline;

import dev.eagle3.launchline.LineNote.Kind;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.shell.Redirection;
import dev.eagle3.shell.ShellCommand;
import dev.eagle3.shell.ShellPipeline;
import dev.eagle3.shell.ShellReader;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Walks through the commands of a line, into every shell that it starts, and finds the one that is
 * the job.
 */
final class LineWalker {
  private static final int MOST_SHELLS = 16;

  private final Map<String, String> given;
  private final ToIntFunction<List<ShellWord>> fitness;
  private final List<LineNote> notes;
  private final CommandSorter sorter;
  private @Nullable Launch job;
  private int shells;

  /**
   * A walker for one line.
   *
   * @param fitness how many words of a command an extractor knows
   */
  LineWalker(
      Map<String, String> given, ToIntFunction<List<ShellWord>> fitness, List<LineNote> notes) {
    this.given = given;
    this.fitness = fitness;
    this.notes = notes;
    this.sorter = new CommandSorter(notes);
  }

  /** The job of a line, if there is one. */
  Optional<Launch> find(String line) {
    Scene first = Scene.first(given);
    first.local = ShellReader.read(line).stream().anyMatch(LineWalker::connects);
    walk(line, first, List.of());
    return Optional.ofNullable(job);
  }

  private static boolean connects(ShellPipeline pipeline) {
    return pipeline.commands().stream()
        .anyMatch(
            command ->
                command instanceof ShellCommand.Group group
                    ? group.body().stream().anyMatch(LineWalker::connects)
                    : ((ShellCommand.Simple) command)
                        .words().stream().anyMatch(word -> Programs.name(word).equals("ssh")));
  }

  /** What the line removed and cleared on the way. */
  CommandSorter sorter() {
    return sorter;
  }

  private void walk(String text, Scene scene, List<Redirection> around) {
    if (++shells > MOST_SHELLS) {
      throw Failure.of(Exit.USAGE, "launch line", "starts more than " + MOST_SHELLS + " shells");
    }
    walk(ShellReader.read(text), scene, around);
  }

  private void walk(List<ShellPipeline> pipelines, Scene scene, List<Redirection> around) {
    for (int at = 0; at < pipelines.size(); at++) {
      ShellPipeline first = pipelines.get(at);
      boolean launches = Programs.mayLaunch(first.commands().get(0));
      StringBuilder source = new StringBuilder(first.source());
      List<ShellCommand> commands = new ArrayList<>(first.commands());
      while (pipelines.get(at).after().equals("||") && at + 1 < pipelines.size()) {
        ShellPipeline other = pipelines.get(++at);
        if (launches) {
          notes.add(
              LineNote.of(
                  Kind.LEFT_OUT, "|| " + other.source(), "the cause of a failure is named"));
        } else {
          source.append(" || ").append(other.source());
          commands.addAll(other.commands());
        }
      }
      if (launches) {
        walk(first.commands().get(0), scene, piped(first.commands(), around));
      } else if (commands.size() > 1 || commands.get(0) instanceof ShellCommand.Group) {
        sorter.sort(source.toString(), commands, scene);
      } else {
        walk(commands.get(0), scene, around);
      }
    }
  }

  /** What {@code tee} writes counts as redirected. */
  private List<Redirection> piped(List<ShellCommand> commands, List<Redirection> around) {
    List<Redirection> all = new ArrayList<>();
    for (ShellCommand command : commands.subList(1, commands.size())) {
      if (command instanceof ShellCommand.Simple simple
          && !simple.words().isEmpty()
          && Programs.name(simple.words().get(0)).equals("tee")) {
        simple.words().stream()
            .skip(1)
            .filter(word -> !word.text().startsWith("-"))
            .forEach(
                file -> all.add(new Redirection(OptionalInt.empty(), ">", file, Optional.empty())));
      } else {
        notes.add(LineNote.of(Kind.LEFT_OUT, "| " + command.source(), "the log keeps every line"));
      }
    }
    all.addAll(around);
    return all;
  }

  private void walk(ShellCommand command, Scene scene, List<Redirection> around) {
    List<Redirection> redirections = new ArrayList<>(command.redirections());
    redirections.addAll(around);
    if (command instanceof ShellCommand.Group group) {
      walk(group.body(), scene, redirections);
      return;
    }
    List<ShellWord> words =
        ((ShellCommand.Simple) command).words().stream().map(scene::fill).toList();
    if (!words.isEmpty() && words.get(0).source().matches("[$%]")) {
      words = words.subList(1, words.size()); // a prompt that was copied along
    }
    List<ShellWord> rest = peel(words);
    List<ShellWord.Assignment> assignments = assignments(words);
    if (rest.isEmpty()) {
      assignments.forEach(set -> sorter.assign(set, false, scene));
      return;
    }
    step(command, rest, assignments, scene, redirections);
  }

  private void step(
      ShellCommand command,
      List<ShellWord> words,
      List<ShellWord.Assignment> assignments,
      Scene scene,
      List<Redirection> redirections) {
    String name = Programs.name(words.get(0));
    Optional<Integer> text = Programs.commandText(words, 0);
    int ssh = words.stream().map(Programs::name).toList().indexOf("ssh");
    if (name.equals("sshpass") && ssh > 0) {
      notes.add(
          LineNote.of(Kind.LEFT_OUT, "sshpass", "a password is asked for, and never an argument"));
      enter(SshWords.read(words.subList(ssh + 1, words.size())), redirections);
    } else if (name.equals("ssh")) {
      enter(SshWords.read(words.subList(1, words.size())), redirections);
    } else if (Programs.SHELLS.contains(name) && (text.isPresent() || input(redirections))) {
      assignments.forEach(set -> sorter.assign(set, true, scene));
      scene.login |= words.stream().skip(1).limit(text.orElse(1) - 1L).anyMatch(this::isLogin);
      walk(
          text.map(index -> words.get(index).text()).orElseGet(() -> document(redirections)),
          scene,
          redirections);
    } else if (Terminals.text(words).isPresent()) {
      walk(Terminals.text(words).get(), scene, redirections);
    } else if (isJob(words)) {
      take(command, words, List.of(), assignments, scene, redirections);
    } else {
      Optional<Integer> wrapped = Programs.wrapped(words);
      if (wrapped.isEmpty() || Programs.isDestructive(List.of(command))) {
        sorter.sort(command.source(), List.of(command), scene);
        return;
      }
      List<ShellWord> wrap = words.subList(0, wrapped.get());
      List<ShellWord> rest = words.subList(wrapped.get(), words.size());
      if (Programs.SHELLS.contains(Programs.name(rest.get(0)))) {
        assignments.forEach(set -> sorter.assign(set, true, scene));
        step(command, rest, List.of(), scene.inside(wrap), redirections);
      } else {
        take(command, rest, wrap, assignments, scene, redirections);
      }
    }
  }

  private boolean isJob(List<ShellWord> words) {
    String name = Programs.name(words.get(0));
    boolean script =
        Programs.SHELLS.contains(name) && words.size() > 1 && !words.get(1).text().startsWith("-");
    return script
        || name.endsWith(".py")
        || name.endsWith(".sh")
        || (Programs.startsJob(words, 0) && !words.get(1).text().equals("-c"));
  }

  private void enter(SshWords ssh, List<Redirection> redirections) {
    for (Redirection redirection : redirections) {
      if (redirection.takesOutput() && !redirection.target().text().equals("/dev/null")) {
        notes.add(
            LineNote.of(
                Kind.LEFT_OUT,
                redirection.operator() + " " + redirection.target().source(),
                "a file of your own machine; eagle3 tail-log prints the log there"));
      }
    }
    Scene scene = Scene.on(ssh, given);
    if (!ssh.command().isEmpty()) {
      // What ssh does: the words are put together with blanks, and the host's shell reads them.
      String text = String.join(" ", ssh.command().stream().map(ShellWord::text).toList());
      if (text.matches("(bash|sh)( -l| -s| -ls)*") && input(redirections)) {
        text = document(redirections);
      }
      walk(text, scene, List.of());
    } else if (input(redirections)) {
      walk(document(redirections), scene, List.of());
    }
  }

  /** Of several jobs the one whose flags are known best, of equals the last. */
  private void take(
      ShellCommand command,
      List<ShellWord> words,
      List<ShellWord> wrap,
      List<ShellWord.Assignment> assignments,
      Scene scene,
      List<Redirection> redirections) {
    Launch before = job;
    if (before != null && fitness.applyAsInt(before.words()) > fitness.applyAsInt(words)) {
      notes.add(LineNote.of(Kind.LEFT_OUT, command.source(), "it comes after the job"));
      return;
    }
    if (before != null) {
      if (before.scene() == scene) {
        scene.launched = false;
        sorter.keep(before.source(), scene);
      } else {
        notes.add(LineNote.of(Kind.LEFT_OUT, before.source(), "it runs somewhere else"));
      }
    }
    Map<String, Optional<String>> own = sorter.environment(assignments, scene);
    job =
        new Launch(
            command.source(),
            words,
            wrap,
            scene,
            redirections,
            own,
            scene.setupOfHost(),
            scene.outside == null ? List.of() : scene.setup);
    scene.launched = true;
  }

  private boolean isLogin(ShellWord word) {
    String text = word.text();
    return text.equals("--login") || text.matches("-[a-z]*l[a-z]*");
  }

  private static boolean input(List<Redirection> redirections) {
    return redirections.stream().anyMatch(redirection -> redirection.input().isPresent());
  }

  private static String document(List<Redirection> redirections) {
    return redirections.stream()
        .flatMap(redirection -> redirection.input().stream())
        .findFirst()
        .orElse("");
  }

  /** The words without the assignments and the detaching programs before them. */
  private static List<ShellWord> peel(List<ShellWord> words) {
    int at = 0;
    boolean env = false;
    while (at < words.size()) {
      ShellWord word = words.get(at);
      String name = Programs.name(word);
      if (word.assignment().isPresent() && !word.text().startsWith("-")) {
        at++;
      } else if (Programs.DETACHING.contains(name) || name.equals("env")) {
        env = name.equals("env");
        at++;
        while (at < words.size() && words.get(at).text().startsWith("-")) {
          at += env && words.get(at).text().matches("-u|--unset|-C|--chdir") ? 2 : 1;
        }
      } else {
        break;
      }
    }
    return words.subList(Math.min(at, words.size()), words.size());
  }

  private static List<ShellWord.Assignment> assignments(List<ShellWord> words) {
    return words.subList(0, words.size() - peel(words).size()).stream()
        .flatMap(word -> word.assignment().stream())
        .toList();
  }
}
