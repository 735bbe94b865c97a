package dev.eagle3.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.extractor.LogRules;
import dev.eagle3.outcome.Event;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogReaderTest {
  private final List<Event> events = new ArrayList<>();

  private LogReader read(LogRules rules, String text) {
    LogReader reader = new LogReader(rules, 0, events::add);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    reader.accept(bytes, bytes.length);
    reader.finish();
    return reader;
  }

  @Test
  void aCarriageReturnMakesProgressAndNoLine() {
    read(
        LogRules.NONE,
        "(Worker_TP0 pid=577) \r"
            + "Loading safetensors checkpoint shards:  12% Completed | 14/119 [01:13<09:06,  5.20s/it]\r"
            + "Loading safetensors checkpoint shards: 100% Completed | 119/119 [10:19<00:00,  5.20s/it]\n"
            + "after\n");
    assertThat(events)
        .containsExactly(
            new Event.Progress("shards", 14, 119, 1 / 5.2, 546),
            new Event.Progress("shards", 119, 119, 1 / 5.2, 0),
            new Event.LogLine(199, "after", "line"));
  }

  @Test
  void theFirstTracebackIsShownAndNotWhatFollowsIt() {
    LogReader reader =
        read(
            LogRules.NONE,
            """
            start
            (Worker_TP1 pid=2) ERROR 02-09 16:17:03 [multiproc_executor.py:707] WorkerProc hit an exception.
            (Worker_TP1 pid=2) ERROR 02-09 16:17:03 [multiproc_executor.py:707] Traceback (most recent call last):
            (Worker_TP1 pid=2) ERROR 02-09 16:17:03 [multiproc_executor.py:707]   File "/a.py", line 3, in f
            (Worker_TP0 pid=1) INFO 02-09 16:17:03 [x.py:7] all well
            (Worker_TP1 pid=2) ERROR 02-09 16:17:03 [multiproc_executor.py:707]     g()
            (Worker_TP1 pid=2) ERROR 02-09 16:17:03 [multiproc_executor.py:707] ValueError: no
            (EngineCore_DP0 pid=3) RuntimeError: Engine core initialization failed. See root cause above.
            """);
    assertThat(reader.lastErrors())
        .containsExactly(
            "(Worker_TP1 pid=2) WorkerProc hit an exception.",
            "Traceback (most recent call last):",
            "  File \"/a.py\", line 3, in f",
            "    g()",
            "ValueError: no");
    assertThat(events)
        .filteredOn(event -> event instanceof Event.LogLine line && line.stream().equals("error"))
        .hasSize(6);
  }
}
