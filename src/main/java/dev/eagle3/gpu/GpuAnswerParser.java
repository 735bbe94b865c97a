package dev.eagle3.gpu;

import dev.eagle3.host.ScriptAnswer;
import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import dev.eagle3.plan.RunId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The answers of {@code look-gpus.sh} and {@code clear-gpus.sh} as records; their first comments
 * describe the lines.
 */
final class GpuAnswerParser {
  private static final String UNKNOWN = "-";

  private final String host;

  GpuAnswerParser(String host) {
    this.host = host;
  }

  /**
   * What was seen.
   *
   * @throws Failure when the script refused or did not do its work, or answers in another form
   */
  GpuLook look(GpuNeed need, ScriptAnswer answer) {
    Optional<String> refusal = refusal(answer);
    if (refusal.isPresent()) {
      throw Failure.of(Exit.REFUSED, host, Printable.line(refusal.get(), 300))
          .orTry("--gpus 0,1,... with the indices that nvidia-smi shows");
    }
    if (answer.code() != 0) {
      throw strange("exit code " + answer.code() + " " + answer.stderr().strip());
    }
    return new GpuLook(
        need,
        rows(answer, "gpu", 6).stream().map(this::gpu).toList(),
        holders(answer, "holder"),
        rows(answer, "hidden", 3).stream().map(this::hidden).toList(),
        rows(answer, "absent", 1).stream().map(row -> (int) number(row.get(0))).toList(),
        rows(answer, "split", 1).stream().map(row -> (int) number(row.get(0))).toList(),
        rows(answer, "lacks", 2).stream().map(row -> row.get(0) + ": " + row.get(1)).toList());
  }

  /** The holders under a word, {@code holder} or {@code back}. */
  List<GpuHolder> holders(ScriptAnswer answer, String word) {
    Map<String, HolderWatcher> watchers = new HashMap<>();
    for (List<String> row : rows(answer, "watcher", 4)) {
      watchers.put(row.get(0), new HolderWatcher(row.get(1), row.get(2), known(row.get(3))));
    }
    return rows(answer, word, 10).stream()
        .map(row -> holder(row, Optional.ofNullable(watchers.get(row.get(0)))))
        .toList();
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

  private GpuHolder holder(List<String> row, Optional<HolderWatcher> watcher) {
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
        row.get(9),
        watcher);
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
