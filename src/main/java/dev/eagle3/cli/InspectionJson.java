package dev.eagle3.cli;

import dev.eagle3.outcome.Finding;
import dev.eagle3.report.JsonReport;
import dev.eagle3.report.SafeJson;
import dev.eagle3.tensor.ArrayEntry;
import dev.eagle3.tensor.StorageExtent;
import dev.eagle3.tensor.TensorEntry;
import dev.eagle3.tensor.TensorFile;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/** The one object of {@code inspect --json}; {@code docs/json.md} describes it. */
final class InspectionJson {
  private InspectionJson() {}

  /** Prints it on a line of its own. */
  static void print(TensorFile file, PrintStream out) {
    try (JsonGenerator json = SafeJson.factory().createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      json.writeNumberProperty("v", JsonReport.VERSION);
      text(json, "file", file.name());
      json.writeStringProperty("container", file.container().word());
      json.writeNumberProperty("bytes", file.bytes());
      json.writeArrayPropertyStart("tensors");
      file.tensors().forEach(tensor -> tensor(json, tensor));
      json.writeEndArray();
      if (!file.arrays().isEmpty()) {
        json.writeArrayPropertyStart("arrays");
        file.arrays().forEach(array -> array(json, array));
        json.writeEndArray();
      }
      texts(json, "globals", file.globals());
      json.writeArrayPropertyStart("findings");
      file.findings().forEach(finding -> finding(json, finding));
      json.writeEndArray();
      json.writeEndObject();
    }
    out.println();
  }

  private static void tensor(JsonGenerator json, TensorEntry tensor) {
    json.writeStartObject();
    text(json, "path", tensor.path());
    text(json, "dtype", tensor.dtype());
    numbers(json, "shape", tensor.shape());
    numbers(json, "stride", tensor.stride());
    json.writeNumberProperty("offset", tensor.offset());
    storage(json, tensor.storage());
    if (!tensor.layout().equals("strided")) {
      json.writeStringProperty("layout", tensor.layout());
    }
    if (!tensor.parts().isEmpty()) {
      json.writeArrayPropertyStart("parts");
      tensor.parts().forEach(part -> tensor(json, part));
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private static void storage(JsonGenerator json, @Nullable StorageExtent storage) {
    if (storage == null) {
      json.writeNullProperty("storage");
      return;
    }
    json.writeObjectPropertyStart("storage");
    text(json, "key", storage.key());
    if (storage.declaredBytes() >= 0) {
      json.writeNumberProperty("bytes", storage.declaredBytes());
    }
    json.writeNumberProperty("used", storage.usedBytes());
    if (storage.storedBytes() != storage.declaredBytes()) {
      json.writeNumberProperty("stored", Math.max(0, storage.storedBytes()));
    }
    json.writeEndObject();
  }

  private static void array(JsonGenerator json, ArrayEntry array) {
    json.writeStartObject();
    text(json, "path", array.path());
    text(json, "dtype", array.dtype());
    numbers(json, "shape", array.shape());
    json.writeEndObject();
  }

  private static void finding(JsonGenerator json, Finding finding) {
    json.writeStartObject();
    text(json, "code", finding.code());
    json.writeStringProperty("severity", finding.severity().word());
    text(json, "subject", finding.subject());
    text(json, "expected", finding.expected());
    text(json, "actual", finding.actual());
    texts(json, "evidence", finding.evidence());
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String name, String value) {
    json.writeStringProperty(name, SafeJson.wellFormed(value));
  }

  private static void texts(JsonGenerator json, String name, List<String> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(value -> json.writeString(SafeJson.wellFormed(value)));
    json.writeEndArray();
  }

  private static void numbers(JsonGenerator json, String name, List<Long> values) {
    json.writeArrayPropertyStart(name);
    values.forEach(json::writeNumber);
    json.writeEndArray();
  }
}
