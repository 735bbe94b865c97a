package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the way to a host: the jump hosts before it, each with its own ssh_config. As for OpenSSH,
 * of {@code ProxyJump a,b} the host is reached through b, b through a, and a as its own ssh_config
 * says.
 */
final class RouteFinder {
  private static final int MOST_HOPS = 8;

  private final SshDestinationResolver resolver;

  RouteFinder(SshDestinationResolver resolver) {
    this.resolver = resolver;
  }

  /**
   * The way to a target, its first hop first, the target last.
   *
   * @throws Failure when ssh_config leads in a circle, or over too many hosts
   */
  List<SshDestination> find(SshTarget target) {
    List<SshDestination> route = new ArrayList<>();
    walk(target, Optional.empty(), route, new LinkedHashSet<>(), target);
    return List.copyOf(route);
  }

  private void walk(
      SshTarget target,
      Optional<String> jumps,
      List<SshDestination> route,
      Set<String> seen,
      SshTarget wanted) {
    SshDestination destination = resolver.resolve(target, jumps);
    if (!seen.add(target.toString().toLowerCase(Locale.ROOT))) {
      throw failure(
          wanted, "ssh_config leads in a circle: " + target + " is reached through itself");
    }
    if (seen.size() > MOST_HOPS + 1) {
      throw failure(wanted, "ssh_config leads over more than " + MOST_HOPS + " jump hosts");
    }
    Optional<String> before = destination.proxyJump();
    if (before.isPresent()) {
      String list = before.get();
      int last = list.lastIndexOf(',');
      walk(
          jump(wanted, list.substring(last + 1)),
          last < 0 ? Optional.empty() : Optional.of(list.substring(0, last)),
          route,
          seen,
          wanted);
    }
    route.add(destination);
  }

  private static SshTarget jump(SshTarget wanted, String text) {
    try {
      return SshTarget.parse(text.strip());
    } catch (Failure wrong) {
      throw failure(wanted, "ProxyJump " + Printable.line(text, 80) + ": " + wrong.problem());
    }
  }

  private static Failure failure(SshTarget wanted, String problem) {
    return Failure.of(Exit.UNREACHABLE, wanted.toString(), problem)
        .orTry("ssh -G " + wanted.host() + " | grep -i proxyjump");
  }
}
