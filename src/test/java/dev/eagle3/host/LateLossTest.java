package dev.eagle3.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileTree;
import dev.eagle3.files.LocalFileTree;
import dev.eagle3.host.local.LocalHost;
import dev.eagle3.testing.Hostile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A connection that fails whatever is asked on it, and is known to be gone only a little later. */
class LateLossTest {
  @TempDir Path folder;

  private final AtomicInteger connections = new AtomicInteger();

  @Test
  @Hostile("a write fails before the connection is known to be gone")
  void theQuestionIsNotAskedAgainOnTheConnectionThatIsGone() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "content");
    try (Host host = connect()) {
      assertThat(host.files().stat(file.toString())).isPresent();
      assertThat(connections).hasValue(2);
    }
  }

  @Test
  @Hostile("a stream is opened before the connection is known to be gone")
  void norIsAStreamOpenedOnIt() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "content");
    try (Host host = connect();
        InputStream stream = host.files().open(file.toString(), 3)) {
      assertThat(new String(stream.readAllBytes(), UTF_8)).isEqualTo("tent");
    }
  }

  @Test
  @Hostile("a command is run before the connection is known to be gone")
  void norIsACommandRunOnIt() {
    try (Host host = connect()) {
      assertThat(host.run(Command.of("true", Duration.ofMinutes(1))).succeeded()).isFalse();
      assertThat(host.run(Command.of("true", Duration.ofMinutes(1))).succeeded()).isTrue();
    }
  }

  private Host connect() {
    return ReconnectingHost.connect(
        () ->
            connections.incrementAndGet() == 1
                ? new Dying(new LocalHost("gpu7", Map.of()), new AtomicInteger())
                : new LocalHost("gpu7", Map.of()),
        Duration.ofMinutes(1),
        note -> {});
  }

  /**
   * The first connection.
   *
   * @param looks how often somebody has asked whether it is there: it is known to be gone at the
   *     tenth time after its first failure
   */
  private record Dying(Host host, AtomicInteger looks) implements Host {
    private static final int NOTICED = 10;

    @Override
    public String name() {
      return host.name();
    }

    @Override
    public CommandResult run(Command command) {
      return new CommandResult(new Ending.Lost("broken pipe"), "", "", true);
    }

    @Override
    public RunningCommand start(Command command) {
      return new NeverStarted(new Ending.Lost("broken pipe"));
    }

    @Override
    public boolean isConnected() {
      return looks.incrementAndGet() < NOTICED;
    }

    @Override
    public FileTree files() {
      return (FileTree)
          Proxy.newProxyInstance(
              LocalFileTree.class.getClassLoader(),
              new Class<?>[] {FileTree.class},
              (proxy, method, arguments) -> {
                throw new IOException("broken pipe");
              });
    }

    @Override
    public void close() {
      host.close();
    }
  }
}
