package dev.eagle3.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.outcome.Cause;
import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class JsonReportTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private Instant now = Instant.parse("2026-02-09T16:17:02Z");

  private JsonReport report() {
    return new JsonReport(new PrintStream(out, false, StandardCharsets.UTF_8), () -> now);
  }

  private String lines(Event... events) {
    JsonReport report = report();
    List.of(events).forEach(report::emit);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void eachEventIsOneLineWithTheFieldsOfItsRecord() {
    String text =
        lines(
            new Event.Check("host", "machine", "ok", "gpu7: Linux"),
            new Event.Holder(410, "root", 7380, 71680, List.of(0, 1), "python3 a", "", "refused"),
            new Event.Milestone("loaded", "× 4"),
            new Event.Progress("shards", 14, 119, 0.5, 546),
            new Event.Found(
                new Finding("a.b", Severity.ERROR, "f", "4", "771", List.of("one", "two"))),
            new Event.Named(new Cause("a.b", "says", List.of(), "", "fix", List.of("f"))),
            new Event.State("r", "finished", 0, "", List.of(5L)),
            new Event.End(16, "something is wrong"));
    String head = "{'v':1,'type':'%s','time':'2026-02-09T16:17:02.000Z',";
    assertThat(text)
        .isEqualTo(
            (head.formatted("check")
                    + "'phase':'host','name':'machine','verdict':'ok','says':'gpu7: Linux'}\n"
                    + head.formatted("holder")
                    + "'pid':410,'user':'root','ageSeconds':7380,'memoryMiB':71680,'gpus':[0,1],"
                    + "'command':'python3 a','unit':'','verdict':'refused'}\n"
                    + head.formatted("milestone")
                    + "'name':'loaded','says':'× 4'}\n"
                    + head.formatted("progress")
                    + "'what':'shards','done':14,'total':119,'rate':0.5,'etaSeconds':546}\n"
                    + head.formatted("finding")
                    + "'code':'a.b','severity':'error','subject':'f','expected':'4',"
                    + "'actual':'771','evidence':['one','two']}\n"
                    + head.formatted("cause")
                    + "'code':'a.b','says':'says','evidence':[],'where':'','fix':'fix',"
                    + "'subjects':['f']}\n"
                    + head.formatted("state")
                    + "'run':'r','state':'finished','code':0,'says':'','pids':[5],'host':'','output':''}\n"
                    + head.formatted("end")
                    + "'exit':16,'meaning':'something is wrong'}\n")
                .replace('\'', '"'));
  }

  @Test
  void whatIsNotKnownIsLeftOut() {
    assertThat(
            lines(
                new Event.Progress("steps", 68, -1, Double.NaN, -1),
                new Event.Holder(1, "u", -1, -1, List.of(), "c", "", "held"),
                new Event.Progress("files", 1, 2, Double.POSITIVE_INFINITY, 3)))
        .contains("\"what\":\"steps\",\"done\":68}\n")
        .contains("\"user\":\"u\",\"gpus\":[],")
        .contains("\"done\":1,\"total\":2,\"etaSeconds\":3}\n");
  }

  @Test
  void hostileTextIsEscapedAndComesBackWhole() {
    String hostile = "\u001b[2J\u009b\u202e\u2028\u0000\n\"\\\u007f é 😀";
    String text = lines(new Event.LogLine(0, hostile + "\ud800", "line"));
    assertThat(text.strip())
        .doesNotContainPattern("[\\x00-\\x1f\\x7f-\\x9f\\u202e\\u2028]")
        .contains("é 😀");
    assertThat(JsonMapper.shared().readTree(text).get("text").asString())
        .isEqualTo(hostile + "\ufffd");
  }

  @Test
  void progressComesOnceASecondAndAtTheEnd() {
    JsonReport report = report();
    for (int done = 0; done <= 1000; done++) {
      report.emit(new Event.Progress("bytes", done, 1000, 1, 1));
      now = now.plusMillis(10);
    }
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines).hasSize(11);
    assertThat(lines.get(0)).contains("\"done\":0,");
    assertThat(lines.get(10)).contains("\"done\":1000,");
  }

  @Test
  void aReaderThatGoesAwayEndsTheWritingQuietly() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    JsonReport report = new JsonReport(new PrintStream(closed), () -> now);
    report.emit(new Event.End(0, ""));
    assertThat(report.isBroken()).isTrue();
    report.emit(new Event.End(0, ""));
  }
}
