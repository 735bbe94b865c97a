package dev.eagle3.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.testing.Hostile;
import dev.eagle3.testing.StandInHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightCommandTest {
  @TempDir Path folder;

  @Test
  void anUnknownNameIsAUsageErrorThatListsTheNames() {
    CommandLineRun run =
        CommandLineRun.of("preflight", "--host", "gpu7", "--layers", "2", "--skip", "model-shard");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .contains("--skip model-shard: is the name of no check; did you mean model-shards?")
        .contains("try: one of: machine, tools, ");
    assertThat(
            CommandLineRun.of(
                    "extract", "--host", "gpu7", "--layers", "2", "--skip", "x", "--dry-run")
                .code())
        .isEqualTo(2);
  }

  @Test
  @Tag("slow")
  void aHostThatIsReadyIsLookedAtAndNotTouched() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Files.createDirectories(host.files().output());
      Files.writeString(host.files().output().resolve("data_0.pt"), "old");

      CommandLineRun run = preflight(host);

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.err()).contains("119 of 119 shards are whole").contains(" checks, ");
      assertThat(host.files().output().resolve("data_0.pt")).hasContent("old");
      assertThat(host.state()).doesNotExist();
      CommandLineRun json = preflight(host, "--json");
      assertThat(json.out().lines().filter(line -> line.contains("\"type\":\"check\"")))
          .hasSizeGreaterThan(20);
      assertThat(json.out()).contains("\"name\":\"model-shards\",\"verdict\":\"ok\"");
    }
  }

  @Test
  @Tag("slow")
  @Hostile("extract finds a shard missing")
  void extractRefusesBeforeAnythingIsTouchedAndSkipGoesOn() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Files.delete(host.files().model().resolve("model-00042-of-00119.safetensors"));
      Files.createDirectories(host.files().output());
      Files.writeString(host.files().output().resolve("data_0.pt"), "old");

      CommandLineRun refused = run(host, "extract");

      assertThat(refused.code()).isEqualTo(11);
      assertThat(refused.err())
          .contains("118 of 119 shards are whole: model-00042-of-00119.safetensors is missing")
          .contains("--skip model-shards");
      assertThat(host.files().output().resolve("data_0.pt")).hasContent("old");
      assertThat(host.state()).doesNotExist();
      CommandLineRun skipped = run(host, "extract", "--skip", "model-shards");
      assertThat(skipped.code()).as(skipped.err()).isZero();
    }
  }

  @Test
  @Tag("slow")
  void whatExtractWouldRefuseLaterIsRefusedToo() throws Exception {
    try (StandInHost host = StandInHost.start(folder, Map.of())) {
      Files.createDirectories(host.files().output());
      Files.writeString(host.files().output().resolve("thesis.tex"), "no extraction output");

      CommandLineRun run = preflight(host);

      assertThat(run.code()).isEqualTo(11);
      assertThat(run.err()).contains("no extraction output").contains("--yes-remove");
      String output = host.files().output().toString();
      assertThat(preflight(host, "--yes-remove", output).code()).isZero();
    }
  }

  private static CommandLineRun preflight(StandInHost host, String... more) throws IOException {
    return run(host, "preflight", more);
  }

  private static CommandLineRun run(StandInHost host, String command, String... more)
      throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                command, "--host", host.server().target(), "--profile", host.profile().toString()));
    words.addAll(List.of(more));
    return CommandLineRun.at(
        host.server().clientHome(), Map.of("PATH", "/usr/bin:/bin"), words.toArray(String[]::new));
  }
}
