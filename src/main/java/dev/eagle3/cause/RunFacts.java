package dev.eagle3.cause;

import dev.eagle3.plan.ExtractionPlan;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the run that made files says of itself; a cause need not know it, but is surer with it.
 *
 * @param tpSize tensor parallel size
 * @param chunkTokens most tokens that vLLM takes in one step, which is how long a chunk of a
 *     prefill is
 * @param source who says so, as evidence names it: {@code run 20261129-120000-1a2b}
 */
public record RunFacts(OptionalInt tpSize, OptionalLong chunkTokens, String source) {
  /** Nothing is known. */
  public static final RunFacts NONE =
      new RunFacts(OptionalInt.empty(), OptionalLong.empty(), "the run");

  private static final String CHUNK_FLAG = "--max-num-batched-tokens";

  /** What the plan of a run says. */
  public static RunFacts of(ExtractionPlan plan) {
    return of(plan, "run " + plan.run());
  }

  /** What a plan says that is known by another name. */
  public static RunFacts of(ExtractionPlan plan, String source) {
    OptionalInt tpSize = plan.tpSize() > 0 ? OptionalInt.of(plan.tpSize()) : OptionalInt.empty();
    return new RunFacts(tpSize, chunkOf(plan.scriptArguments()), source);
  }

  private static OptionalLong chunkOf(List<String> arguments) {
    OptionalLong chunk = OptionalLong.empty();
    for (int index = 0; index < arguments.size(); index++) {
      String argument = arguments.get(index);
      if (argument.equals(CHUNK_FLAG) && index + 1 < arguments.size()) {
        chunk = numberOf(arguments.get(index + 1));
      } else if (argument.startsWith(CHUNK_FLAG + "=")) {
        chunk = numberOf(argument.substring(CHUNK_FLAG.length() + 1));
      }
    }
    return chunk;
  }

  private static OptionalLong numberOf(String text) {
    return text.matches("[1-9][0-9]{0,8}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }
}
