package dev.eagle3.launchline;

import dev.eagle3.host.ShellQuote;
import dev.eagle3.shell.ShellWord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the commands of a line run, and what those before them left behind. */
final class Scene {
  /** Every shell has them. */
  private static final Set<String> OF_EVERY_HOST = Set.of("HOME", "USER", "PWD", "PATH");

  final @Nullable Scene outside;
  final List<ShellWord> wrap;
  final Optional<SshWords> ssh;

  /** The container on that machine, which is the host then. */
  final Optional<ContainerWords> container;

  /** Variables whose value the line tells, and those that were given. */
  final Map<String, String> known;

  /** Variables of the job: their values, or empty for the host's own. */
  final Map<String, Optional<String>> environment = new LinkedHashMap<>();

  final List<String> setup = new ArrayList<>();
  Optional<String> folder;
  Optional<String> virtualEnvironment = Optional.empty();
  boolean login;

  /** Whether it is the machine of the one who types, and the job runs on another. */
  boolean local;

  boolean launched;

  private Scene(
      @Nullable Scene outside,
      List<ShellWord> wrap,
      Optional<SshWords> ssh,
      Optional<ContainerWords> container,
      Map<String, String> known) {
    this.outside = outside;
    this.wrap = wrap;
    this.ssh = ssh;
    this.container = container;
    this.known = known;
    this.folder = Optional.ofNullable(known.get("HOME"));
  }

  /** The shell that the line was typed into, with the variables whose values were given. */
  static Scene first(Map<String, String> given) {
    return new Scene(
        null, List.of(), Optional.empty(), Optional.empty(), new LinkedHashMap<>(given));
  }

  /** A shell of another machine; it knows nothing of the variables here. */
  static Scene on(SshWords ssh, Map<String, String> given) {
    Map<String, String> known = new LinkedHashMap<>(given);
    ssh.user().ifPresent(user -> known.putIfAbsent("USER", user));
    return new Scene(null, List.of(), Optional.of(ssh), Optional.empty(), known);
  }

  /** A shell that these words start, in a container for example. */
  Scene inside(List<ShellWord> words) {
    Scene inside = new Scene(this, words, ssh, container, new LinkedHashMap<>(known));
    inside.folder = folder;
    return inside;
  }

  /** A shell of a container; it knows nothing of the variables of its machine. */
  Scene in(ContainerWords words, Map<String, String> given) {
    return new Scene(null, List.of(), ssh, Optional.of(words), new LinkedHashMap<>(given));
  }

  /** The machine, the container left aside: they share their GPUs. */
  String host() {
    return ssh.map(SshWords::destination).orElse("");
  }

  Optional<String> value(String name) {
    return Optional.ofNullable(known.get(name));
  }

  ShellWord fill(ShellWord word) {
    return word.with(this::value);
  }

  /** An absolute path, if the line tells the folder that it is relative to. */
  Optional<String> path(ShellWord word) {
    return word.isPlain() ? path(word.text()) : Optional.empty();
  }

  private Optional<String> path(String text) {
    if (text.startsWith("/")) {
      return Optional.of(text);
    }
    String rest = text.equals(".") ? "" : text;
    while (rest.startsWith("./")) {
      rest = rest.substring(2);
    }
    String below = rest;
    return text.isEmpty()
        ? Optional.empty()
        : folder.map(base -> (base.equals("/") ? "" : base) + (below.isEmpty() ? "" : "/" + below));
  }

  /** Adds a line of shell text, and before it the variables of the line that it needs. */
  void addSetup(String line) {
    for (String assignment : neededFor(line, known)) {
      if (!setup.contains(assignment)) {
        setup.add(assignment);
      }
    }
    setup.add(line);
  }

  /** The assignments of variables that shell text uses. */
  static List<String> neededFor(String line, Map<String, String> known) {
    return known.entrySet().stream()
        .filter(entry -> !OF_EVERY_HOST.contains(entry.getKey()))
        .filter(
            entry -> line.contains("$" + entry.getKey()) || line.contains("${" + entry.getKey()))
        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
        .toList();
  }

  static String quoted(String text) {
    return ShellQuote.word(text);
  }

  /** All lines that run on the host itself before the job. */
  List<String> setupOfHost() {
    return outside == null ? List.copyOf(setup) : Objects.requireNonNull(outside).setupOfHost();
  }
}
