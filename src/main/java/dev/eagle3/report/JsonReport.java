package dev.eagle3.report;

import dev.eagle3.outcome.Event;
import dev.eagle3.outcome.EventSink;
import dev.eagle3.outcome.Severity;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Events as JSON Lines for programs: one object a line, {@code {"v":1,"type":...,"time":...}} and
 * the event's own fields, and nothing else on the stream. The last is of type {@code end}.
 *
 * <ul>
 *   <li>Fields are the components of the event's record, in their order and by their names; those
 *       of a finding and of a cause stand in the line itself, not in an object of their own.
 *   <li>A number that is not known (NaN, or below zero: no number of an event is ever negative) is
 *       left out. Texts and lists are always there, empty for none.
 *   <li>{@code time} is UTC with milliseconds, {@code 2026-02-09T16:17:02.123Z}.
 *   <li>Control characters, also C1 and those that change the direction of text, are escaped, so
 *       that a line can be shown on a terminal; half of a surrogate pair becomes U+FFFD.
 *   <li>Progress comes at most once a second, and always with the first and the last of a kind.
 * </ul>
 */
public final class JsonReport implements EventSink {
  /** The value of {@code v}: what a reader may rely on. */
  public static final int VERSION = 1;

  private static final long PROGRESS_NANOS = 1_000_000_000L;

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private final PrintStream out;
  private final InstantSource clock;
  private final ProgressThrottle throttle;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  private final JsonFactory json = SafeJson.factory();

  private boolean broken;

  /** A report to {@code out}, which it flushes after each line and does not close. */
  public JsonReport(PrintStream out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
    this.throttle = new ProgressThrottle(() -> clock.millis() * 1_000_000, PROGRESS_NANOS, 0);
  }

  /** Nobody reads the stream any more; the command may as well end. */
  public boolean isBroken() {
    return broken;
  }

  @Override
  public void emit(Event event) {
    if (broken || (event instanceof Event.Progress progress && !throttle.isDue(progress))) {
      return;
    }
    line.reset();
    try (JsonGenerator generator = json.createGenerator(ObjectWriteContext.empty(), line)) {
      generator.writeStartObject();
      generator.writeNumberProperty("v", VERSION);
      generator.writeStringProperty("type", event.type());
      generator.writeStringProperty("time", TIME.format(clock.instant()));
      writeFields(generator, (Record) event);
      generator.writeEndObject();
    }
    line.write('\n');
    out.write(line.toByteArray(), 0, line.size());
    broken = out.checkError();
  }

  private static void writeFields(JsonGenerator generator, Record record) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      writeField(generator, component.getName(), value(component, record));
    }
  }

  private static void writeField(JsonGenerator generator, String name, Object value) {
    if (value instanceof Record nested) {
      writeFields(generator, nested);
    } else if (value instanceof String text) {
      generator.writeStringProperty(name, SafeJson.wellFormed(text));
    } else if (value instanceof Severity severity) {
      generator.writeStringProperty(name, severity.word());
    } else if (value instanceof List<?> list) {
      generator.writeArrayPropertyStart(name);
      list.forEach(item -> writeItem(generator, item));
      generator.writeEndArray();
    } else if (value instanceof Double number) {
      if (number >= 0 && !Double.isInfinite(number)) {
        generator.writeNumberProperty(name, number);
      }
    } else if (value instanceof Number number && number.longValue() >= 0) {
      generator.writeNumberProperty(name, number.longValue());
    }
  }

  private static void writeItem(JsonGenerator generator, Object item) {
    if (item instanceof Number number) {
      generator.writeNumber(number.longValue());
    } else {
      generator.writeString(SafeJson.wellFormed(item.toString()));
    }
  }

  private static Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException refused) {
      throw new IllegalStateException(component + " of an event", refused);
    }
  }
}
