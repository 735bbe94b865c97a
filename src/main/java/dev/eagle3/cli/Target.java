package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.Optional;

/** What a command is about: a run, or a path here or on a host. */
sealed interface Target {
  /** A run of a host. */
  record Run(Optional<RunId> id) implements Target {
    /** Whether the newest run is meant. */
    boolean latest() {
      return id.isEmpty();
    }
  }

  /** A path on a host. */
  record Remote(String host, String path) implements Target {}

  /** A path of this machine. */
  record Local(String path) implements Target {}

  /**
   * Reads a target by the one rule of all commands: a run id or {@code latest} is a run; {@code
   * [user@]host:PATH} is remote (a colon before any slash, a host of two letters or more); all else
   * is a path, on {@code givenHost} when that stands on this command line, else local.
   */
  static Target parse(String text, Optional<String> givenHost) {
    if (text.equals("latest")) {
      return new Run(Optional.empty());
    }
    if (RunId.isRunId(text)) {
      return new Run(Optional.of(new RunId(text)));
    }
    if (text.startsWith("ssh://")) {
      throw Failure.of(
              Exit.USAGE, Printable.line(text, 80), "ssh:// names a host for --host, and no path")
          .orTry("[user@]host:PATH, or --host " + Printable.line(text, 80) + " PATH");
    }
    int name = text.indexOf('@') + 1;
    // The colons of an IPv6 address stand in brackets.
    int colon = text.startsWith("[", name) ? text.indexOf("]:", name) + 1 : text.indexOf(':');
    int slash = text.indexOf('/');
    boolean remote = colon > 0 && (slash < 0 || colon < slash);
    if (remote) {
      if (colon - name >= 2) {
        return remote(text.substring(0, colon), text.substring(colon + 1), givenHost);
      }
    }
    return givenHost.<Target>map(host -> new Remote(host, text)).orElse(new Local(text));
  }

  private static Target remote(String host, String path, Optional<String> givenHost) {
    if (givenHost.isPresent() && !givenHost.get().equals(host)) {
      throw Failure.of(Exit.USAGE, host + ":" + path, "names another host than " + givenHost.get())
          .orTry("the path alone, which is then on that host: " + path);
    }
    if (path.isEmpty()) {
      throw Failure.of(Exit.USAGE, host + ":", "names a host but no path")
          .orTry("eagle3 ... " + host + ":/absolute/path");
    }
    return new Remote(host, path);
  }
}
