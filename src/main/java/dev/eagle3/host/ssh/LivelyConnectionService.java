package dev.eagle3.host.ssh;

import dev.eagle3.host.AwakeTime;
import java.io.IOException;
import java.util.List;
import org.apache.sshd.client.ClientFactoryManager;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientConnectionService;
import org.apache.sshd.client.session.ClientConnectionServiceFactory;
import org.apache.sshd.client.session.ClientSessionImpl;
import org.apache.sshd.client.session.ClientUserAuthServiceFactory;
import org.apache.sshd.client.session.SessionFactory;
import org.apache.sshd.common.Service;
import org.apache.sshd.common.ServiceFactory;
import org.apache.sshd.common.SshException;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.Readable;

/**
 * Asks a silent server for signs of life as ssh does: whatever comes from it is one. SSHD counts
 * answers alone, and so takes a slow line on which they wait behind much else for a dead one; and
 * after this machine has slept it asks for all of that time at once, which nobody can answer.
 */
final class LivelyConnectionService extends ClientConnectionService {
  private static final ServiceFactory FACTORY =
      new ClientConnectionServiceFactory() {
        @Override
        public Service create(Session session) throws IOException {
          return new LivelyConnectionService((CountingSession) session);
        }
      };

  /** A session that knows when something came last; a packet alone may take a slow line long. */
  private static final class CountingSession extends ClientSessionImpl {
    private volatile long arrivedAt = System.nanoTime();

    CountingSession(ClientFactoryManager client, IoSession io) throws Exception {
      super(client, io);
    }

    @Override
    public void messageReceived(Readable buffer) throws Exception {
      arrivedAt = System.nanoTime();
      super.messageReceived(buffer);
    }
  }

  private final CountingSession session;
  private long seen;
  private long asked = AwakeTime.nanos();

  private LivelyConnectionService(CountingSession session) throws SshException {
    super(session);
    this.session = session;
  }

  /** Makes sessions of a client do so. */
  static void install(SshClient client) {
    client.setServiceFactories(List.of(ClientUserAuthServiceFactory.INSTANCE, FACTORY));
    client.setSessionFactory(
        new SessionFactory(client) {
          @Override
          protected ClientSessionImpl doCreateSession(IoSession io) throws Exception {
            return new CountingSession(getClient(), io);
          }
        });
  }

  /** From one thread, once in each interval. */
  @Override
  protected boolean sendHeartBeat() {
    long now = AwakeTime.nanos();
    if (now - asked < heartbeatInterval.toNanos() / 2) {
      return false;
    }
    asked = now;
    long arrivedAt = session.arrivedAt;
    if (arrivedAt != seen) {
      seen = arrivedAt;
      outstandingHeartbeats.set(0);
    }
    return super.sendHeartBeat();
  }
}
