package dev.eagle3.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.host.Await;
import dev.eagle3.host.HostScripts;
import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.Room;
import dev.eagle3.testing.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the wrapper of a job ends when the job is over, among processes of a namespace of its own: a
 * shell waits for children in passing, and their numbers are free from then on.
 */
@Tag("slow")
class WrapperChildrenTest {
  /** The end of a job, in place of its call. Arguments: a folder, the numbers of the two. */
  private static final String END =
      """
      folder=$1
      run=20260101-000000-aaaa
      job=
      caught=
      : >"$folder/exit.pending"
      echo none >"$folder/lock"
      if [ "$2" = children ]; then
        setsid sleep 600 </dev/null >/dev/null 2>&1 &
        guard=$!
        setsid sleep 600 </dev/null >/dev/null 2>&1 &
        beating=$!
        echo "$guard $beating"
      else
        guard=$2
        beating=$3
      fi
      eagle3_over 7
      """;

  private static final String SLEEP = "setsid sleep 600 </dev/null >/dev/null 2>&1 & echo $!";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  @Hostile("the number of a guard that ended long ago is that of a stranger now")
  void whoeverHasTheNumberOfAChildThatEndedLongAgoIsLeftAlone(String shell) throws IOException {
    try (Room room = Room.open(folder, true, ":", "")) {
      String guard = room.run(SLEEP).strip();
      String beating = room.run(SLEEP).strip();
      Await.until(() -> isSleeping(room, guard) && isSleeping(room, beating));

      assertThat(end(room, shell, guard + " " + beating)).isEqualTo("7\n");

      assertThat(folder.resolve("exit.7")).exists();
      assertThat(isSleeping(room, guard)).isTrue();
      assertThat(isSleeping(room, beating)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash", "busybox"})
  void itsOwnChildrenEndWithTheWrapper(String shell) throws IOException {
    try (Room room = Room.open(folder, true, ":", "")) {
      String said = end(room, shell, "children");

      assertThat(said).matches("[0-9]+ [0-9]+\n7\n");
      for (String child : said.split("\n", 2)[0].split(" ", 2)) {
        assertThat(room.run("[ -e /proc/" + child + " ] || echo over")).isEqualTo("over\n");
      }
    }
  }

  /** What the wrapper said, and its exit code. */
  private String end(Room room, String shell, String arguments) throws IOException {
    Path script = folder.resolve("job.sh");
    Files.writeString(script, HostScripts.text("job") + END);
    String program = Tools.find(shell) + (shell.equals("busybox") ? " sh" : "");
    return room.run(
        program + " '" + script + "' '" + folder + "' " + arguments + " 2>&1; echo \"$?\"");
  }

  private static boolean isSleeping(Room room, String process) throws IOException {
    return room.run("tr '\\0' ' ' </proc/" + process + "/cmdline").equals("sleep 600 ");
  }
}
