package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Map;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.session.ConnectionService;
import org.apache.sshd.core.CoreModuleProperties;

/**
 * A command's channel that knows whether the server refused to run it. The answer is not waited
 * for: what the command reads is sent at once, as without an answer.
 */
final class ExecChannel extends ChannelExec {
  private volatile boolean refused;

  private ExecChannel(String line) {
    super(line, UTF_8, null, Map.of());
  }

  /** A channel of a session, to open. */
  static ExecChannel on(ClientSession session, String line) throws IOException {
    ExecChannel channel = new ExecChannel(line);
    session.getService(ConnectionService.class).registerChannel(channel);
    return channel;
  }

  /**
   * A channel of a session, to open.
   *
   * @param most how many bytes of output may be on their way
   */
  static ExecChannel on(ClientSession session, String line, long most) throws IOException {
    ExecChannel channel = new ExecChannel(line);
    CoreModuleProperties.WINDOW_SIZE.set(channel, most);
    session.getService(ConnectionService.class).registerChannel(channel);
    return channel;
  }

  /** Whether the server answered that it does not run it. */
  boolean isRefused() {
    return refused;
  }

  @Override
  public void handleFailure() {
    refused = true;
    notifyStateChanged("exec refused");
    // Not at once, as SSHD does: the server would keep the channel's place.
    close(false);
  }
}
