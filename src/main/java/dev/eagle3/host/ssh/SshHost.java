package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.AwakeTime;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.NeverStarted;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.shell.ShellFileTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.sshd.client.session.ClientSession;

/** A host behind an SSH connection: a channel for each command, one for its files. */
final class SshHost implements Host {
  /** On a slow line the answer waits behind all that is on its way. */
  private static final Duration OPEN_LIMIT = Duration.ofMinutes(2);

  private static final long LEAST_WINDOW_BYTES = 32 << 10;
  private static final int STDERR_LIMIT = 64 << 10;

  private final OpenHop hop;
  private final ClientSession session;
  private final SshConnections connections;
  private final SshFileTree files;

  /**
   * A host on a hop that has logged in, which is closed with it.
   *
   * @param another makes one more of the kind
   * @param notes gets a sentence when the server offers less than usual
   */
  SshHost(OpenHop hop, Supplier<OpenHop> another, Consumer<String> notes) {
    this.hop = hop;
    this.session = hop.session();
    this.connections = new SshConnections(hop, another, notes);
    this.files =
        new SshFileTree(
            new SftpFileTree(name(), connections), new ShellFileTree(new HostScripts(this)), notes);
  }

  @Override
  public String name() {
    return hop.destination().target().toString();
  }

  @Override
  public CommandResult run(Command command) {
    long deadline = AwakeTime.nanos() + command.timeout().toNanos();
    OutputCapture out = new OutputCapture(command.mostOutput());
    OutputCapture err = new OutputCapture(command.mostOutput());
    Ending ending;
    boolean whole = false;
    try {
      Opened opened =
          connections.open(
              on -> {
                ExecChannel channel = ExecChannel.on(on.session(), command.line());
                channel.setIn(new ByteArrayInputStream(command.stdin().getBytes(UTF_8)));
                channel.setOut(out);
                channel.setErr(err);
                return opened(channel, on, least(OPEN_LIMIT, command.timeout()));
              });
      try {
        boolean ended = opened.watch().awaitOutput(deadline, () -> out.bytes() + err.bytes());
        whole = opened.channel().isClosed();
        ending = ended ? opened.watch().ending() : new Ending.TimedOut();
      } finally {
        opened.channel().close(false);
      }
    } catch (IOException refused) {
      ending =
          session.isOpen() && AwakeTime.nanos() - deadline >= 0
              ? new Ending.TimedOut()
              : notRun(refused);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      ending = new Ending.Lost("interrupted");
    }
    return new CommandResult(ending, out.text(), err.text(), !whole || out.isCut() || err.isCut());
  }

  @Override
  public RunningCommand start(Command command) {
    OutputCapture errors = new OutputCapture(STDERR_LIMIT);
    try {
      Opened opened =
          connections.open(
              on -> {
                ExecChannel channel = unread(command, on);
                channel.setErr(errors);
                return opened(channel, on, OPEN_LIMIT);
              });
      SshRunningCommand running = new SshRunningCommand(opened.channel(), opened.watch(), errors);
      try {
        running.stdin().write(command.stdin().getBytes(UTF_8));
        running.stdin().flush();
      } catch (IOException ended) {
        // It ended before it had read its input; its ending says how.
        return running;
      }
      return running;
    } catch (IOException refused) {
      return new NeverStarted(notRun(refused));
    }
  }

  @Override
  public boolean isConnected() {
    return session.isOpen();
  }

  @Override
  public FileTree files() {
    return files;
  }

  @Override
  public void close() {
    connections.close();
  }

  private static ExecChannel unread(Command command, OpenHop on) throws IOException {
    return command.mostOutput() < Command.OUTPUT_LIMIT
        ? ExecChannel.on(
            on.session(), command.line(), Math.max(LEAST_WINDOW_BYTES, command.mostOutput()))
        : ExecChannel.on(on.session(), command.line());
  }

  private static Opened opened(ExecChannel channel, OpenHop on, Duration limit) throws IOException {
    ChannelWatch watch = new ChannelWatch(channel, () -> unended(channel, on));
    try {
      channel.open().verify(limit);
    } catch (IOException unopened) {
      channel.close(false);
      throw unopened;
    }
    return new Opened(channel, watch);
  }

  /** An open channel, and what waits for its end. */
  private record Opened(ExecChannel channel, ChannelWatch watch) {}

  private static Ending unended(ExecChannel channel, OpenHop on) {
    return channel.isRefused()
        ? new Ending.Refused(
            "the server runs no commands: it gives a login shell alone, or only a terminal",
            on.failures().viaLoginShell())
        : new Ending.Lost(lossReason(on));
  }

  private static String lossReason(OpenHop on) {
    return on.session().isOpen()
        ? "the server closed the channel without an exit code"
        : on.lossReason();
  }

  private Ending.Lost notRun(IOException refused) {
    return new Ending.Lost(
        session.isOpen()
            ? SshConnections.isRefusal(refused)
                ? SshConnections.words(refused)
                : "the command could not be started: " + refused.getMessage()
            : lossReason(hop));
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
