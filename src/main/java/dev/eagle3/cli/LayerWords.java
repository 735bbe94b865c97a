package dev.eagle3.cli;

import java.util.List;
import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Takes {@code 2 30 58 60} as well as {@code 2,30,58,60} for {@code --layers}: the first word
 * whatever it is, then every word of digits and commas, so that a path after them is not taken.
 */
final class LayerWords implements IParameterConsumer {
  private static final Pattern DIGITS = Pattern.compile("[0-9][0-9,]*");

  @Override
  @SuppressWarnings("JdkObsolete") // the type is picocli's
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    if (words.isEmpty()) {
      throw new ParameterException(
          command.commandLine(), "--layers needs layer ids, for example --layers 2 30 58 60");
    }
    List<String> layers = option.getValue();
    layers.add(words.pop());
    while (!words.isEmpty() && DIGITS.matcher(words.peek()).matches()) {
      layers.add(words.pop());
    }
  }
}
