package dev.eagle3.host.ssh;

import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.sshd.common.AttributeRepository;
import org.apache.sshd.common.Factory;
import org.apache.sshd.common.FactoryManager;
import org.apache.sshd.common.io.DefaultIoConnectFuture;
import org.apache.sshd.common.io.IoAcceptor;
import org.apache.sshd.common.io.IoConnectFuture;
import org.apache.sshd.common.io.IoConnector;
import org.apache.sshd.common.io.IoHandler;
import org.apache.sshd.common.io.IoServiceEventListener;
import org.apache.sshd.common.io.IoServiceFactory;
import org.apache.sshd.common.io.IoServiceFactoryFactory;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.util.closeable.AbstractCloseable;
import org.apache.sshd.common.util.threads.CloseableExecutorService;
import org.jspecify.annotations.Nullable;

/** Connects SSHD over one {@link Carrier}, whatever address it is asked for; once. */
final class CarriedConnector extends AbstractCloseable implements IoConnector {
  private final Carrier carrier;
  private final IoHandler handler;
  private final Map<Long, IoSession> sessions = new ConcurrentHashMap<>();

  private CarriedConnector(Carrier carrier, IoHandler handler) {
    this.carrier = carrier;
    this.handler = handler;
  }

  /** What makes such a connector for a client of SSHD. */
  static IoServiceFactoryFactory over(Carrier carrier) {
    return new IoServiceFactoryFactory() {
      @Override
      public IoServiceFactory create(FactoryManager manager) {
        return new ServiceFactory(carrier);
      }

      @Override
      public void setExecutorServiceFactory(Factory<CloseableExecutorService> executors) {
        // The threads of a carried session are its own.
      }
    };
  }

  @Override
  public IoConnectFuture connect(
      SocketAddress address, @Nullable AttributeRepository context, @Nullable SocketAddress local) {
    DefaultIoConnectFuture future = new DefaultIoConnectFuture(address, null);
    CarriedSession session = new CarriedSession(carrier, this, handler, address);
    if (context != null) {
      session.setAttribute(AttributeRepository.class, context);
    }
    sessions.put(session.getId(), session);
    try {
      handler.sessionCreated(session);
    } catch (Exception refused) {
      session.close(true);
      future.setValue(refused);
      return future;
    }
    future.setSession(session);
    session.startWriting();
    session.startReading();
    return future;
  }

  /** Takes a closed session off the list. */
  void forget(CarriedSession session) {
    sessions.remove(session.getId());
  }

  @Override
  protected void doCloseImmediately() {
    sessions.values().forEach(session -> session.close(true));
    carrier.close();
    super.doCloseImmediately();
  }

  @Override
  public Map<Long, IoSession> getManagedSessions() {
    return sessions;
  }

  @Override
  public @Nullable IoServiceEventListener getIoServiceEventListener() {
    return null;
  }

  @Override
  public void setIoServiceEventListener(@Nullable IoServiceEventListener listener) {
    // Nobody here listens.
  }

  /** Makes the one connector of a client. */
  private static final class ServiceFactory extends AbstractCloseable implements IoServiceFactory {
    private final Carrier carrier;

    ServiceFactory(Carrier carrier) {
      this.carrier = carrier;
    }

    @Override
    public IoConnector createConnector(IoHandler handler) {
      return new CarriedConnector(carrier, handler);
    }

    @Override
    public IoAcceptor createAcceptor(IoHandler handler) {
      throw new UnsupportedOperationException("nothing is listened for");
    }

    @Override
    public @Nullable IoServiceEventListener getIoServiceEventListener() {
      return null;
    }

    @Override
    public void setIoServiceEventListener(@Nullable IoServiceEventListener listener) {
      // Nobody here listens.
    }
  }
}
