package dev.eagle3.host.ssh;

import dev.eagle3.host.AwakeTime;
import dev.eagle3.host.Ending;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.sshd.common.channel.Channel;
import org.apache.sshd.common.channel.ChannelListener;

/** Waits for the end of one command's channel. */
final class ChannelWatch implements ChannelListener {
  /**
   * A channel stays open while anything that the command left behind holds its output. Once the
   * exit code is there, so much silence ends the wait.
   */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ExecChannel channel;
  private final Supplier<Ending> unended;

  /**
   * A watch; make it before the channel is opened.
   *
   * @param unended what became of a command that the server tells no end of, asked when it is over
   */
  ChannelWatch(ExecChannel channel, Supplier<Ending> unended) {
    this.channel = channel;
    this.unended = unended;
    channel.addChannelListener(this);
    channel.addCloseFutureListener(closed -> wake());
  }

  @Override
  public void channelStateChanged(Channel changed, String hint) {
    wake();
  }

  private synchronized void wake() {
    notifyAll();
  }

  /**
   * Waits until the channel is closed, so that all output is there; or until the exit code is, and
   * then no output came for a while.
   *
   * @param deadline in the time of {@link AwakeTime}
   * @param output how many bytes came so far
   * @return false when the deadline passed first
   */
  synchronized boolean awaitOutput(long deadline, LongSupplier output) throws InterruptedException {
    long seen = -1;
    long quietSince = AwakeTime.nanos();
    while (!channel.isClosed() && !channel.isRefused()) {
      long now = AwakeTime.nanos();
      if (output.getAsLong() != seen) {
        seen = output.getAsLong();
        quietSince = now;
      }
      long left = deadline - now;
      if (hasEnded()) {
        left = Math.min(left, quietSince + GRACE_NANOS - now);
      }
      if (left <= 0) {
        return hasEnded();
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  /** Waits until it is known how the command ended. */
  synchronized Ending awaitEnding() throws InterruptedException {
    while (!channel.isClosed() && !channel.isRefused() && !hasEnded()) {
      wait();
    }
    return ending();
  }

  /** How the command ended, as far as is known now. */
  Ending ending() {
    String signal = channel.getExitSignal();
    if (signal != null) {
      return new Ending.Signalled(signal);
    }
    Integer status = channel.getExitStatus();
    return status == null ? unended.get() : new Ending.Exited(status);
  }

  private boolean hasEnded() {
    return channel.getExitStatus() != null || channel.getExitSignal() != null;
  }
}
