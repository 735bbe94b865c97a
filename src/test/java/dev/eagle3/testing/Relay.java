package dev.eagle3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.eagle3.host.ssh.OpenSshServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bad line in front of an SSH server: a port of loopback that passes everything on, and cuts,
 * slows or swallows it on demand. Counts what is connected to it.
 */
public final class Relay implements AutoCloseable {
  private static final int CHUNK_BYTES = 2 << 10;
  private static final int BUFFER_BYTES = 32 << 10;

  private final OpenSshServer server;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicLong delivered = new AtomicLong();

  private final AtomicLong cutOnce = new AtomicLong(Long.MAX_VALUE);
  private volatile long cutEvery = Long.MAX_VALUE;
  private volatile long bytesPerSecond = Long.MAX_VALUE;
  private volatile Duration latency = Duration.ZERO;
  private volatile boolean swallowing;
  private volatile boolean refusing;

  private Relay(OpenSshServer server) throws IOException {
    this.server = server;
    this.listener = new ServerSocket();
    listener.setReceiveBufferSize(BUFFER_BYTES);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
  }

  /** A relay to a server, whose client then knows the server's key under its port, too. */
  public static Relay to(OpenSshServer server) throws IOException {
    Relay relay = new Relay(server);
    String key = Files.readString(server.hostKey("ed25519"), UTF_8);
    Files.writeString(
        server.knownHosts(),
        "[127.0.0.1]:" + relay.port() + " " + key.substring(0, key.lastIndexOf(' ')) + "\n",
        StandardOpenOption.APPEND);
    daemon(relay::accept);
    return relay;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** What {@code --host} takes. */
  public String target() {
    return server.user() + "@127.0.0.1:" + port();
  }

  /** An ssh_config in which it is {@code box}, with more lines for it. */
  public Path configuration(String... lines) throws IOException {
    Path file = Files.createTempFile(server.clientHome(), "config", "");
    Files.write(
        file,
        List.of(
            "Host box",
            "HostName 127.0.0.1",
            "Port " + port(),
            "User " + server.user(),
            "IdentityFile " + server.identity(),
            "IdentitiesOnly yes",
            "UserKnownHostsFile " + server.knownHosts()));
    return Files.write(file, List.of(lines), StandardOpenOption.APPEND);
  }

  /** How many connections were ever made to it. */
  public int connections() {
    return connections.get();
  }

  /** How many bytes it passed on to clients. */
  public long delivered() {
    return delivered.get();
  }

  /** Cuts each connection after so many bytes to its client. */
  public void cutEvery(long bytes) {
    cutEvery = bytes;
  }

  /** Cuts the next connection, and no other, after so many bytes to its client. */
  public void cutOnce(long bytes) {
    cutOnce.set(bytes);
  }

  /** Cuts all connections that there are. */
  public void cut() {
    open.forEach(Relay::reset);
  }

  /** Hangs up on every connection from now on, those that there are included, or does not. */
  public void refuse(boolean refuse) {
    refusing = refuse;
    if (refuse) {
      cut();
    }
  }

  /** Passes nothing on from now on, in either direction, and says nothing either. */
  public void swallow(boolean swallow) {
    swallowing = swallow;
  }

  /** Passes on slowly what goes to clients, and late what goes either way. */
  public void slow(long bytesEachSecond, Duration late) {
    bytesPerSecond = bytesEachSecond;
    latency = late;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        connections.incrementAndGet();
        if (refusing) {
          reset(client);
        } else {
          connect(client);
        }
      }
    } catch (IOException closed) {
      cut();
    }
  }

  private void connect(Socket client) {
    Socket host = new Socket();
    try {
      host.setReceiveBufferSize(BUFFER_BYTES);
      host.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      client.setTcpNoDelay(true);
      host.setTcpNoDelay(true);
      client.setSendBufferSize(BUFFER_BYTES);
    } catch (IOException away) {
      reset(client);
      reset(host);
      return;
    }
    open.add(client);
    open.add(host);
    if (refusing) {
      // It was begun while all were cut.
      reset(client);
      reset(host);
    }
    pass(client, host, false, Long.MAX_VALUE);
    pass(host, client, true, cutOnce.getAndSet(Long.MAX_VALUE));
  }

  /** What was read, and when it may be passed on. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chunk(byte[] bytes, long dueNanos) {}

  private void pass(Socket from, Socket to, boolean toClient, long most) {
    BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(16);
    daemon(() -> read(from, to, underWay));
    daemon(() -> write(from, to, underWay, toClient, most));
  }

  private void read(Socket from, Socket to, BlockingQueue<Chunk> underWay) {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      InputStream in = from.getInputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        byte[] bytes = Arrays.copyOf(buffer, count);
        underWay.put(new Chunk(bytes, System.nanoTime() + latency.toNanos()));
      }
      underWay.put(new Chunk(new byte[0], System.nanoTime() + latency.toNanos()));
    } catch (IOException gone) {
      both(from, to);
    } catch (InterruptedException unwanted) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(
      Socket from, Socket to, BlockingQueue<Chunk> underWay, boolean toClient, long most) {
    try {
      OutputStream out = to.getOutputStream();
      long passed = 0;
      for (Chunk chunk = underWay.take(); chunk.bytes().length > 0; chunk = underWay.take()) {
        while (swallowing && !to.isClosed()) {
          TimeUnit.MILLISECONDS.sleep(5);
        }
        TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
        int count = chunk.bytes().length;
        long end = toClient ? Math.min(most, cutEvery) : most;
        if (passed + count >= end) {
          out.write(chunk.bytes(), 0, (int) Math.max(0, end - passed));
          out.flush();
          break;
        }
        out.write(chunk.bytes());
        out.flush();
        passed += count;
        if (toClient) {
          delivered.addAndGet(count);
          TimeUnit.MICROSECONDS.sleep(1_000_000L * count / bytesPerSecond);
        }
      }
      both(from, to);
    } catch (IOException gone) {
      both(from, to);
    } catch (InterruptedException unwanted) {
      Thread.currentThread().interrupt();
    }
  }

  private void both(Socket one, Socket other) {
    reset(one);
    reset(other);
    open.remove(one);
    open.remove(other);
  }

  private static void reset(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // That is what was wanted.
      return;
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }
}
