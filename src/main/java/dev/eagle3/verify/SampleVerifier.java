package dev.eagle3.verify;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Printable;
import dev.eagle3.outcome.Severity;
import dev.eagle3.tensor.TensorFile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Judges one file by its header: whether it is a sample of a known schema, and whether its shapes
 * are those that are expected. What is wrong whatever was expected (a layer that is no matrix, as
 * many rows as the file has no tokens, layers that differ) is found without any expectation.
 */
public final class SampleVerifier {
  private static final int MOST_KEYS_SHOWN = 12;
  private static final int MOST_SCHEMAS_SHOWN = 3;
  private static final int MOST_LETTERS_OF_A_KEY = 60;

  /** The verdict on the file. Pure: reads nothing. */
  public FileVerdict verify(TensorFile file, Expectation expected) {
    // How a file was read is for those who inspect one, not for those who check thousands.
    List<Finding> findings =
        new ArrayList<>(
            file.findings().stream()
                .filter(finding -> finding.severity() != Severity.NOTE)
                .toList());
    Optional<Schema> schema = schemaOf(file, expected);
    if (schema.isEmpty()) {
      boolean broken = findings.stream().anyMatch(SampleVerifier::isError);
      if (!broken) {
        findings.add(unknown(file));
      }
      return FileVerdict.of(file.name(), file.bytes(), Optional.empty(), says(findings), findings);
    }
    otherSchema(file.name(), schema.get().name(), expected).ifPresent(findings::add);
    addKeyFindings(file, schema.get(), findings);
    SampleCheck check = new SampleCheck(file, schema.get(), expected);
    findings.addAll(check.findings());
    SampleShape shape = check.shape();
    // Of a file that is cut, the shapes in its header are not what is in it.
    String says =
        file.findings().stream().anyMatch(SampleVerifier::isError)
            ? says(file.findings())
            : shape.says();
    return FileVerdict.of(file.name(), file.bytes(), Optional.of(shape), says, findings);
  }

  /**
   * The schema that is expected where the file may be of it, else the one that it is of. The one of
   * an extractor stands back behind one that fits in every way.
   */
  private static Optional<Schema> schemaOf(TensorFile file, Expectation expected) {
    Optional<Schema> own = Schemas.of(file);
    boolean fits =
        own.filter(schema -> schema.hasKeysOf(file) && schema.fitsLayers(file)).isPresent();
    Optional<Schema> wanted =
        expected
            .schema()
            .or(() -> fits ? Optional.empty() : expected.plannedSchema())
            .flatMap(name -> Schemas.named(name.value()))
            .filter(schema -> schema.isIn(file.container()))
            .filter(schema -> schema.hasKeysOf(file) && schema.hasLayers(file));
    return wanted.isPresent() ? wanted : own;
  }

  /**
   * A schema that somebody named is a demand. That of an extractor is what its description says of
   * it, and a script may write another that is as good.
   */
  static Optional<Finding> otherSchema(String path, String schema, Expectation expected) {
    return expected
        .schema()
        .or(() -> expected.plannedSchema().filter(name -> Schemas.isKnown(name.value())))
        .filter(wanted -> !wanted.value().equals(schema))
        .map(
            wanted ->
                new Finding(
                    "file.schema-other",
                    expected.schema().isPresent() ? Severity.ERROR : Severity.WARNING,
                    path,
                    "a sample of " + wanted.value(),
                    "one of " + schema,
                    List.of("schema from " + wanted.source())));
  }

  private static void addKeyFindings(TensorFile file, Schema schema, List<Finding> findings) {
    if (!schema.missingFrom(file).isEmpty()) {
      findings.add(
          Finding.of(
              "keys.missing",
              Severity.ERROR,
              file.name(),
              words(schema.keys().stream().sorted().toList()),
              "without " + words(List.copyOf(schema.missingFrom(file)))));
    }
    if (!schema.extraIn(file).isEmpty()) {
      findings.add(
          Finding.of(
              "keys.extra",
              Severity.WARNING,
              file.name(),
              words(schema.keys().stream().sorted().toList()),
              "also " + words(List.copyOf(schema.extraIn(file)))));
    }
  }

  private static Finding unknown(TensorFile file) {
    List<String> known =
        Schemas.KNOWN.stream()
            .filter(schema -> schema.isIn(file.container()))
            .sorted(Comparator.comparing((Schema schema) -> -shared(schema, file)))
            .limit(MOST_SCHEMAS_SHOWN)
            .map(SampleVerifier::describe)
            .toList();
    String keys =
        file.keys().isEmpty()
            ? "no names and " + count(file.tensors().size())
            : "names " + words(file.keys());
    return new Finding(
        "file.schema-unknown",
        Severity.ERROR,
        file.name(),
        "a sample, such as " + String.join(", or ", known),
        file.container().word() + " file with " + keys,
        layout(file));
  }

  private static String count(int tensors) {
    return tensors + (tensors == 1 ? " tensor" : " tensors");
  }

  private static int shared(Schema schema, TensorFile file) {
    return schema.keys().size() - schema.missingFrom(file).size();
  }

  private static String describe(Schema schema) {
    return schema.name() + " " + words(schema.keys().stream().sorted().toList());
  }

  /** Says what lies under the layers' key where a schema's keys fit and its layout does not. */
  private static List<String> layout(TensorFile file) {
    return file.tensors().stream()
        .limit(3)
        .map(
            tensor ->
                (tensor.path().isEmpty()
                        ? "the object itself"
                        : Printable.line(tensor.path(), MOST_LETTERS_OF_A_KEY))
                    + " is "
                    + ShapeRun.textOf(tensor.shape()))
        .toList();
  }

  private static String says(List<Finding> findings) {
    return findings.stream()
        .filter(SampleVerifier::isError)
        .findFirst()
        .map(Finding::actual)
        .orElse("");
  }

  private static boolean isError(Finding finding) {
    return finding.severity() == Severity.ERROR;
  }

  private static String words(List<String> names) {
    String shown =
        names.stream()
            .limit(MOST_KEYS_SHOWN)
            .map(name -> Printable.line(name, MOST_LETTERS_OF_A_KEY))
            .collect(Collectors.joining(", "));
    int more = names.size() - MOST_KEYS_SHOWN;
    return "{" + shown + (more > 0 ? " and " + more + " more" : "") + "}";
  }
}
