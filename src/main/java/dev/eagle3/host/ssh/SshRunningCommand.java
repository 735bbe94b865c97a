package dev.eagle3.host.ssh;

import dev.eagle3.host.Ending;
import dev.eagle3.host.OutputCapture;
import dev.eagle3.host.RunningCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;

/** A command on a channel of its own. */
final class SshRunningCommand implements RunningCommand {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final ExecChannel channel;
  private final ChannelWatch watch;
  private final OutputCapture errors;

  SshRunningCommand(ExecChannel channel, ChannelWatch watch, OutputCapture errors) {
    this.channel = channel;
    this.watch = watch;
    this.errors = errors;
  }

  @Override
  public InputStream stdout() {
    return channel.getInvertedOut();
  }

  @Override
  public OutputStream stdin() {
    return channel.getInvertedIn();
  }

  @Override
  public Ending ending() {
    try {
      return watch.awaitEnding();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new Ending.Lost("interrupted");
    }
  }

  @Override
  public String stderr() {
    return errors.text();
  }

  @Override
  public void close() {
    // Not at once ("true"): SSHD then tells the server nothing, which keeps the command and its
    // place among MaxSessions.
    try {
      channel.close(false).await(CLOSE_LIMIT);
    } catch (IOException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
