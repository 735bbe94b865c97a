package dev.eagle3.host.ssh;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Judges the conditions of {@code Match} lines, as ssh_config(5) has them. */
final class SshConfigMatch {
  private final SshTarget target;
  private final String localUser;
  private final SshOptions options;
  private final boolean isLastPass;
  private boolean wantsLastPass;

  /**
   * For one pass over the files.
   *
   * @param options what is known so far: a HostName, User or Tag above counts
   * @param isLastPass whether the files are read again for {@code Match final}
   */
  SshConfigMatch(SshTarget target, String localUser, SshOptions options, boolean isLastPass) {
    this.target = target;
    this.localUser = localUser;
    this.options = options;
    this.isLastPass = isLastPass;
  }

  /** Whether a {@code Match final} asks for the files to be read once more. */
  boolean wantsLastPass() {
    return wantsLastPass;
  }

  /**
   * Whether the conditions hold.
   *
   * @param notes gets what cannot be judged, and then counts as not holding
   * @throws IllegalArgumentException with what is wrong with them
   */
  boolean holds(List<String> words, Consumer<String> notes) {
    boolean holds = true;
    int at = 0;
    while (at < words.size()) {
      String word = words.get(at);
      at++;
      boolean negated = word.startsWith("!");
      String test = (negated ? word.substring(1) : word).toLowerCase(Locale.ROOT);
      String value = "";
      int equals = test.indexOf('=');
      if (equals > 0) {
        value = word.substring(word.indexOf('=') + 1);
        test = test.substring(0, equals);
      } else if (!List.of("all", "canonical", "final").contains(test)) {
        if (at == words.size()) {
          throw new IllegalArgumentException("missing Match criteria for " + test);
        }
        value = words.get(at);
        at++;
      }
      if (test.equals("all") && at != words.size()) {
        throw new IllegalArgumentException("'all' cannot be combined with other Match attributes");
      }
      Optional<Boolean> verdict = verdict(test, value, holds, notes);
      // What nobody can judge holds neither as it stands nor negated.
      holds &= verdict.isPresent() && verdict.get() != negated;
    }
    return holds;
  }

  private Optional<Boolean> verdict(
      String test, String value, boolean soFar, Consumer<String> notes) {
    String folded = value.toLowerCase(Locale.ROOT);
    return switch (test) {
      case "all" -> Optional.of(true);
      case "canonical" -> Optional.of(isLastPass);
      case "final" -> {
        wantsLastPass = true;
        yield Optional.of(isLastPass);
      }
      case "host" -> Optional.of(fits(folded, hostName().toLowerCase(Locale.ROOT)));
      case "originalhost" -> Optional.of(fits(folded, target.host().toLowerCase(Locale.ROOT)));
      case "user" -> Optional.of(fits(value, user()));
      case "localuser" -> Optional.of(fits(value, localUser));
      case "tagged" -> Optional.of(fits(value, options.first("tag").orElse("")));
      default -> {
        if (soFar) {
          notes.accept(
              test.equals("exec")
                  ? "Match exec is not run without an ssh program, and does not hold"
                  : "Match " + test + " is not known without an ssh program, and does not hold");
        }
        yield Optional.empty();
      }
    };
  }

  private String user() {
    return target.user().or(() -> options.first("user")).orElse(localUser);
  }

  private String hostName() {
    return options
        .first("hostname")
        .map(name -> PercentTokens.expand(name, Map.of('h', target.host(), 'n', target.host())))
        .orElse(target.host());
  }

  private static boolean fits(String patterns, String name) {
    return Wildcards.matchOne(List.of(patterns.split(",", -1)), name);
  }
}
