package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.files.FileTree;
import dev.eagle3.host.Command;
import dev.eagle3.host.CommandResult;
import dev.eagle3.host.Host;
import dev.eagle3.host.RunningCommand;
import dev.eagle3.host.local.LocalHost;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How often a preflight asks. */
class PreflightRoundTripsTest {
  @TempDir Path folder;

  @Test
  void aPreflightAsksTwice() throws IOException {
    ReadyHost ready = ReadyHost.in(folder);
    try (Counted host = new Counted(new LocalHost("gpu", ready.environment))) {
      assertThat(ready.check(host)).isEmpty();

      assertThat(host.commands).as("one question for a shell, one for files").isEqualTo(2);
      assertThat(host.trees).as("files that are read one by one").isZero();
      assertThat(ready.said("layer-ids")).containsExactly("ok: layers 2 30 58 60 of 0 to 60");
    }
  }

  /** Counts what is asked of a host. */
  private static final class Counted implements Host {
    private final Host host;
    private int commands;
    private int trees;

    Counted(Host host) {
      this.host = host;
    }

    @Override
    public String name() {
      return host.name();
    }

    @Override
    public CommandResult run(Command command) {
      commands++;
      return host.run(command);
    }

    @Override
    public RunningCommand start(Command command) {
      commands++;
      return host.start(command);
    }

    @Override
    public FileTree files() {
      trees++;
      return host.files();
    }

    @Override
    public void close() {
      host.close();
    }
  }
}
