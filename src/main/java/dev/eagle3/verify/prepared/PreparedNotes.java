package dev.eagle3.verify.prepared;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** What rows of prepared data and saved samples say of each other. */
final class PreparedNotes implements PreparedRowsReader.Rows {
  private static final int MOST_EXAMPLES = 3;

  private final PreparedDataRequest request;
  private final SavedSamples samples;
  private final List<String> withoutFile = new ArrayList<>();
  private long rows;
  private long missing;
  private long again;

  PreparedNotes(PreparedDataRequest request, SavedSamples samples) {
    this.request = request;
    this.samples = samples;
  }

  @Override
  public void take(long tokens, long all, long[] first) {
    rows++;
    OptionalInt place = samples.find(all);
    for (int index = 0; index < first.length && place.isEmpty(); index++) {
      place = first[index] == 0 ? place : samples.find(first[index]);
    }
    if (place.isPresent()) {
      again += samples.meet(place.getAsInt()) ? 0 : 1;
    } else {
      missing++;
      if (withoutFile.size() < MOST_EXAMPLES) {
        withoutFile.add("row " + (rows - 1) + ", " + tokens + " tokens");
      }
    }
  }

  /** The notes, when all rows were taken. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    if (missing > 0 && request.whole()) {
      String verb = missing == 1 ? " has no whole file" : " have no whole file";
      add("samples.without-file", of(missing, rows, "row") + verb, withoutFile, findings);
    }
    List<String> unmet = samples.unmet();
    if (!unmet.isEmpty()) {
      String verb = unmet.size() == 1 ? " is of no row of it" : " are of no row of it";
      List<String> first = unmet.subList(0, Math.min(MOST_EXAMPLES, unmet.size()));
      add(
          "samples.without-row",
          of(unmet.size(), samples.count(), "sample") + verb,
          first,
          findings);
    }
    if (again > 0 || samples.repeated() > 0) {
      List<String> evidence = new ArrayList<>();
      if (again > 0) {
        evidence.add(of(again, rows, "row") + " with the token ids of an earlier row");
      }
      if (samples.repeated() > 0) {
        evidence.add(
            of(samples.repeated(), samples.count(), "sample")
                + " with the token ids of another one");
      }
      add("samples.repeated", "some token ids stand there more than once", evidence, findings);
    }
    if (request.asked() && unmet.isEmpty()) {
      int all = samples.count();
      String says = all == 1 ? "the sample is a row of it" : "all %,d samples are rows of it";
      add("samples.matched", String.format(Locale.ROOT, says, all), List.of(), findings);
    }
    return findings;
  }

  private void add(String code, String actual, List<String> evidence, List<Finding> findings) {
    findings.add(new Finding(code, Severity.NOTE, request.path(), "", actual, evidence));
  }

  private static String of(long some, long all, String noun) {
    return String.format(Locale.ROOT, "%,d of %,d %s%s", some, all, noun, all == 1 ? "" : "s");
  }
}
