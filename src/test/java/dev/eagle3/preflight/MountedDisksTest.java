package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Host;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts that a run would stumble over. */
class MountedDisksTest {
  @TempDir Path folder;

  private ReadyHost host;
  private Path disk;

  @BeforeEach
  void start() throws IOException {
    host = ReadyHost.in(folder.resolve("gpu"));
    disk = Files.createDirectories(folder.resolve("disk"));
    host.set("output-dir", disk.resolve("hidden_states").toString());
  }

  @Test
  @Hostile("the disk of the output is mounted read-only")
  void aDiskThatIsReadOnlyIsRefusedEvenForRoot() throws IOException {
    Optional<Failure> failure = check("mount -t tmpfs -o ro,size=64m none \"$1\"");

    assertThat(failure.orElseThrow().problem())
        .contains("cannot be written: " + disk + " may not be written by ");
  }

  @Test
  @Hostile("the disk of the output is smaller than what will be written")
  void aDiskThatIsTooSmallIsAWarning() throws IOException {
    assertThat(check("mount -t tmpfs -o size=1m none \"$1\"")).isEmpty();

    assertThat(host.said("disk-space"))
        .singleElement()
        .asString()
        .startsWith("warning: 69.1 MiB will be written (1,262 tokens")
        .contains("1.0 MiB free");
  }

  @Test
  @Hostile("the disk of the output has no inodes left")
  void aDiskWithoutInodesIsAWarning() throws IOException {
    assertThat(check("mount -t tmpfs -o size=500m,nr_inodes=5 none \"$1\"")).isEmpty();

    assertThat(host.said("disk-inodes")).singleElement().asString().startsWith("warning: ");
  }

  @Test
  @Hostile("/dev/shm of a container has 64 MiB")
  void littleSharedMemoryIsAWarning() throws IOException {
    assertThat(check("mount -t tmpfs -o size=64m none /dev/shm")).isEmpty();

    assertThat(host.said("shared-memory"))
        .singleElement()
        .asString()
        .startsWith("warning: /dev/shm has 64.0 MiB free");
  }

  private Optional<Failure> check(String mounting) throws IOException {
    try (Room room = Room.open(folder, false, mounting, disk.toString());
        Host inside = room.host(host.environment)) {
      return host.check(inside);
    }
  }
}
