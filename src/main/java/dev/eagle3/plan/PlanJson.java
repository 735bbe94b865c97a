package dev.eagle3.plan;

import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Secrets;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * A plan as JSON text, the {@code plan.json} of a run: an object with {@code "v": 1} and one
 * property per component of {@link ExtractionPlan} in kebab-case. Only the streaming half of
 * Jackson is used: databind would cost each command that asks about a run a tenth of a second.
 */
public final class PlanJson {
  private static final int VERSION = 1;
  private static final int MOST_CHARACTERS = 8 << 20;

  private PlanJson() {}

  /**
   * The text of a plan, indented, with a line end. Secrets are redacted, in the environment, the
   * script's arguments, the setup lines and the words of {@code wrap}: a plan that is read back is
   * good for looking at a run and not for launching it again.
   */
  public static String write(ExtractionPlan plan) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(new Indented(), text)) {
      json.writeStartObject();
      json.writeNumberProperty("v", VERSION);
      json.writeStringProperty("run", plan.run().text());
      json.writeStringProperty("host", plan.host());
      json.writeStringProperty("extractor", plan.extractor());
      json.writeStringProperty("python", plan.python());
      json.writeStringProperty("script", plan.script());
      writeTexts(json, "script-arguments", Secrets.arguments(plan.scriptArguments()));
      writeMap(json, "environment", Secrets.environment(plan.environment()));
      writeTexts(json, "environment-by-name", plan.environmentByName());
      writeTexts(json, "setup", plan.setup().stream().map(Secrets::shellText).toList());
      writeTexts(json, "wrap", Secrets.arguments(plan.wrap()));
      writeOptional(json, "cuda-home", plan.cudaHome());
      json.writeStringProperty("model-path", plan.modelPath());
      json.writeStringProperty("prepared-data", plan.preparedData());
      json.writeStringProperty("output-dir", plan.outputDir());
      json.writeStringProperty("log-file", plan.logFile());
      writeNumbers(json, "layers", plan.layers());
      json.writeNumberProperty("tp-size", plan.tpSize());
      json.writeNumberProperty("batch-size", plan.batchSize());
      json.writeNumberProperty("max-seq-len", plan.maxSeqLen());
      writeNumbers(json, "gpus", plan.gpus());
      json.writeStringProperty("clear-gpus", plan.clearGpus().word());
      json.writeStringProperty("previous-output", plan.previousOutput().word());
      writeOptional(json, "state-dir", plan.stateDir());
      if (plan.schema().isPresent()) {
        json.writeStringProperty("schema", plan.schema().get());
      }
      if (plan.onBad().isPresent()) {
        json.writeStringProperty("on-bad", plan.onBad().get());
      }
      json.writeEndObject();
    }
    return text.append('\n').toString();
  }

  /**
   * The plan that a text holds. Strict: a missing, unknown or repeated property, a value of another
   * type, another version, or text after the object are errors.
   *
   * @throws IOException naming what is wrong; the text may come from a host and be hostile
   */
  public static ExtractionPlan read(String text) throws IOException {
    if (text.length() > MOST_CHARACTERS) {
      throw new IOException("plan is too long: " + text.length() + " characters");
    }
    try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
      return plan(JsonFields.parse(json));
    } catch (JacksonException malformed) {
      throw new IOException(
          "plan is not valid JSON: " + Printable.line(malformed.getOriginalMessage(), 200),
          malformed);
    } catch (IllegalArgumentException refused) {
      throw new IOException("plan: " + refused.getMessage(), refused);
    }
  }

  private static ExtractionPlan plan(JsonFields fields) throws IOException {
    if (fields.number("v") != VERSION) {
      throw new IOException("plan is of another version than " + VERSION);
    }
    ExtractionPlan plan =
        new ExtractionPlan(
            new RunId(fields.text("run")),
            fields.text("host"),
            fields.text("extractor"),
            fields.text("python"),
            fields.text("script"),
            fields.texts("script-arguments"),
            fields.map("environment"),
            fields.texts("environment-by-name"),
            fields.texts("setup"),
            fields.texts("wrap"),
            fields.optionalText("cuda-home"),
            fields.text("model-path"),
            fields.text("prepared-data"),
            fields.text("output-dir"),
            fields.text("log-file"),
            fields.numbers("layers"),
            fields.number("tp-size"),
            fields.number("batch-size"),
            fields.number("max-seq-len"),
            fields.numbers("gpus"),
            clearGpus(fields.text("clear-gpus")),
            previousOutput(fields.text("previous-output")),
            fields.optionalText("state-dir"),
            fields.has("schema") ? Optional.of(fields.text("schema")) : Optional.empty(),
            fields.has("on-bad") ? Optional.of(fields.text("on-bad")) : Optional.empty());
    fields.refuseOthers();
    return plan;
  }

  private static ClearGpus clearGpus(String word) throws IOException {
    return ClearGpus.ofWord(word)
        .orElseThrow(() -> new IOException("plan: clear-gpus is " + Printable.line(word, 60)));
  }

  private static PreviousOutput previousOutput(String word) throws IOException {
    return PreviousOutput.ofWord(word)
        .orElseThrow(() -> new IOException("plan: previous-output is " + Printable.line(word, 60)));
  }

  private static void writeTexts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  private static void writeNumbers(JsonGenerator json, String name, List<Integer> numbers) {
    json.writeArrayPropertyStart(name);
    numbers.forEach(json::writeNumber);
    json.writeEndArray();
  }

  private static void writeMap(JsonGenerator json, String name, Map<String, String> texts) {
    json.writeObjectPropertyStart(name);
    texts.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  private static void writeOptional(JsonGenerator json, String name, Optional<String> text) {
    if (text.isPresent()) {
      json.writeStringProperty(name, text.get());
    } else {
      json.writeNullProperty(name);
    }
  }

  /** One property a line, the form in which people read it on the host. */
  private static final class Indented extends ObjectWriteContext.Base {
    @Override
    public boolean hasPrettyPrinter() {
      return true;
    }

    @Override
    public PrettyPrinter getPrettyPrinter() {
      return new DefaultPrettyPrinter();
    }
  }
}
