package dev.eagle3.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.log.LogReader;
import dev.eagle3.report.TextReport.About;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What {@code tail-log} shows of a recorded log. */
class RecordedLogTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private void show(String name, Screen screen) throws IOException {
    TextReport report =
        new TextReport(
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            screen,
            About.LOG,
            false,
            () -> 0);
    LogReader reader = new LogReader(LogRules.NONE, 0, report);
    try (InputStream stream = RecordedLogTest.class.getResourceAsStream("/log/" + name)) {
      byte[] bytes = stream == null ? new byte[0] : stream.readAllBytes();
      reader.accept(bytes, bytes.length);
    }
    reader.finish();
    report.flush();
  }

  @Test
  void inAPipeProgressIsAFewLinesOnStandardError() throws IOException {
    show("done.log", Screen.NONE);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            load      shards 0/119  0%
            load      shards 12/119  10%  5.2 s/shard  ETA 9m16s
            load      shards 24/119  20%  5.2 s/shard  ETA 8m14s
            load      shards 36/119  30%  5.3 s/shard  ETA 7m11s
            load      shards 48/119  40%  5.3 s/shard  ETA 6m09s
            load      shards 60/119  50%  5.2 s/shard  ETA 5m06s
            load      shards 72/119  60%  5.2 s/shard  ETA 4m04s
            load      shards 84/119  70%  5.2 s/shard  ETA 3m02s
            load      shards 96/119  80%  5.3 s/shard  ETA 1m59s
            load      shards 108/119  90%  5.3 s/shard  ETA 57s
            load      shards 119/119  100%  5.3 s/shard
            samples   batches 0/5  0%
            samples   batches 1/5  20%  12.1 s/batch  ETA 48s
            samples   batches 2/5  40%  12.2 s/batch  ETA 36s
            samples   batches 3/5  60%  12.3 s/batch  ETA 24s
            samples   batches 4/5  80%  12.4 s/batch  ETA 12s
            samples   batches 5/5  100%  12.5 s/batch
            samples   files 0/10  0%
            samples   files 7/10  70%  68.2 files/s  ETA 0s
            samples   files 10/10  100%  71.0 files/s
            """);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .doesNotContain("%", "\r", "\u001b")
        .startsWith("2026-02-09 16:17:02,")
        .endsWith("Parent process exited, terminating worker\n")
        .contains("\n(Worker_TP5 pid=2784026) INFO ")
        .contains("Using Triton backend for the moe layer.\n");
  }

  @Test
  void onATerminalNoControlCharacterOfTheLogIsShown() throws IOException {
    show("out-of-memory.log", new Screen(true, true, 100, false));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .doesNotContainPattern("[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]");
    assertThat(err.toString(StandardCharsets.UTF_8))
        .doesNotContainPattern("[\\x00-\\x09\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]")
        .contains("\rload      shards 41/119  34%  [##########....................]")
        .endsWith("\r");
  }
}
