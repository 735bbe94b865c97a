package dev.eagle3.expect;

import java.util.List;
import java.util.Set;

/** Arguments of extraction scripts that take a part of the prepared data only. */
public final class SampleLimits {
  private static final Set<String> FLAGS =
      Set.of("--max-samples", "--num-samples", "--start-idx", "--start", "--end", "--sample-num");

  private SampleLimits() {}

  /**
   * Whether one of them is among the arguments, as {@code --flag VALUE} or {@code --flag=VALUE}.
   */
  public static boolean areIn(List<String> arguments) {
    return arguments.stream()
        .map(argument -> argument.split("=", 2)[0].replace('_', '-'))
        .anyMatch(FLAGS::contains);
  }
}
