package dev.eagle3.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Host;
import dev.eagle3.host.HostScripts;
import dev.eagle3.host.ScriptCall;
import dev.eagle3.outcome.Failure;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Of 512 GiB, 500 are files of the model that was read, and may be dropped. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "memory.max memory.current cgroup inactive_file",
        "memory.limit_in_bytes memory.usage_in_bytes cgroup/memory total_inactive_file"
      })
  @Hostile("a container has a limit of memory, and it is full of files that were read")
  void filesThatWereReadAreNotInTheWayOfAJob(String names) throws IOException {
    String[] name = names.split(" ", -1);
    String full =
        """
        mount -t tmpfs -o size=4m none /sys/fs
        mkdir -p /sys/fs/%1$s
        cd /sys/fs/%1$s
        echo 549755813888 >%2$s
        echo 547608330240 >%3$s
        printf 'anon 1\\ninactive_file 4096\\nactive_file 8192\\n%4$s 536870912000\\n' >memory.stat
        """;

    assertThat(memoryLimit(String.format(full, name[2], name[0], name[1], name[3])))
        .containsExactly("549755813888", "10737418240");
    assertThat(memoryLimit(String.format(full, name[2], name[0], name[1], "file")))
        .containsExactly("549755813888", "547608326144");
  }

  private List<String> memoryLimit(String mounting) throws IOException {
    try (Room room = Room.open(folder, false, mounting, disk.toString());
        Host inside = room.host(host.environment)) {
      return new HostScripts(inside)
          .run(ScriptCall.of("probe-machine").after("probe-host"))
          .rows("memory-limit")
          .get(0);
    }
  }

  private Optional<Failure> check(String mounting) throws IOException {
    try (Room room = Room.open(folder, false, mounting, disk.toString());
        Host inside = room.host(host.environment)) {
      return host.check(inside);
    }
  }
}
