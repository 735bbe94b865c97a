package dev.eagle3.host.ssh;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks up the addresses of a name, in bounded time, which the system's own resolver is not. */
final class AddressResolver {
  private final SshSettings settings;

  AddressResolver(SshSettings settings) {
    this.settings = settings;
  }

  /**
   * All addresses, in the order of the system.
   *
   * @throws Failure {@code UNREACHABLE} when there is none, or no answer in time
   */
  List<InetAddress> resolve(SshDestination destination) {
    CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                answer.complete(List.of(InetAddress.getAllByName(destination.address())));
              } catch (UnknownHostException unknown) {
                answer.completeExceptionally(unknown);
              }
            },
            "ssh-name-lookup");
    thread.setDaemon(true);
    thread.start();
    try {
      return answer.get(settings.connectLimit().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException unknown) {
      throw failure(destination, "no machine has the name " + destination.address())
          .causedBy(unknown);
    } catch (TimeoutException late) {
      throw failure(
              destination,
              "the name service did not answer for "
                  + destination.address()
                  + " within "
                  + ConnectFailures.seconds(settings.connectLimit()))
          .causedBy(late);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw failure(destination, "interrupted").causedBy(interrupted);
    }
  }

  private static Failure failure(SshDestination destination, String problem) {
    return Failure.of(Exit.UNREACHABLE, destination.target().toString(), problem)
        .orTry("getent hosts " + destination.address());
  }
}
