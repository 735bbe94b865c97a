package dev.eagle3.verify.deep;

import dev.eagle3.outcome.Finding;
import dev.eagle3.outcome.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Says what is wrong with the values of one file. No verdict comes from magnitudes. */
final class ValueJudge {
  /** Activations that outgrow float16 do so in the same few channels, in row after row. */
  private static final int MOST_OVERFLOWING_CHANNELS = 4;

  private static final int FEWEST_OVERFLOWS_OF_A_CHANNEL = 2;

  private final String file;
  private final FileValues values;
  private final List<Finding> findings = new ArrayList<>();

  ValueJudge(String file, FileValues values) {
    this.file = file;
    this.values = values;
  }

  List<Finding> findings() {
    gather(
        Severity.ERROR,
        "file.checksum",
        "contents with the checksums that were recorded",
        "storages are damaged, which torch.load does not notice",
        values.damaged());
    layers("values.nan", "numbers", "have NaN", each -> each.nan().count() > 0, ValueJudge::nan);
    layers(
        "values.overflow",
        "numbers that float16 can hold",
        "outgrew float16",
        ValueJudge::isOverflow,
        ValueJudge::overflow);
    layers(
        "values.inf",
        "finite numbers",
        "have infinities",
        each -> each.inf().count() > 0 && !isOverflow(each),
        ValueJudge::inf);
    layers("values.all-zero", "numbers", "hold zeros alone", LayerValues::isAllZero, each -> "");
    layers(
        "values.zero-rows",
        "numbers in each row that is no padding",
        "have rows of zeros",
        each -> each.zeroRows().count() > 0 && !each.isAllZero(),
        each -> each.zeroRows().words());
    layers(
        "values.constant-rows",
        "numbers that differ within a row",
        "have rows of one number",
        each -> each.constantRows().count() > 0,
        each -> each.constantRows().words());
    gather(
        Severity.NOTE,
        "values.not-read",
        "values that can be looked at",
        "layers were not looked at",
        values.unread());
    return findings;
  }

  private void layers(
      String code,
      String expected,
      String what,
      Predicate<LayerValues> isWrong,
      Function<LayerValues, String> where) {
    List<String> lines =
        values.layers().stream()
            .filter(isWrong)
            .map(layer -> line(layer, what, where.apply(layer)))
            .toList();
    String summary = "of " + values.layers().size() + " layers " + what;
    gather(Severity.ERROR, code, expected, summary, lines);
  }

  private static String line(LayerValues layer, String what, String where) {
    String one = what.replace("have ", "has ").replace("hold ", "holds ");
    return layer.path() + " " + one + (where.isEmpty() ? "" : ": " + where);
  }

  private void gather(
      Severity severity, String code, String expected, String what, List<String> lines) {
    if (lines.size() == 1) {
      findings.add(Finding.of(code, severity, file, expected, lines.get(0)));
    } else if (lines.size() > 1) {
      String actual = Words.count(lines.size()) + " " + what;
      findings.add(new Finding(code, severity, file, expected, actual, Words.first(lines)));
    }
  }

  private static String nan(LayerValues layer) {
    return layer.nan().words();
  }

  private static String inf(LayerValues layer) {
    return layer.inf().words();
  }

  private static String overflow(LayerValues layer) {
    return layer.inf().words()
        + ", the largest of the others is "
        + Words.number(layer.totals().largest());
  }

  /** Whether all infinities stand in a few channels of float16, each in several rows. */
  private static boolean isOverflow(LayerValues layer) {
    return layer.inf().count() > 0
        && layer.nan().count() == 0
        && layer.layer().dtype().equals("float16")
        && layer.inf().channels() >= 1
        && layer.inf().channels() <= MOST_OVERFLOWING_CHANNELS
        && layer.inf().fewestInAChannel() >= FEWEST_OVERFLOWS_OF_A_CHANNEL;
  }
}
