package dev.eagle3.host.ssh;

import java.io.IOException;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.sftp.client.SftpErrorDataHandler;
import org.apache.sshd.sftp.client.SftpVersionSelector;
import org.apache.sshd.sftp.client.impl.DefaultSftpClient;
import org.apache.sshd.sftp.common.SftpConstants;

/**
 * SSHD's client, but what is no SFTP (a greeting, say) ends its channel only. There it would be an
 * error of the whole connection, and end every command that runs on it.
 */
final class NoiseProofSftpClient extends DefaultSftpClient {
  /** Opens a channel and agrees on version 3. */
  NoiseProofSftpClient(ClientSession session) throws IOException {
    super(
        session,
        SftpVersionSelector.fixedVersionSelector(SftpConstants.SFTP_V3),
        SftpErrorDataHandler.EMPTY);
  }

  @Override
  protected int data(byte[] bytes, int start, int length) throws IOException {
    try {
      return super.data(bytes, start, length);
    } catch (IOException | RuntimeException noise) {
      getClientChannel().close(false);
      return length;
    }
  }
}
