package dev.eagle3.host.ssh;

import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sshd.common.io.AbstractIoWriteFuture;
import org.apache.sshd.common.io.IoHandler;
import org.apache.sshd.common.io.IoService;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.io.IoWriteFuture;
import org.apache.sshd.common.util.Readable;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.common.util.closeable.AbstractCloseable;
import org.jspecify.annotations.Nullable;

/**
 * A connection of SSHD that runs over a {@link Carrier}: one thread reads, one writes. Two, since
 * SSHD answers from the thread that reads, which must not wait for the writing.
 */
final class CarriedSession extends AbstractCloseable implements IoSession {
  private static final int READ_BYTES = 64 << 10;
  private static final AtomicLong IDS = new AtomicLong();

  private final long id = IDS.incrementAndGet();
  private final Carrier carrier;
  private final CarriedConnector service;
  private final IoHandler handler;
  private final SocketAddress address;
  private final Map<Object, Object> attributes = new ConcurrentHashMap<>();
  // Not more than the windows of the channels above allow.
  private final BlockingQueue<Write> writes = new LinkedBlockingQueue<>();

  CarriedSession(
      Carrier carrier, CarriedConnector service, IoHandler handler, SocketAddress address) {
    this.carrier = carrier;
    this.service = service;
    this.handler = handler;
    this.address = address;
  }

  /** Begins to write; what is written before waits. */
  void startWriting() {
    start(this::writeAll, "ssh-carrier-writer");
  }

  /** Begins to read, once somebody listens. */
  void startReading() {
    start(this::readAll, "ssh-carrier-reader");
  }

  private static void start(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void readAll() {
    byte[] bytes = new byte[READ_BYTES];
    try {
      int count = carrier.input().read(bytes);
      while (count >= 0 && isOpen()) {
        handler.messageReceived(this, Readable.readable(ByteBuffer.wrap(bytes, 0, count)));
        count = carrier.input().read(bytes);
      }
      close(true);
    } catch (Exception broken) {
      fail(broken);
    }
  }

  private void writeAll() {
    try {
      OutputStream output = carrier.output();
      for (Write write = writes.take(); write.buffer != null; write = writes.take()) {
        try {
          output.write(write.buffer.array(), write.buffer.rpos(), write.buffer.available());
          if (writes.isEmpty()) {
            output.flush();
          }
          write.setValue(true);
        } catch (IOException broken) {
          write.setValue(broken);
          throw broken;
        }
      }
    } catch (IOException broken) {
      fail(broken);
    } catch (InterruptedException stopped) {
      close(true);
    }
  }

  private void fail(Exception broken) {
    if (isOpen()) {
      try {
        handler.exceptionCaught(this, broken);
      } catch (Exception unheard) {
        // It closes next, whatever the listener makes of it.
        close(true);
      }
    }
    close(true);
  }

  @Override
  public IoWriteFuture writeBuffer(Buffer buffer) {
    Write write = new Write(buffer);
    if (isClosing()) {
      write.setValue(new ClosedChannelException());
      return write;
    }
    writes.add(write);
    if (isClosing()) {
      abandonWrites();
    }
    return write;
  }

  @Override
  protected void doCloseImmediately() {
    abandonWrites();
    writes.add(new Write(null));
    carrier.close();
    service.forget(this);
    super.doCloseImmediately();
    try {
      handler.sessionClosed(this);
    } catch (Exception unheard) {
      // It is closed all the same.
      log.debug("{}", unheard.toString());
    }
  }

  private void abandonWrites() {
    for (Write write = writes.poll(); write != null; write = writes.poll()) {
      if (write.buffer == null) {
        // The end of the writer.
        writes.add(write);
        return;
      }
      write.setValue(new ClosedChannelException());
    }
  }

  @Override
  public long getId() {
    return id;
  }

  @Override
  public @Nullable SocketAddress getAcceptanceAddress() {
    return null;
  }

  @Override
  public SocketAddress getRemoteAddress() {
    return address;
  }

  @Override
  public SocketAddress getLocalAddress() {
    return address;
  }

  @Override
  public @Nullable Object getAttribute(Object key) {
    return attributes.get(key);
  }

  @Override
  public @Nullable Object setAttribute(Object key, Object value) {
    return attributes.put(key, value);
  }

  @Override
  public @Nullable Object setAttributeIfAbsent(Object key, Object value) {
    return attributes.putIfAbsent(key, value);
  }

  @Override
  public @Nullable Object removeAttribute(Object key) {
    return attributes.remove(key);
  }

  @Override
  public IoService getService() {
    return service;
  }

  @Override
  public void shutdownOutputStream() {
    // SSHD asks for it in forwarded connections only, which this is none of.
    close(false);
  }

  @Override
  public void suspendRead() {
    // As above.
  }

  @Override
  public void resumeRead() {
    // As above.
  }

  /** Bytes on their way; without any, the end of the writer. */
  private static final class Write extends AbstractIoWriteFuture {
    private final @Nullable Buffer buffer;

    Write(@Nullable Buffer buffer) {
      super("write", null);
      this.buffer = buffer;
    }
  }
}
