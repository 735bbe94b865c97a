package dev.eagle3.verify.deep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FirstRowsTest {
  @Test
  void noRowsHaveNoneBefore() {
    assertThat(new FirstRows(new long[] {7}).before(0)).isEqualTo(-1);
    new FirstRows(new long[0]);
  }

  @Test
  void rowsThatWereNotAskedForAreNotThere() {
    FirstRows rows = new FirstRows(new long[] {7, 7, 0, 7, 0});
    assertThat(rows.before(1)).isEqualTo(-1);
    assertThat(rows.before(3)).isEqualTo(1);
    assertThat(rows.before(4)).isEqualTo(-1);
    assertThat(rows.before(0)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 7, 8, 9, 1000, 1024, 70_000})
  void itAnswersAsMapsDo(int count) {
    Random random = new Random(count);
    LongUnaryOperator any = ignored -> random.nextLong();
    LongUnaryOperator few = ignored -> random.nextInt(1 + count / 3) - 1;
    LongUnaryOperator steps = row -> row % (1 + count / 2) << 40;
    for (LongUnaryOperator kind : new LongUnaryOperator[] {any, few, steps}) {
      long[] keys = LongStream.range(0, count).map(kind).toArray();
      Map<Long, Integer> map = new HashMap<>();
      int[] expected =
          IntStream.range(0, count)
              .map(row -> map.merge(keys[row], row, (earlier, now) -> earlier))
              .toArray();
      FirstRows rows = new FirstRows(keys);
      int[] found = new int[count];
      Arrays.setAll(
          found,
          row -> {
            int before = rows.before(row);
            return before < 0 ? row : before;
          });
      assertThat(found).isEqualTo(expected);
    }
  }
}
