package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Exit;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RehearsalTest {
  @TempDir Path folder;

  @Test
  void everyCommandOfTheRehearsalGetsAsFarAsItCan() throws IOException {
    assertThat(Rehearsal.run(folder))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            (command, code) -> {
              // There is no run on that host, and to be told so takes a connection.
              boolean asksForRun = command.startsWith("status --host");
              assertThat(code)
                  .as(command)
                  .isEqualTo((asksForRun ? Exit.REFUSED : Exit.DONE).code());
            });
  }
}
