package dev.eagle3.gpu;

import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.ClearGpus;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** The answers of {@code clear-gpus.sh} as records; its first comment describes the lines. */
final class GpuAnswerParser {
  private static final String UNKNOWN = "-";

  private final String host;

  GpuAnswerParser(String host) {
    this.host = host;
  }

  /**
   * What was seen.
   *
   * @throws Failure when the script did not do its work, or answers in another form
   */
  GpuLook look(ClearGpus policy, ScriptAnswer answer) {
    if (answer.code() != 0 && answer.code() != Exit.REFUSED.code()) {
      throw strange("exit code " + answer.code() + " " + answer.stderr().strip());
    }
    return new GpuLook(
        policy,
        rows(answer, "gpu", 6).stream().map(this::gpu).toList(),
        holders(answer, "holder"),
        rows(answer, "hidden", 3).stream().map(this::hidden).toList(),
        rows(answer, "absent", 1).stream().map(row -> (int) number(row.get(0))).toList(),
        rows(answer, "lacks", 2).stream().map(row -> row.get(0) + ": " + row.get(1)).toList());
  }

  /** The holders under a word, {@code holder} or {@code back}. */
  List<GpuHolder> holders(ScriptAnswer answer, String word) {
    return rows(answer, word, 10).stream().map(this::holder).toList();
  }

  /** The process ids of the rows under a word. */
  List<Long> pids(ScriptAnswer answer, String word) {
    return rows(answer, word, 1).stream().map(row -> number(row.get(0))).toList();
  }

  /** Why the script refused; empty when it did not. */
  Optional<String> refusal(ScriptAnswer answer) {
    return rows(answer, "refused", 1).stream().map(row -> row.get(0)).findFirst();
  }

  private Gpu gpu(List<String> row) {
    return new Gpu(
        (int) number(row.get(0)),
        known(row.get(1)),
        known(row.get(2)),
        amount(row.get(3)),
        amount(row.get(4)),
        row.get(5).equals("needed"));
  }

  private GpuHolder holder(List<String> row) {
    return new GpuHolder(
        number(row.get(0)),
        number(row.get(1)),
        row.get(2),
        amount(row.get(3)),
        numbers(row.get(4)).stream().map(Long::intValue).toList(),
        amount(row.get(5)),
        known(row.get(6)),
        kind(row.get(7)),
        known(row.get(8)).filter(RunId::isRunId).map(RunId::new),
        row.get(9));
  }

  private HiddenMemory hidden(List<String> row) {
    return new HiddenMemory((int) number(row.get(0)), number(row.get(1)), numbers(row.get(2)));
  }

  private HolderKind kind(String word) {
    return Arrays.stream(HolderKind.values())
        .filter(kind -> kind.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(word))
        .findFirst()
        .orElseThrow(() -> strange(word));
  }

  private List<List<String>> rows(ScriptAnswer answer, String word, int fields) {
    List<List<String>> rows = answer.rows(word);
    for (List<String> row : rows) {
      if (row.size() < fields) {
        throw strange(word + " " + row);
      }
    }
    return rows;
  }

  private static Optional<String> known(String field) {
    return field.equals(UNKNOWN) ? Optional.empty() : Optional.of(field);
  }

  private OptionalLong amount(String field) {
    return field.equals(UNKNOWN) ? OptionalLong.empty() : OptionalLong.of(number(field));
  }

  private List<Long> numbers(String field) {
    List<Long> numbers = new ArrayList<>();
    if (!field.equals(UNKNOWN)) {
      for (String one : field.split(",", -1)) {
        numbers.add(number(one));
      }
    }
    return numbers;
  }

  private long number(String digits) {
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException other) {
      throw strange(digits).causedBy(other);
    }
  }

  private Failure strange(String what) {
    return Failure.of(
        Exit.REFUSED, host, "cannot say who holds its GPUs: " + Printable.line(what.strip(), 200));
  }
}
