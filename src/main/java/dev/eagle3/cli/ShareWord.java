package dev.eagle3.cli;

import dev.eagle3.outcome.Exit;
import dev.eagle3.outcome.Failure;
import dev.eagle3.outcome.Printable;
import java.util.List;
import java.util.Stack;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** Takes {@code --deep}, {@code --deep=0.1} and {@code --deep 10%}: never a path behind it. */
final class ShareWord implements IParameterConsumer {
  private static final String FLAG = "--deep=";
  private static final Pattern SHARE = Pattern.compile("[0-9]*\\.?[0-9]+%?");

  /**
   * Refuses a share that is none, in a word that can be nothing else.
   *
   * @param typed the words of the command line
   * @throws Failure {@code USAGE}
   */
  static void refuseOthers(List<String> typed) {
    for (String word : typed) {
      if (word.equals("--")) {
        return;
      }
      String share = word.startsWith(FLAG) ? word.substring(FLAG.length()) : "1";
      if (!SHARE.matcher(share).matches()) {
        throw Failure.of(
                Exit.USAGE,
                "--deep",
                "\"" + Printable.line(share, 60) + "\" is no share of the files")
            .orTry("--deep=0.1, --deep=10%, or --deep for all");
      }
    }
  }

  @Override
  @SuppressWarnings("JdkObsolete") // the type is picocli's
  public void consumeParameters(Stack<String> words, ArgSpec option, CommandSpec command) {
    boolean isShare = !words.isEmpty() && SHARE.matcher(words.peek()).matches();
    option.setValue(isShare ? words.pop() : "1");
  }
}
