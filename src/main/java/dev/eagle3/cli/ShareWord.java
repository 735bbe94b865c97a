package dev.eagle3.cli;

import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Takes {@code --deep}, {@code --deep=0.1} and {@code --deep 10%}: never a path behind it. */
final class ShareWord implements IParameterConsumer {
  private static final Pattern SHARE = Pattern.compile("[0-9]*\\.?[0-9]+%?");

  @Override
  @SuppressWarnings("JdkObsolete") // the type is picocli's
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    boolean isShare = !words.isEmpty() && SHARE.matcher(words.peek()).matches();
    option.setValue(isShare ? words.pop() : "1");
  }
}
