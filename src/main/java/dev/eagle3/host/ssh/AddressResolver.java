package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks up the addresses of a name, in bounded time, which the system's own resolver is not. */
final class AddressResolver {
  private final ConnectFailures failures;

  AddressResolver(ConnectFailures failures) {
    this.failures = failures;
  }

  /**
   * All addresses of the families that ssh_config allows, in the order of the system.
   *
   * @throws Failure {@code UNREACHABLE} when there is none, or no answer in time
   */
  List<InetAddress> resolve(SshDestination destination) {
    List<InetAddress> all = lookUp(destination.address());
    String family = destination.options().first("addressfamily").orElse("any");
    Class<? extends InetAddress> kind =
        switch (family.toLowerCase(Locale.ROOT)) {
          case "inet" -> Inet4Address.class;
          case "inet6" -> Inet6Address.class;
          default -> InetAddress.class;
        };
    List<InetAddress> allowed = all.stream().filter(kind::isInstance).toList();
    if (allowed.isEmpty()) {
      throw failures.failure(
          destination.address()
              + " has no address of the kind that AddressFamily "
              + Printable.line(family, 20)
              + " of ssh_config asks for");
    }
    return allowed;
  }

  private List<InetAddress> lookUp(String name) {
    Duration limit = failures.settings().connectLimit();
    CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete(List.of(InetAddress.getAllByName(name)));
              } catch (UnknownHostException unknown) {
                answer.completeExceptionally(unknown);
              }
            },
            "ssh-name-lookup");
    thread.setDaemon(true);
    thread.start();
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException thrown) {
      throw failure(unknown(name), name).causedBy(thrown);
    } catch (TimeoutException late) {
      throw failure(
              "the name service did not answer for "
                  + name
                  + " within "
                  + ConnectFailures.seconds(limit),
              name)
          .causedBy(late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failures.failure("interrupted").causedBy(interrupted);
    }
  }

  private static String unknown(String name) {
    int zone = name.indexOf('%');
    return zone > 0 && name.indexOf(':') >= 0
        ? "this machine has no network interface " + name.substring(zone + 1)
        : "no machine has the name " + name;
  }

  private Failure failure(String problem, String name) {
    return failures.failure(problem).orTry("getent hosts " + name);
  }
}
