package dev.eagle3.host.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.eagle3.files.ByteRange;
import dev.eagle3.host.Await;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Ending;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What hangs or loses data with SSH when it is done carelessly, on a real OpenSSH server. */
@Tag("slow")
class SshTrapsTest {
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  void aCommandIsLostWhenTheServerCutsTheConnection() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start();
        Host host = connect(server)) {
      Path up = folder.resolve("up");
      CompletableFuture<CommandResult> result =
          CompletableFuture.supplyAsync(
              () -> host.run(Command.of("echo so far; echo x >" + up + "; exec sleep 5", LONG)));
      Await.until(() -> Files.exists(up));

      server.cutConnections();

      assertThat(result.get().ending()).isInstanceOf(Ending.Lost.class);
      assertThat(result.get().stdout()).isEqualTo("so far\n");
      assertThat(host.run(Command.of("true", LONG)).ending()).isInstanceOf(Ending.Lost.class);
      try (RunningCommand never = host.start(Command.of("true", LONG))) {
        assertThat(never.stdout().read()).isEqualTo(-1);
        assertThat(never.ending()).isInstanceOf(Ending.Lost.class);
      }
    }
  }

  @Test
  void whatArrivedBeforeTheConnectionWasCutCanStillBeRead() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start();
        Host host = connect(server);
        RunningCommand running =
            host.start(Command.of("echo one; echo two; echo up >&2; exec sleep 5", LONG))) {
      Await.until(() -> running.stderr().equals("up\n"));

      server.cutConnections();

      assertThat(running.ending()).isInstanceOf(Ending.Lost.class);
      assertThat(new String(running.stdout().readAllBytes(), UTF_8)).isEqualTo("one\ntwo\n");
    }
  }

  @Test
  void readersOfFilesLearnThatTheConnectionIsGone() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start();
        Host host = connect(server)) {
      Path file = Files.write(folder.resolve("file"), new byte[40_000_000]);
      try (InputStream in = host.files().open(file.toString(), 0)) {
        assertThat(in.read()).isZero();

        server.cutConnections();

        assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
      }
      assertThatThrownBy(() -> host.files().read(file.toString(), List.of(new ByteRange(0, 10))))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the connection was lost");
    }
  }

  @Test
  void aFrozenServerIsNoticedByTheHeartbeat() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start();
        Host host =
            connect(
                server,
                SshSettings.of(server.clientHome()).withHeartbeat(Duration.ofMillis(200), 3))) {
      assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();

      server.freeze();
      CommandResult result = host.run(Command.of("echo never", LONG));
      server.thaw();

      assertThat(result.ending())
          .isEqualTo(new Ending.Lost("the host gave no sign of life any more"));
    }
  }

  @Test
  void aCommandThatTakesLongInSilenceIsNotCut() throws Exception {
    // Idle time-outs of client and heartbeat are far below the silence.
    try (OpenSshServer server = OpenSshServer.in(folder).start();
        Host host =
            connect(
                server,
                SshSettings.of(server.clientHome()).withHeartbeat(Duration.ofMillis(400), 5))) {
      CommandResult result = host.run(Command.of("sleep 4; echo done", LONG));

      assertThat(result.ending()).isEqualTo(new Ending.Exited(0));
      assertThat(result.stdout()).isEqualTo("done\n");
    }
  }

  @Test
  void aClosedCommandGivesItsChannelBack() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).configuration("MaxSessions 3").start();
        Host host = connect(server)) {
      assertThat(host.files().stat("/").orElseThrow().path()).isEqualTo("/");
      for (int turn = 0; turn < 20; turn++) {
        assertThat(host.run(Command.of("true", LONG)).succeeded()).isTrue();
        try (RunningCommand running = host.start(Command.of("echo up; exec cat", LONG))) {
          assertThat(Await.line(running.stdout())).isEqualTo("up");
        }
        host.run(Command.of("exec cat /dev/zero", Duration.ofMillis(1)));
      }
    }
  }

  @Test
  void anExitCodeASignalAndALossAreThreeThings() throws Exception {
    try (OpenSshServer server = OpenSshServer.in(folder).start();
        Host host = connect(server)) {
      assertThat(host.run(Command.of("exit 137", LONG)).ending()).isEqualTo(new Ending.Exited(137));
      assertThat(host.run(Command.of("exit 255", LONG)).ending()).isEqualTo(new Ending.Exited(255));
      assertThat(host.run(Command.of("kill -TERM $$", LONG)).ending())
          .isEqualTo(new Ending.Signalled("TERM"));
      // The server's own process of this connection: the shell's parent.
      assertThat(host.run(Command.of("kill -KILL $PPID; sleep 5", LONG)).ending())
          .isInstanceOf(Ending.Lost.class);
    }
  }

  @Test
  void closingTheHostLetsDetachedJobsRunOn() throws Exception {
    Path done = folder.resolve("done");
    try (OpenSshServer server = OpenSshServer.in(folder).start()) {
      Host host = connect(server);
      host.run(
          Command.of(
              "setsid sh -c 'sleep 1; echo x >" + done + "' </dev/null >/dev/null 2>&1 & :", LONG));
      host.close();
      Await.until(() -> server.connections() == 0);

      assertThat(done).doesNotExist();
      Await.until(() -> Files.exists(done));
    }
  }

  private static Host connect(OpenSshServer server) {
    return connect(server, SshSettings.of(server.clientHome()));
  }

  private static Host connect(OpenSshServer server, SshSettings settings) {
    return new SshConnector(settings, note -> {}).connect(server.target());
  }
}
