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
      sorter.mayFail(!pipelines.get(at).after().equals("&&"));
      if (launches) {
        walk(first.commands().get(0), scene, new PipedOutput(notes).of(first.commands(), around));
      } else if (commands.size() > 1 || commands.get(0) instanceof ShellCommand.Group) {
        sorter.sort(source.toString(), commands, scene);
      } else {
        walk(commands.get(0), scene, around);
      }
    }
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
    CommandWords apart = CommandWords.of(words);
    if (apart.program().isEmpty()) {
      apart.assignments().forEach(set -> sorter.assign(set, false, scene));
    } else {
      step(command, apart.program(), apart.assignments(), scene, redirections);
    }
  }

  private void step(
      ShellCommand command,
      List<ShellWord> words,
      List<ShellWord.Assignment> assignments,
      Scene scene,
      List<Redirection> redirections) {
    String name = Programs.name(words.get(0));
    int ssh = words.stream().map(Programs::name).toList().indexOf("ssh");
    Optional<String> text = shellText(words, redirections);
    if (ssh == 0 || (name.equals("sshpass") && ssh > 0)) {
      if (ssh > 0) {
        notes.add(
            LineNote.of(
                Kind.LEFT_OUT, "sshpass", "a password is asked for, and never an argument"));
      }
      enter(SshWords.read(words.subList(ssh + 1, words.size())), redirections);
    } else if (text.isPresent()) {
      assignments.forEach(set -> sorter.assign(set, true, scene));
      scene.login |= Programs.isLogin(words);
      walk(text.get(), scene, withoutInput(redirections));
    } else if (Terminals.text(words).isPresent()) {
      walk(Terminals.text(words).get(), scene, redirections);
    } else if (Programs.isJob(words)) {
      take(command, words, List.of(), assignments, scene, redirections);
    } else {
      wrap(command, words, assignments, scene, redirections);
    }
  }

  /** A program that is given another one, or one of which nothing is known. */
  private void wrap(
      ShellCommand command,
      List<ShellWord> words,
      List<ShellWord.Assignment> assignments,
      Scene scene,
      List<Redirection> redirections) {
    Optional<Integer> wrapped = Programs.wrapped(words);
    if (wrapped.isEmpty() || Programs.isDestructive(List.of(command))) {
      sorter.sort(command.source(), List.of(command), scene);
      return;
    }
    List<ShellWord> before = words.subList(0, wrapped.get());
    List<ShellWord> rest = words.subList(wrapped.get(), words.size());
    Optional<ContainerWords> container =
        scene.outside == null && scene.container.isEmpty()
            ? ContainerWords.read(before)
            : Optional.empty();
    if (container.isPresent()) {
      enter(command, container.get(), rest, scene, redirections);
    } else if (Programs.SHELLS.contains(Programs.name(rest.get(0)))) {
      assignments.forEach(set -> sorter.assign(set, true, scene));
      step(command, rest, List.of(), scene.inside(before), redirections);
    } else {
      take(command, rest, before, assignments, scene, redirections);
    }
  }

  /** What a shell is given to run: its {@code -c}, or what it reads when it has no script. */
  private static Optional<String> shellText(List<ShellWord> words, List<Redirection> redirections) {
    if (!Programs.SHELLS.contains(Programs.name(words.get(0)))) {
      return Optional.empty();
    }
    boolean script = words.stream().skip(1).anyMatch(word -> !word.text().startsWith("-"));
    return Programs.commandText(words, 0)
        .map(index -> words.get(index).text())
        .or(
            () ->
                script || !input(redirections)
                    ? Optional.empty()
                    : Optional.of(document(redirections)));
  }

  private static List<Redirection> withoutInput(List<Redirection> redirections) {
    return redirections.stream().filter(one -> one.input().isEmpty()).toList();
  }

  private void enter(SshWords ssh, List<Redirection> redirections) {
    leaveOut(redirections, "a file of your own machine; eagle3 tail-log prints the log there");
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

  private void enter(
      ShellCommand command,
      ContainerWords container,
      List<ShellWord> words,
      Scene around,
      List<Redirection> redirections) {
    leaveOut(redirections, "a file outside of the container; eagle3 tail-log prints the log");
    Scene scene = around.in(container, given);
    scene.local = false;
    container.variables().forEach(set -> sorter.assign(set, true, scene));
    container
        .folder()
        .flatMap(scene::path)
        .ifPresent(
            folder -> {
              scene.folder = Optional.of(folder);
              scene.addSetup("cd " + Scene.quoted(folder));
            });
    notes.add(
        LineNote.of(
            Kind.TRANSLATED,
            String.join(" ", container.words()),
            "via: the container is the host"));
    step(command, words, List.of(), scene, List.of());
  }

  private void leaveOut(List<Redirection> redirections, String why) {
    for (Redirection redirection : redirections) {
      if (redirection.takesOutput() && !redirection.target().text().equals("/dev/null")) {
        notes.add(
            LineNote.of(
                Kind.LEFT_OUT, redirection.operator() + " " + redirection.target().source(), why));
      }
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

  private static boolean input(List<Redirection> redirections) {
    return redirections.stream().anyMatch(redirection -> redirection.input().isPresent());
  }

  private static String document(List<Redirection> redirections) {
    return redirections.stream()
        .flatMap(redirection -> redirection.input().stream())
        .findFirst()
        .orElse("");
  }
}
