package dev.eagle3.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.eagle3.expect.Expectation;
import dev.eagle3.outcome.Cause;
import dev.eagle3.verify.FileVerdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Folders as each fault would leave them, of many sizes; and folders that are good or garbage. */
class TokenCountsManyTest {
  private static final int ROUNDS = 60;

  private static final Expectation EXPECTED =
      Expectation.NONE.withLayers(4, "flags").withHiddenSize(7168, "config.json");

  @Test
  void everyFaultIsNamedWhateverTheLengths() {
    Random random = new Random(20261129);
    for (int round = 0; round < ROUNDS; round++) {
      long[] tokens = random.longs(12 + random.nextInt(20), 40, 3000).toArray();
      int ranks = 2 + random.nextInt(15);
      long chunk = 300L + random.nextInt(900);
      int batch = 2 + random.nextInt(4);
      long generated = 1L + random.nextInt(200);
      Map<String, UnaryOperator<long[]>> faults = new LinkedHashMap<>();
      faults.put("tokens.split-over-ranks", each(n -> (n + ranks - 1) / ranks));
      faults.put("tokens.last-chunk-only", each(n -> (n - 1) % chunk + 1));
      faults.put("tokens.first-chunk-only", each(n -> Math.min(n, chunk)));
      faults.put("tokens.last-token-only", each(n -> 1));
      faults.put("tokens.generated-included", each(n -> n + generated));
      faults.put("tokens.padded-to-graph-size", each(n -> n > 512 ? n : (n + 7) / 8 * 8));
      faults.put("tokens.padded-to-batch", n -> perBatch(n, batch, true));
      faults.put("set.batch-not-split", n -> perBatch(n, batch, false));
      faults.put("tokens.recomputed", each(n -> n % 3 == 0 ? 2 * n : n));
      faults.put("tokens.prefix-cached", each(n -> n % 3 == 0 ? n - 32 : n));
      assertThat(faults.keySet()).containsExactlyInAnyOrderElementsOf(TokenCounts.codes());
      int number = round;
      faults.forEach(
          (code, fault) -> {
            long[] rows = fault.apply(tokens);
            if (!Arrays.equals(rows, tokens)) {
              assertThat(causes(tokens, rows))
                  .as("round %d, %s, n %s", number, code, Arrays.toString(tokens))
                  .extracting(Cause::code)
                  .containsExactly(code);
            }
          });
    }
  }

  @Test
  void rowsOfNoRuleAreGivenNoCause() {
    Random random = new Random(20261130);
    for (int round = 0; round < 300; round++) {
      long[] tokens = random.longs(8, 40, 3000).toArray();
      long[] rows = Arrays.stream(tokens).map(n -> 1 + random.nextLong(2 * n)).toArray();

      assertThat(causes(tokens, rows))
          .as("n %s, T %s", Arrays.toString(tokens), Arrays.toString(rows))
          .isEmpty();
      assertThat(causes(tokens, rows, EXPECTED.withBatchSize(4, "run r")))
          .as("in batches, n %s, T %s", Arrays.toString(tokens), Arrays.toString(rows))
          .isEmpty();
    }
  }

  @Test
  void tenThousandFilesAreExplained() {
    long[] tokens = new Random(1).longs(10_000, 40, 8000).toArray();
    long[] rows = Arrays.stream(tokens).map(n -> (n + 7) / 8).toArray();

    List<Cause> causes = causes(tokens, rows);
    assertThat(causes).hasSize(1);
    assertThat(causes.get(0).subjects()).hasSize(10_000);
  }

  @Test
  void manyEqualFilesDoNotTakeForever() {
    long[] tokens = new long[20_000];
    Arrays.fill(tokens, 1);
    long[] rows = new long[20_000];
    Arrays.fill(rows, 30_000);

    assertThat(causes(tokens, rows)).isEmpty();
  }

  private interface Rows {
    long of(long tokens);
  }

  private static UnaryOperator<long[]> each(Rows rows) {
    return tokens -> Arrays.stream(tokens).map(rows::of).toArray();
  }

  private static long[] perBatch(long[] tokens, int size, boolean longest) {
    long[] rows = new long[tokens.length];
    for (int start = 0; start < tokens.length; start += size) {
      int end = Math.min(start + size, tokens.length);
      long[] batch = Arrays.copyOfRange(tokens, start, end);
      long all = longest ? Arrays.stream(batch).max().orElseThrow() : Arrays.stream(batch).sum();
      Arrays.fill(rows, start, end, all);
    }
    return rows;
  }

  private static List<Cause> causes(long[] tokens, long[] rows) {
    return causes(tokens, rows, EXPECTED);
  }

  private static List<Cause> causes(long[] tokens, long[] rows, Expectation expected) {
    long[] pairs = new long[2 * tokens.length];
    for (int index = 0; index < tokens.length; index++) {
      pairs[2 * index] = tokens[index];
      pairs[2 * index + 1] = rows[index];
    }
    List<FileVerdict> files = new ArrayList<>(TokenCountsTest.pairs(pairs));
    return new CauseFinder().find(files, expected);
  }
}
