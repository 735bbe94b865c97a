package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.NeverStarted;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.RunningCommand;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.session.ClientSession;

/** A host behind one SSH connection: a channel for each command, one for its files. */
final class SshHost implements Host {
  private static final Duration OPEN_LIMIT = Duration.ofSeconds(30);
  private static final int STDERR_LIMIT = 64 << 10;

  private final OpenHop hop;
  private final ClientSession session;
  private final ChannelOpener opener;
  private final SftpFileTree files;

  /** A host on a hop that has logged in, which is closed with it. */
  SshHost(OpenHop hop) {
    this.hop = hop;
    this.session = hop.session();
    this.opener = new ChannelOpener(session);
    this.files = new SftpFileTree(name(), session);
  }

  @Override
  public String name() {
    return hop.destination().target().toString();
  }

  @Override
  public CommandResult run(Command command) {
    long deadline = System.nanoTime() + command.timeout().toNanos();
    OutputCapture out = new OutputCapture(command.mostOutput());
    OutputCapture err = new OutputCapture(command.mostOutput());
    Ending ending;
    boolean whole = false;
    try {
      Opened opened =
          opener.open(
              () -> {
                ChannelExec channel = channelFor(command);
                channel.setIn(new ByteArrayInputStream(command.stdin().getBytes(UTF_8)));
                channel.setOut(out);
                channel.setErr(err);
                return opened(channel, least(OPEN_LIMIT, command.timeout()));
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
          session.isOpen() && System.nanoTime() - deadline >= 0
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
          opener.open(
              () -> {
                ChannelExec channel = channelFor(command);
                channel.setErr(errors);
                return opened(channel, OPEN_LIMIT);
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
    hop.close();
  }

  private ChannelExec channelFor(Command command) throws IOException {
    return session.createExecChannel(command.line(), UTF_8, null, Map.of());
  }

  private Opened opened(ChannelExec channel, Duration limit) throws IOException {
    ChannelWatch watch = new ChannelWatch(channel, this::lossReason);
    try {
      channel.open().verify(limit);
    } catch (IOException unopened) {
      channel.close(false);
      throw unopened;
    }
    return new Opened(channel, watch);
  }

  /** An open channel, and what waits for its end. */
  private record Opened(ChannelExec channel, ChannelWatch watch) {}

  private String lossReason() {
    return session.isOpen()
        ? "the server closed the channel without an exit code"
        : hop.lossReason();
  }

  private Ending.Lost notRun(IOException refused) {
    return new Ending.Lost(
        session.isOpen()
            ? (ChannelOpener.isRefusal(refused)
                    ? "the server opens no further channel (MaxSessions in its sshd_config): "
                    : "the command could not be started: ")
                + refused.getMessage()
            : lossReason());
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
